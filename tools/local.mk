# SPDX-License-Identifier: GPL-2.0-or-later
# the `sfabric` command: one file a subcommand, rows in main.c; what they share
# is a library, so that unit tests can have it too
noinst_LTLIBRARIES += tools/libtools.la
tools_libtools_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tools_libtools_la_CFLAGS = $(AM_CFLAGS) $(SMARTCOLS_CFLAGS) $(JSONC_CFLAGS) \
	$(YAML_CFLAGS) $(CAIRO_CFLAGS) $(LIBELF_CFLAGS)
tools_libtools_la_LIBADD = io/libread.la io/libio.la core/libcore.la \
	$(SMARTCOLS_LIBS) $(JSONC_LIBS) $(YAML_LIBS) $(CAIRO_LIBS) \
	$(LIBELF_LIBS) -lm
tools_libtools_la_SOURCES = \
	tools/batch_script.c \
	tools/batch_script.h \
	tools/cluster.c \
	tools/color.c \
	tools/color.h \
	tools/cluster.h \
	tools/duration.c \
	tools/duration.h \
	tools/elf.c \
	tools/elf.h \
	tools/explain/declog.c \
	tools/explain/declog.h \
	tools/devices.c \
	tools/devices.h \
	tools/features.c \
	tools/features.h \
	tools/hint.c \
	tools/hint.h \
	tools/hosts.c \
	tools/hosts.h \
	tools/job_ask.c \
	tools/job_ask.h \
	tools/job_beside.c \
	tools/job_nodes.c \
	tools/job_reserved.c \
	tools/job_numbers.c \
	tools/joblist.c \
	tools/joblist.h \
	tools/json.c \
	tools/json.h \
	tools/link_counters.c \
	tools/link_counters.h \
	tools/linkload.c \
	tools/linkload.h \
	tools/number.c \
	tools/number.h \
	tools/options.c \
	tools/options.h \
	tools/output.c \
	tools/output.h \
	tools/plot/canvas.h \
	tools/plot/colour.c \
	tools/plot/colour.h \
	tools/plot/labels.c \
	tools/plot/labels.h \
	tools/plot/leaves.c \
	tools/plot/leaves.h \
	tools/plot/list.c \
	tools/plot/list.h \
	tools/plot/page.c \
	tools/plot/page.h \
	tools/plot/picture.c \
	tools/plot/picture.h \
	tools/plot/picture_svg.c \
	tools/plot/ports.c \
	tools/plot/ports.h \
	tools/plot/sheet.c \
	tools/plot/sheet.h \
	tools/plot/terminal.c \
	tools/plot/terminal.h \
	tools/printable.c \
	tools/printable.h \
	tools/program.c \
	tools/program.h \
	tools/say.c \
	tools/say.h \
	tools/sbatch.c \
	tools/sbatch.h \
	tools/sbatch_options.c \
	tools/jobtext.c \
	tools/jobtext.h \
	tools/scontrol.c \
	tools/scontrol.h \
	tools/scontrol_fields.c \
	tools/scontrol_private.h \
	tools/shell.c \
	tools/shell.h \
	tools/slurmfacts.c \
	tools/slurmfacts.h \
	tools/table.c \
	tools/table.h \
	tools/table_print.c \
	tools/table_private.h \
	tools/spelling.c \
	tools/spelling.h \
	tools/topology_conf.c \
	tools/topology_conf.h \
	tools/topology_yaml.c \
	tools/verify.c \
	tools/verify.h \
	tools/warnings.c \
	tools/warnings.h

if HAVE_CAIRO
tools_libtools_la_SOURCES += tools/plot/picture_png.c
else
tools_libtools_la_SOURCES += tools/plot/picture_nopng.c
endif

# style and script of a page, as C texts
EXTRA_DIST += tools/plot/page.css tools/plot/page.js
BUILT_SOURCES += tools/plot/page_parts.inc
CLEANFILES += tools/plot/page_parts.inc
tools/plot/page_parts.inc: tools/plot/page.css tools/plot/page.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for part in css js; do \
		echo "static const char page_$$part[] =" && \
		sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' \
			$(srcdir)/tools/plot/page.$$part && echo ';'; \
	done >$@.tmp && mv $@.tmp $@

bin_PROGRAMS += tools/sfabric
tools_sfabric_CPPFLAGS = $(tools_libtools_la_CPPFLAGS)
tools_sfabric_CFLAGS = $(tools_libtools_la_CFLAGS)
tools_sfabric_LDADD = core/libaudit.la tools/replay/libreplay.la \
	plugin/place/libplace.la \
	lua/libpolicy.la \
	tools/libtools.la
