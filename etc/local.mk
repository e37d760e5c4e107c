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
	etc/quickstart/slurm-tree \
	etc/quickstart/stop \
	etc/quickstart/test
# for Prometheus' rule_files and Grafana's provisioning
prometheusdir = $(pkgdatadir)/prometheus
dist_prometheus_DATA = etc/prometheus/sfabric.rules.yml
grafanadir = $(pkgdatadir)/grafana
dist_grafana_DATA = etc/grafana/sfabric.json etc/grafana/sfabric-jobs.json

# installed, not enabled; they start the command where it was installed
sfab_units = \
	etc/systemd/sfabric-collect.service \
	etc/systemd/sfabric-learn.service \
	etc/systemd/sfabric-metrics.service \
	etc/systemd/sfabric-metrics.timer \
	etc/systemd/sfabric-send.path \
	etc/systemd/sfabric-send.service \
	etc/systemd/sfabric-web.service \
	etc/systemd/sfabric-web.timer
EXTRA_DIST += $(sfab_units)
install-data-local:
	test -z '$(systemdsystemunitdir)' || { \
		$(MKDIR_P) '$(DESTDIR)$(systemdsystemunitdir)' && \
		for unit in $(sfab_units); do \
			sed 's|/usr/bin/sfabric |$(bindir)/sfabric |' \
				"$(srcdir)/$$unit" >sfab-unit.tmp && \
			$(INSTALL_DATA) sfab-unit.tmp \
				'$(DESTDIR)$(systemdsystemunitdir)'/$${unit##*/} || \
				exit 1; \
		done && rm -f sfab-unit.tmp; }
uninstall-local:
	test -z '$(systemdsystemunitdir)' || \
		for unit in $(sfab_units); do \
			rm -f '$(DESTDIR)$(systemdsystemunitdir)'/$${unit##*/}; \
		done
# rpmbuild -tb takes it from the tarball
EXTRA_DIST += etc/sfabric.spec etc/build-rpm
dist_doc_DATA += etc/opensm.conf.example etc/sfabric.conf.example

# slurmctld's drop-in: the command, and what it compares before each start: Slurm's files
# as of this build, then ours as installed.  Who changes ours later (strip) writes that
# last line again.
if HAVE_SLURM
sbin_SCRIPTS = etc/sfabric-slurm
CLEANFILES += etc/sfabric-slurm
sfab_folder = $(libdir)/sfabric
etc/sfabric-slurm: etc/sfabric-slurm.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	sed 's|@folder@|$(sfab_folder)|' $(srcdir)/etc/sfabric-slurm.in >$@.tmp && \
	chmod +x $@.tmp && mv $@.tmp $@
install-data-hook:
	$(MKDIR_P) '$(DESTDIR)$(sfab_folder)/stock'
	cd '$(DESTDIR)$(sfab_folder)' && ( \
		sed -n 's/^#define SLURM_VERSION_STRING *"\(.*\)"/# Slurm \1/p' \
			'$(SLURM_SOURCE)/config.h' && \
		cd '$(SLURM_PLUGINDIR)' && for file in "$$PWD"/select_cons_tres.so \
			"$$PWD"/libslurmfull.so "$${PWD%/*/*}/sbin/slurmctld" \
			"$${PWD%/*/*/*}/sbin/slurmctld"; do \
			test ! -f "$$file" || sha256sum "$$file" || exit 1; \
		done ) >sums && \
		sha256sum slurm/select_cons_tres.so >>sums
uninstall-hook:
	rm -f '$(DESTDIR)$(sfab_folder)/sums'
	-rmdir '$(DESTDIR)$(sfab_folder)/stock'
endif
EXTRA_DIST += etc/sfabric-slurm.in

# completion in bash and zsh, made of the option tables by way of --help
completiondir = $(datarootdir)/bash-completion/completions
completion_DATA = etc/completion/sfabric
zshdir = $(datarootdir)/zsh/site-functions
zsh_DATA = etc/completion/_sfabric
CLEANFILES += $(completion_DATA) $(zsh_DATA)
sfab_completion = \
	etc/completion/complete.bash \
	etc/completion/complete.zsh \
	etc/completion/generate \
	etc/completion/help.awk
EXTRA_DIST += $(sfab_completion)
sfab_complete = $(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(SHELL) $(srcdir)/etc/completion/generate tools/sfabric$(EXEEXT)
etc/completion/sfabric: tools/sfabric$(EXEEXT) $(sfab_completion)
	$(sfab_complete) bash >$@.tmp && mv $@.tmp $@
etc/completion/_sfabric: tools/sfabric$(EXEEXT) $(sfab_completion)
	$(sfab_complete) zsh >$@.tmp && mv $@.tmp $@
