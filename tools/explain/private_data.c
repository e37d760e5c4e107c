/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private_data.c - whose jobs a user may see; see explain.h */

#include <string.h>
#include <unistd.h>

#include "tools/explain/explain.h"
#include "tools/slurm/slurmfacts.h"

/* Root and SlurmUser see all jobs; others unless PrivateData hides them. */
int private_data_allows(struct sfab_err *err)
{
	struct slurmfacts facts;
	int may;

	if (getuid() == 0)
		return 0;
	if (slurmfacts_ask(&facts, err) != 0)
		return sfab_fail_prefix(err, "--jobs: cannot find out whether jobs "
					"are private");
	may = getuid() == facts.uid || !facts.private_data ||
	      !strstr(facts.private_data, "jobs");
	slurmfacts_free(&facts);
	if (may)
		return 0;
	return sfab_fail(err, SFAB_EINVAL, "--jobs: others' jobs are private "
			 "(PrivateData=jobs)");
}
