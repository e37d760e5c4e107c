#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# services.t - the units as installed: their users, capabilities and folders, in all
# orders of two, with a simulated fabric and a Slurm that has no jobs
test_description='the services beside each other'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip sim_collect_missing
skip () {
	skip_all=$1
	test_done
}
test $(id -u) = 0 || skip 'only root can be the users of the units'
command -v setpriv >/dev/null || skip 'setpriv is missing (Debian: util-linux)'
unshare -m true 2>/dev/null || skip 'no mount namespace can be made here'
id slurm >/dev/null 2>&1 || skip 'there is no user slurm'

test_expect_success 'a fabric, a Slurm without jobs, and a ssh that sends to nobody' '
	"$SFAB_BUILDDIR/tools/sfabric" synth tree:hosts=8,radix=8 --output net &&
	sim_start net && sim_sm_start out -R updn &&
	: >sfabric.conf && mkdir bin && cat >bin/scontrol <<-\EOF &&
	#!/bin/sh
	case "$*" in
	*config*)
		printf "%s\n" "SlurmUser = slurm($(id -u slurm))" "SLURM_VERSION = 22.05.8" \
			"PluginDir = none" "SelectType = select/cons_tres" \
			"SLURM_CONF = none" "SlurmctldPidFile = none" ;;
	*partition*) echo "PartitionName=main State=UP Nodes=n[0001-0008]" ;;
	*node*) echo "NodeName=n0001 State=IDLE CPUTot=4 CPUAlloc=0" ;;
	*job*) echo "No jobs in the system" ;;
	*reserv*) echo "No reservations in the system" ;;
	esac
	EOF
	printf "#!/bin/sh\n" >bin/squeue && printf "#!/bin/sh\nexec cat >/dev/null\n" >bin/ssh &&
	chmod +x bin/*'

test_expect_success 'each works after any other was started' '
	cp "$SFAB_BUILDDIR/tools/sfabric" bin/ &&
	UMAD=$sim_umad PATH=/mnt:$PATH SFABRIC_CONF=/mnt/sfabric.conf unshare -m sh -c "
		mount -t tmpfs services /run && mount -t tmpfs services /var/lib &&
		mount -t tmpfs services /mnt && cp bin/* sfabric.conf /mnt && cd /mnt &&
		exec python3 \"\$@\"" sh "$SFAB_SRCDIR/tests/sim/services.py" \
		"$SFAB_SRCDIR/etc/systemd" /mnt/sfabric'

test_done
