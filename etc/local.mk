# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += \
	etc/quickstart/apt-sources \
	etc/quickstart/build \
	etc/quickstart/count \
	etc/quickstart/demo \
	etc/quickstart/demo-table.awk \
	etc/quickstart/lib.sh \
	etc/quickstart/packages \
	etc/quickstart/packages.list \
	etc/quickstart/slurm-source \
	etc/quickstart/stop \
	etc/quickstart/test
dist_doc_DATA += etc/sfabric.conf.example
