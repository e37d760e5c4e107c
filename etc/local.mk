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
# rpmbuild -tb takes it from the tarball
EXTRA_DIST += etc/sfabric.spec
dist_doc_DATA += etc/opensm.conf.example etc/sfabric.conf.example

# bash completion, made of the option tables by way of --help
completiondir = $(datarootdir)/bash-completion/completions
completion_DATA = etc/completion/sfabric
CLEANFILES += etc/completion/sfabric
sfab_completion = \
	etc/completion/complete.bash \
	etc/completion/generate \
	etc/completion/help.awk
EXTRA_DIST += $(sfab_completion)
etc/completion/sfabric: tools/sfabric$(EXEEXT) $(sfab_completion)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(SHELL) $(srcdir)/etc/completion/generate tools/sfabric$(EXEEXT) \
		>$@.tmp && mv $@.tmp $@
