# SPDX-License-Identifier: GPL-2.0-or-later
# the `sfabric` command: one file a subcommand, rows in main.c; what they share
# is a library, so that unit tests can have it too
tools_link = tools/replay/libreplay.a tools/libtools.a $(place_link) \
	$(SMARTCOLS_LIBS) $(JSONC_LIBS) $(YAML_LIBS)
noinst_LIBRARIES += tools/libtools.a
tools_libtools_a_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tools_libtools_a_CFLAGS = $(AM_CFLAGS) $(SMARTCOLS_CFLAGS) $(JSONC_CFLAGS) \
	$(YAML_CFLAGS)
tools_libtools_a_SOURCES = \
	tools/learn/follow.c \
	tools/learn/follow.h \
	tools/learn/learn_jobs.c \
	tools/learn/learn_jobs.h \
	tools/learn/learn_tables.c \
	tools/learn/learn_usage.c \
	tools/learn/learn_usage.h \
	tools/learn/learn_tables.h \
	tools/learn/learner.c \
	tools/learn/learner.h \
	tools/log/declog.c \
	tools/log/declog.h \
	tools/plot/canvas.h \
	tools/plot/labels.c \
	tools/plot/labels.h \
	tools/plot/link_values.c \
	tools/plot/link_values.h \
	tools/plot/palette.c \
	tools/plot/palette.h \
	tools/plot/picture.c \
	tools/plot/picture.h \
	tools/plot/picture_cells.c \
	tools/plot/picture_svg.c \
	tools/plot/port_sheet.c \
	tools/plot/port_sheet.h \
	tools/plot/sheet.c \
	tools/plot/sheet.h \
	tools/plot/picture_terminal.c \
	tools/plot/picture_terminal.h \
	tools/site/hosts.c \
	tools/site/hosts.h \
	tools/site/jobs_by_link.c \
	tools/site/jobs_by_link.h \
	tools/site/joblist.c \
	tools/site/joblist.h \
	tools/site/linkload.c \
	tools/site/linkload.h \
	tools/site/roles.c \
	tools/site/roles.h \
	tools/site/hostset.c \
	tools/site/hostset.h \
	tools/site/warnings.c \
	tools/site/warnings.h \
	tools/site/site_counters.c \
	tools/site/site_counters.h \
	tools/slurm/batch_script.c \
	tools/slurm/batch_script.h \
	tools/slurm/cluster.c \
	tools/slurm/cluster.h \
	tools/slurm/gres_text.c \
	tools/slurm/gres_text.h \
	tools/slurm/hint.c \
	tools/slurm/hint.h \
	tools/slurm/job_ask.c \
	tools/slurm/job_ask.h \
	tools/slurm/job_sharing.c \
	tools/slurm/job_sharing.h \
	tools/slurm/job_kept.c \
	tools/slurm/job_nodes.c \
	tools/slurm/job_nodes.h \
	tools/slurm/job_numbers.c \
	tools/slurm/jobtext.c \
	tools/slurm/jobtext.h \
	tools/slurm/program.c \
	tools/slurm/program.h \
	tools/slurm/sacct_rows.c \
	tools/slurm/sacct_rows.h \
	tools/slurm/sbatch.c \
	tools/slurm/sbatch.h \
	tools/slurm/sbatch_options.c \
	tools/slurm/scontrol.c \
	tools/slurm/scontrol.h \
	tools/slurm/scontrol_fields.c \
	tools/slurm/scontrol_private.h \
	tools/slurm/slurm_rules.c \
	tools/slurm/slurm_rules.h \
	tools/slurm/slurmfacts.c \
	tools/slurm/slurmfacts.h \
	tools/topology/topology_conf.c \
	tools/topology/topology_yaml_read.c \
	tools/ui/duration.c \
	tools/ui/duration.h \
	tools/ui/json.c \
	tools/ui/json.h \
	tools/ui/link_columns.c \
	tools/ui/link_columns.h \
	tools/ui/moment.c \
	tools/ui/moment.h \
	tools/ui/number.c \
	tools/ui/number.h \
	tools/ui/options.c \
	tools/ui/options.h \
	tools/ui/output.c \
	tools/ui/output.h \
	tools/ui/printable.c \
	tools/ui/printable.h \
	tools/ui/reply.c \
	tools/ui/reply.h \
	tools/ui/say.c \
	tools/ui/say.h \
	tools/ui/shell.c \
	tools/ui/shell.h \
	tools/ui/short_name.c \
	tools/ui/short_name.h \
	tools/ui/status.h \
	tools/ui/table.c \
	tools/ui/table.h \
	tools/ui/table_print.c \
	tools/ui/table_private.h \
	tools/ui/xalloc.c \
	tools/ui/xalloc.h

