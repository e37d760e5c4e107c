# SPDX-License-Identifier: GPL-2.0-or-later
EXTRA_DIST += \
	etc/quickstart/apt-sources \
	etc/quickstart/build \
	etc/quickstart/count \
	etc/quickstart/debian-root \
	etc/quickstart/demo \
	etc/quickstart/demo-table.awk \
	etc/quickstart/lib.sh \
	etc/quickstart/packages \
	etc/quickstart/packages.list \
	etc/quickstart/slurm-source \
	etc/quickstart/stop \
	etc/quickstart/test
EXTRA_DIST += \
	etc/grafana/sfabric.json \
	etc/prometheus/sfabric.rules.yml \
	etc/systemd/sfabric-collect-once.service \
	etc/systemd/sfabric-collect-once.timer \
	etc/systemd/sfabric-collect.service \
	etc/systemd/sfabric-send.path \
	etc/systemd/sfabric-send.service
dist_doc_DATA += etc/opensm.conf.example etc/sfabric.conf.example