# replay: its own library, so that unit tests and fuzz targets can have it
noinst_LTLIBRARIES += tools/replay/libreplay.la
tools_replay_libreplay_la_LIBADD = plugin/place/libplace.la lua/libpolicy.la io/libread.la io/libio.la core/libcore.la -lm
tools_replay_libreplay_la_SOURCES = \
	tools/replay/calibrate.c \
	tools/replay/calibrate.h \
	tools/replay/easy.c \
	tools/replay/easy.h \
	tools/replay/lublin.c \
	tools/replay/lublin.h \
	tools/replay/mix.c \
	tools/replay/mix.h \
	tools/replay/outlook.c \
	tools/replay/outlook.h \
	tools/replay/random.c \
	tools/replay/random.h \
	tools/replay/sacct.c \
	tools/replay/sim.c \
	tools/replay/sim.h \
	tools/replay/stats.c \
	tools/replay/stats.h \
	tools/replay/swf.c \
	tools/replay/trace.c \
	tools/replay/trace.h \
	tools/replay/workload.c \
	tools/replay/workload.h \
	tools/replay/world.c \
	tools/replay/world.h

tools_sfabric_SOURCES = \
	tools/answer.c \
	tools/answer.h \
	tools/audit.c \
	tools/audit.h \
	tools/audit_print.c \
	tools/check.c \
	tools/check.h \
	tools/check_fabric.c \
	tools/check_plugin.c \
	tools/explain/explain.c \
	tools/explain/explain.h \
	tools/explain/shared.c \
	tools/explain/then.c \
	tools/explain/verify.c \
	tools/command.h \
	tools/counted.c \
	tools/counted.h \
	tools/import.c \
	tools/import_counters.c \
	tools/import_counters.h \
	tools/import_io.c \
	tools/import_io.h \
	tools/import_route.c \
	tools/import_route.h \
	tools/job_options.c \
	tools/job_options.h \
	tools/kind.c \
	tools/kind.h \
	tools/link_columns.c \
	tools/link_columns.h \
	tools/load.c \
	tools/main.c \
	tools/metrics.c \
	tools/outcome.c \
	tools/outcome.h \
	tools/place.c \
	tools/place_slurm.c \
	tools/place_slurm.h \
	tools/planner.c \
	tools/policy.c \
	tools/planner.h \
	tools/plot/draw.c \
	tools/plot/draw.h \
	tools/plot/links.c \
	tools/plot/links.h \
	tools/plot/plot.c \
	tools/predict.c \
	tools/preview.c \
	tools/preview.h \
	tools/preview_answer.c \
	tools/preview_print.c \
	tools/preview_steps.c \
	tools/preview_steps.h \
	tools/replay/play.c \
	tools/replay/print.c \
	tools/replay/replay.c \
	tools/replay/replay.h \
	tools/progress.c \
	tools/progress.h \
	tools/receive.c \
	tools/rotate.c \
	tools/route.c \
	tools/set.c \
	tools/set.h \
	tools/show.c \
	tools/show.h \
	tools/show_classes.c \
	tools/show_counters.c \
	tools/show_jobs.c \
	tools/show_tables.c \
	tools/site.c \
	tools/site.h \
	tools/slurm.c \
	tools/slurm.h \
	tools/synth.c \
	tools/synth.h \
	tools/synth_spec.c \
	tools/synth_tree.c \
	tools/top/hot.c \
	tools/top/hot.h \
	tools/top/screen.c \
	tools/top/screen.h \
	tools/top/top.c \
	tools/topology.c \
	tools/topology.h \
	tools/topology_diff.c \
	tools/topology_lint.c \
	tools/topology_make.c \
	tools/topology_print.c \
	tools/topology_private.h \
	tools/words.c \
	tools/words.h \
	tools/whatif.c \
	tools/whatif/agree.c \
	tools/whatif/agree.h \
	tools/whatif/candidates.c \
	tools/whatif/candidates.h \
	tools/whatif/compare.c \
	tools/whatif/compare.h \
	tools/whatif/daemon.c \
	tools/whatif/daemon.h \
	tools/whatif/facts.c \
	tools/whatif/facts.h \
	tools/whatif/jobs.c \
	tools/whatif/jobs.h \
	tools/whatif/netlist.c \
	tools/whatif/plan.c \
	tools/whatif/plan.h \
	tools/whatif/plot.c \
	tools/whatif/plot.h \
	tools/whatif/reroute.c \
	tools/whatif/reroute.h \
	tools/whatif/simulate.c \
	tools/whatif/simulate.h \
	tools/whatif/suggest.c \
	tools/whatif/suggest.h \
	tools/whatif/suggest_print.c \
	tools/whatif/suggest_print.h \
	tools/whatif/wish.c \
	tools/whatif/wish.h

# the one command that needs InfiniBand's libraries
if HAVE_INFINIBAND
tools_sfabric_LDADD += io/libcollect.la
tools_sfabric_SOURCES += tools/collect.c tools/collector.c tools/collector.h
endif