# style of the live page, as a C text
EXTRA_DIST += tools/web/live.css
BUILT_SOURCES += tools/web/live_style.inc
CLEANFILES += tools/web/live_style.inc
tools/web/live_style.inc: tools/web/live.css
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { \
		echo "static const char live_css[] =" && \
		sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' \
			$(srcdir)/tools/web/live.css && echo ';'; \
	} >$@.tmp && mv $@.tmp $@

bin_PROGRAMS += tools/sfabric
tools_sfabric_CPPFLAGS = $(tools_libtools_a_CPPFLAGS)
tools_sfabric_CFLAGS = $(tools_libtools_a_CFLAGS)
tools_sfabric_LDADD = $(collect_link) $(tools_link)
# replay: its own library, so that unit tests and fuzz targets can have it
noinst_LIBRARIES += tools/replay/libreplay.a
tools_replay_libreplay_a_SOURCES = \
	tools/replay/calibrate.c \
	tools/replay/loss_judge.c \
	tools/replay/loss_judge.h \
	tools/replay/lublin.c \
	tools/replay/machine.c \
	tools/replay/machine.h \
	tools/replay/mix.c \
	tools/replay/mix.h \
	tools/replay/sim.c \
	tools/replay/sim.h \
	tools/replay/stats.c \
	tools/replay/stats.h \
	tools/replay/trace.c \
	tools/replay/trace.h \
	tools/replay/workload.c \
	tools/replay/workload.h

tools_sfabric_SOURCES = \
	tools/check/check.c \
	tools/check/check.h \
	tools/check/check_feedback.c \
	tools/check/check_plugin.c tools/check/check_spank.c \
	tools/check/check_site.c \
	tools/audit/audit_print.c \
	tools/audit/audit_site.c \
	tools/audit/audit_site.h \
	tools/cmd/cmd.h \
	tools/cmd/cmd_audit.c \
	tools/cmd/cmd_check.c \
	tools/cmd/cmd_explain.c \
	tools/cmd/cmd_import.c \
	tools/cmd/cmd_learn.c \
	tools/cmd/cmd_load.c \
	tools/cmd/cmd_metrics.c \
	tools/cmd/cmd_place.c \
	tools/cmd/cmd_plot.c \
	tools/cmd/cmd_policy.c \
	tools/cmd/cmd_order.c \
	tools/cmd/cmd_predict.c \
	tools/cmd/cmd_receive.c \
	tools/cmd/cmd_replay.c \
	tools/cmd/cmd_report.c \
	tools/cmd/cmd_rotate.c \
	tools/cmd/cmd_route.c \
	tools/cmd/cmd_show.c \
	tools/cmd/cmd_synth.c \
	tools/cmd/cmd_top.c \
	tools/cmd/cmd_topology.c \
	tools/cmd/cmd_web.c \
	tools/cmd/cmd_whatif.c \
	tools/explain/explain.h \
	tools/explain/reconstruct.c \
	tools/explain/verify.c \
	tools/metrics/tally.c \
	tools/metrics/tally.h \
	tools/metrics/tally_log.c \
	tools/metrics/tally_take.c \
	tools/import/import.h \
	tools/import/import_counters.c \
	tools/import/import_io.c \
	tools/import/import_read.c \
	tools/import/import_route.c \
	tools/log/past.c \
	tools/log/past.h \
	tools/log/past_sums.c \
	tools/log/past_sums.h \
	tools/log/past_tables.c \
	tools/log/past_tables.h \
	tools/main.c \
	tools/opensm/cabling_plan.c \
	tools/opensm/cabling_plan.h \
	tools/opensm/change.c \
	tools/opensm/change.h \
	tools/opensm/daemon.c \
	tools/opensm/daemon.h \
	tools/opensm/ibsim_tables.c \
	tools/opensm/ibsim_tables.h \
	tools/opensm/netlist.c \
	tools/opensm/regroup.c \
	tools/opensm/regroup.h \
	tools/opensm/reroute.c \
	tools/opensm/reroute.h \
	tools/opensm/simulate.c \
	tools/opensm/simulate.h \
	tools/plot/job_collisions.c \
	tools/plot/job_collisions.h \
	tools/plot/job_picture.c \
	tools/plot/job_picture.h \
	tools/preview/preview.c \
	tools/preview/preview.h \
	tools/preview/advice.c \
	tools/preview/advice.h \
	tools/preview/preview_certificate.c \
	tools/preview/preview_context.c \
	tools/preview/preview_context.h \
	tools/preview/preview_print.c \
	tools/preview/preview_steps.c \
	tools/preview/slurm_service.c \
	tools/report/links_report.c \
	tools/report/links_report.h \
	tools/replay/replay_play.c \
	tools/replay/replay_print.c \
	tools/replay/replay.h \
	tools/show/show.h \
	tools/show/show_classes.c \
	tools/show/show_counters.c \
	tools/show/show_jobs.c \
	tools/show/show_packing.c \
	tools/show/show_tables.c \
	tools/site/site.c \
	tools/site/site.h \
	tools/site/slurm_nodes.c \
	tools/slurm/job_options.c \
	tools/slurm/job_options.h \
	tools/synth/synth.h \
	tools/synth/synth_spec.c \
	tools/synth/synth_tree.c \
	tools/top/hot_links.c \
	tools/top/hot_links.h \
	tools/topology/topology.h \
	tools/topology/topology_diff.c \
	tools/topology/topology_make.c \
	tools/topology/topology_print.c \
	tools/ui/answer.c \
	tools/ui/answer.h \
	tools/ui/kind.h \
	tools/web/day.c \
	tools/web/day.h \
	tools/web/day_chart.c \
	tools/web/live.c \
	tools/web/live.h \
	tools/web/live_page.c \
	tools/web/live_report.c \
	tools/whatif/candidates.c \
	tools/whatif/candidates.h \
	tools/whatif/compare.c \
	tools/whatif/compare.h \
	tools/whatif/fidelity.c \
	tools/whatif/fidelity.h \
	tools/whatif/routing_facts.c \
	tools/whatif/routing_facts.h \
	tools/whatif/suggest.c \
	tools/whatif/suggest.h \
	tools/whatif/suggest_print.c

# the one command that needs InfiniBand's libraries
if HAVE_INFINIBAND
tools_sfabric_SOURCES += tools/cmd/cmd_collect.c tools/collect/collector.c tools/collect/collector.h
endif
