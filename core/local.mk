# SPDX-License-Identifier: GPL-2.0-or-later
# What a program is linked with: a room, then all rooms below it.  An archive has only
# its own room, so that a changed file makes no archive but one.
core_link = core/libaudit.a core/libestimate.a core/libpredict.a core/libcore.a -lm
noinst_LIBRARIES += core/libcore.a
core_libcore_a_SOURCES = \
	core/arena.c \
	core/arena.h \
	core/ascending.h \
	core/is_digit.h \
	core/resize.h \
	core/disjoint.h \
	core/err.c \
	core/err.h \
	core/fabric/fabric_arrays.h \
	core/fabric/builder.c \
	core/fabric/builder.h \
	core/fabric/builder_adaptive.c \
	core/fabric/builder_group.c \
	core/fabric/builder_names.c \
	core/fabric/builder_private.h \
	core/fabric/counts.c \
	core/fabric/fabric.c \
	core/fabric/fabric.h \
	core/fabric/freeze.c \
	core/fabric/index.c \
	core/fabric/lid_pages.c \
	core/fabric/lid_pages.h \
	core/fabric/lid_walk.c \
	core/fabric/lid_walk.h \
	core/fabric/lmc.c \
	core/fabric/io_guess.c \
	core/fabric/io_guess.h \
	core/fabric/fabric_merge.c \
	core/fabric/fabric_merge.h \
	core/fabric/paths.c \
	core/fabric/paths.h \
	core/fabric/route.c \
	core/fabric/route.h \
	core/fabric/tree.c \
	core/fabric/tree.h \
	core/fabric/unreachable.c \
	core/load/certificate.c \
	core/load/certificate.h \
	core/load/port_classes.c \
	core/load/port_classes.h \
	core/load/demand.c \
	core/load/demand.h \
	core/load/demand_io.c \
	core/load/demand_private.h \
	core/load/fan_in.c \
	core/load/fan_in.h \
	core/load/ioset.c \
	core/load/ioset.h \
	core/load/jobs.c \
	core/load/jobs.h \
	core/load/jobs_lost.c \
	core/load/jobs_private.h \
	core/load/load.c \
	core/load/load.h \
	core/load/measured.c \
	core/load/measured.h \
	core/load/model.c \
	core/load/model.h \
	core/load/pattern.c \
	core/load/pattern.h \
	core/load/phases.c \
	core/load/phases.h \
	core/load/served.c \
	core/load/stepper.c \
	core/load/stepper.h \
	core/load/stepper_bound.c \
	core/load/stepper_private.h \
	core/load/stepper_walk.c \
	core/load/traffic.c \
	core/load/traffic.h \
	core/random.h \
	core/same_text.h \
	core/search/baseline.c \
	core/search/slurm_tree.c \
	core/search/class_grid.c \
	core/search/class_grid.h \
	core/search/few_leaves.c \
	core/search/footprint.c \
	core/search/footprint.h \
	core/search/footprint_private.h \
	core/search/footprint_sum.c \
	core/search/greedy.c \
	core/search/greedy.h \
	core/search/order.c \
	core/search/order.h \
	core/search/order_private.h \
	core/search/order_walk.c \
	core/search/packing.c \
	core/search/packing.h \
	core/search/play_stream.c \
	core/search/play_stream.h \
	core/search/local_search.c \
	core/search/pool.c \
	core/search/pool.h \
	core/search/propose.c \
	core/search/propose.h \
	core/search/stripes.c core/search/even_rows.c \
	core/search/stripes.h core/search/even_rows.h \
	core/search/score.c \
	core/search/score.h \
	core/search/search.c \
	core/search/search.h \
	core/search/search_io.c \
	core/search/sizes.c \
	core/search/sizes.h \
	core/utf8.c \
	core/uint.h \
	core/utf8.h

# the rates that jobs would get: slurmctld has no use for them
noinst_LIBRARIES += core/libpredict.a
core_libpredict_a_SOURCES = \
	core/predict/bundles.c \
	core/predict/bundles.h \
	core/predict/flows.c \
	core/predict/flows.h \
	core/predict/maxmin.c \
	core/predict/maxmin.h \
	core/predict/pairs.c \
	core/predict/pairs.h \
	core/predict/predict.c \
	core/predict/predict.h \
	core/predict/throughput.c \
	core/predict/throughput.h

# the audit is for the command only: what goes into slurmctld has no use for it
noinst_LIBRARIES += core/libaudit.a
core_libaudit_a_SOURCES = \
	core/audit/audit.c \
	core/audit/audit.h \
	core/audit/audit_hosts.c \
	core/audit/audit_io.c \
	core/audit/audit_links.c \
	core/audit/audit_private.h \
	core/audit/audit_rates.c \
	core/audit/audit_routes.c \
	core/audit/audit_spines.c \
	core/audit/audit_findings.c \
	core/audit/audit_lanes.c \
	core/audit/audit_static.c \
	core/audit/io_mixing.c \
	core/audit/io_moves.c \
	core/audit/io_moves.h

# what jobs send, found out by counters: outside slurmctld
noinst_LIBRARIES += core/libestimate.a
core_libestimate_a_SOURCES = \
	core/estimate/offered_load.c \
	core/estimate/offered_load.h \
	core/estimate/class_choice.c \
	core/estimate/class_choice.h \
	core/estimate/class_fit.c \
	core/estimate/class_fit.h \
	core/estimate/estimate.c \
	core/estimate/estimate.h \
	core/estimate/estimate_private.h \
	core/estimate/job_answers.c \
	core/estimate/job_answers.h \
	core/estimate/job_columns.c \
	core/estimate/job_columns.h \
	core/estimate/link_weights.c \
	core/estimate/link_weights.h \
	core/estimate/nnls.c \
	core/estimate/nnls.h \
	core/estimate/pick_jobs.c \
	core/estimate/pick_jobs.h \
	core/estimate/share_errors.c \
	core/estimate/share_errors.h \
	core/estimate/steady_rates.c \
	core/estimate/steady_rates.h
