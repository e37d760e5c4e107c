# SPDX-License-Identifier: GPL-2.0-or-later
# `make bench` prints tables and ratios; it never passes or fails
bench_programs = \
	tests/bench/arrival \
	tests/bench/cases \
	tests/bench/decision \
	tests/bench/io_quality \
	tests/bench/learn \
	tests/bench/orders \
	tests/bench/packings \
	tests/bench/loop \
	tests/bench/made_tables \
	tests/bench/states \
	tests/bench/swap \
	tests/bench/tables
check_PROGRAMS += $(bench_programs)
bench_lib = tests/bench/bench.c tests/bench/bench.h
bench_crowd = tests/bench/crowd.c tests/bench/crowd.h $(bench_lib)

tests_bench_arrival_SOURCES = tests/bench/arrival.c $(bench_lib)
tests_bench_arrival_LDADD = $(io_link)
tests_bench_cases_SOURCES = tests/bench/cases.c $(bench_crowd)
tests_bench_cases_LDADD = $(io_link)
tests_bench_decision_SOURCES = tests/bench/decision.c $(bench_lib)
tests_bench_decision_LDADD = $(io_link)
tests_bench_io_quality_SOURCES = tests/bench/io_quality.c $(bench_lib)
tests_bench_io_quality_LDADD = $(io_link)
bench_contention = tests/unit/fixtures/contention.c tests/unit/fixtures/contention.h
tests_bench_learn_SOURCES = tests/bench/learn.c tests/bench/curve.h $(bench_contention) $(bench_lib)
tests_bench_learn_LDADD = $(io_link)
tests_bench_orders_SOURCES = tests/bench/orders.c $(bench_lib)
tests_bench_orders_LDADD = $(io_link)
tests_bench_packings_SOURCES = tests/bench/packings.c $(bench_lib)
tests_bench_packings_LDADD = $(io_link)
tests_bench_loop_SOURCES = tests/bench/loop.c $(bench_contention) $(bench_lib)
tests_bench_loop_CFLAGS = $(AM_CFLAGS) $(JSONC_CFLAGS)
tests_bench_loop_LDADD = $(tools_link)
tests_bench_swap_SOURCES = tests/bench/swap.c $(bench_lib)
tests_bench_swap_CFLAGS = $(AM_CFLAGS) -pthread
tests_bench_swap_LDADD = $(place_link)
tests_bench_made_tables_SOURCES = tests/bench/made_tables.c \
	tools/synth/synth_spec.c tools/synth/synth_tree.c \
	tools/opensm/cabling_plan.c tools/opensm/netlist.c $(bench_lib)
tests_bench_made_tables_CFLAGS = $(AM_CFLAGS)
tests_bench_made_tables_LDADD = $(tools_link)
tests_bench_tables_SOURCES = tests/bench/tables.c $(bench_lib)
tests_bench_tables_LDADD = $(io_link)
tests_bench_states_SOURCES = tests/bench/states.c $(bench_crowd)
tests_bench_states_LDADD = $(io_link)

EXTRA_DIST += tests/bench/fabrics.sh tests/bench/io.sh tests/bench/far.sh \
	tests/bench/io_optimum.py tests/bench/io_summary.py \
	tests/bench/arrival.sh tests/bench/job_timer.c \
	tests/bench/live.sh tests/bench/orders.sh \
	tests/bench/tools.sh \
	tests/bench/sizes.sh tests/bench/slurm.sh tests/bench/speed.sh tests/bench/swap.sh tests/bench/replay.sh \
	tests/bench/replay_summary.py tests/bench/to128_log.awk
bench_run = SFAB_SRCDIR='$(abs_top_srcdir)' SFAB_BUILDDIR='$(abs_top_builddir)' \
	$(SHELL) $(top_srcdir)/tests/bench
bench_ready = $(bench_programs) tools/sfabric$(EXEEXT)

# every command on large fabrics; minutes, most of them in OpenSM
.PHONY: bench-tools
bench-tools: $(bench_ready)
	@$(bench_run)/tools.sh

.PHONY: bench bench-io bench-io-full bench-speed bench-growth
.PHONY: bench-replay bench-replay-full bench-swap
bench: bench-swap bench-speed bench-io bench-replay

# IO placement against the optimum: minutes, or all of it in pieces
bench-io: $(bench_ready)
	@$(bench_run)/io.sh quick
bench-io-busy: $(bench_ready)
	@$(bench_run)/io.sh busy
.PHONY: bench-io-busy
bench-io-full: $(bench_ready)
	@$(bench_run)/io.sh full || test $$? = 3

# thousands of jobs, against tree placement: minutes, or all of it in pieces
bench-replay: $(bench_ready) tests/slurm/make_snapshot$(EXEEXT)
	@$(bench_run)/replay.sh quick || test $$? = 3
bench-replay-full: $(bench_ready) tests/slurm/make_snapshot$(EXEEXT)
	@$(bench_run)/replay.sh full || test $$? = 3
# what jobs lose, waits and turnaround: hours, in pieces
.PHONY: bench-replay-loss
bench-replay-loss: $(bench_ready)
	@$(bench_run)/replay.sh loss || test $$? = 3

# what jobs lose under each packing of the machine, by playing streams; minutes
.PHONY: bench-packing
bench-packing: $(bench_ready)
	@$(bench_run)/speed.sh packing

# jobs that leave their number of nodes open; a minute
.PHONY: bench-sizes
bench-sizes: $(bench_ready)
	@$(bench_run)/sizes.sh

# what imports take, of up to 41,472 hosts; a quarter of an hour
.PHONY: bench-imports
bench-imports: $(bench_ready)
	@$(bench_run)/speed.sh imports

# what jobs send, found out from noisy counters; then jobs that are placed by it: half an
# hour
.PHONY: bench-learn bench-loop
bench-learn: $(bench_ready)
	@$(bench_run)/speed.sh learn
bench-loop: $(bench_ready)
	@$(bench_run)/speed.sh loop

# The figures of doc/limits.md, and where they come from: an hour on a quiet machine.
.PHONY: figures
figures: $(bench_ready)
	@printf 'on %s, %s CPUs, load %s, %s\n' \
		"$$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$$(nproc)" \
		"$$(cut -d' ' -f1 /proc/loadavg)" "$$(date +%F)"
	@for bench in speed swap live tools imports learn job-test slurm; do \
		echo "== make bench-$$bench"; $(MAKE) -s bench-$$bench || exit 1; done

# what new snapshots and reporting all jobs cost slurmctld; two minutes
bench-swap: tests/bench/swap$(EXEEXT) tests/slurm/make_snapshot$(EXEEXT)
	@$(bench_run)/swap.sh

# what the plugin costs slurmctld at 64, 640 and 5,120 nodes; in pieces
.PHONY: bench-slurm bench-job-test
bench-slurm: all-am tests/slurm/make_snapshot$(EXEEXT)
	@$(bench_run)/slurm.sh || test $$? = 3

# a decision in slurmctld beside Slurm's own for the same jobs; minutes
bench-job-test: all-am tests/slurm/make_snapshot$(EXEEXT) $(bench_timers)
	@$(bench_run)/slurm.sh tests

if HAVE_SLURM
# The same file in front of ours, and of Slurm's own (job_timer.c).
bench_timers = tests/bench/timed-ours/select_cons_tres.so \
	tests/bench/timed-stock/select_cons_tres.so
bench_timer = $(CC) $(AM_CFLAGS) $(CFLAGS) -fvisibility=default -fPIC -shared -Wl,-soname,job_timer.so
tests/bench/timed-ours/select_cons_tres.so: tests/bench/job_timer.c $(slurm_plugin)
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_at)ln -sf $(abs_builddir)/$(slurm_plugin) $(@D)/sfabric_select.so
	$(AM_V_CCLD)$(bench_timer) -o $@ $(srcdir)/tests/bench/job_timer.c \
		-Wl,--no-as-needed $(@D)/sfabric_select.so -Wl,-rpath,'$$ORIGIN' \
		-Wl,--allow-shlib-undefined -Wl,-rpath-link,$(SLURM_PLUGINDIR)
tests/bench/timed-stock/select_cons_tres.so: tests/bench/job_timer.c
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_CCLD)$(bench_timer) -o $@ $(srcdir)/tests/bench/job_timer.c \
		-Wl,--no-as-needed -L$(SLURM_PLUGINDIR) -l:select_cons_tres.so \
		-Wl,-rpath,$(SLURM_PLUGINDIR) -Wl,--allow-shlib-undefined
CLEANFILES += $(bench_timers) tests/bench/timed-ours/sfabric_select.so
endif

# what OpenSM's plugin and the collector cost at 5,184 hosts; minutes
.PHONY: bench-live
bench-live: all-am
	@$(bench_run)/live.sh

# decisions, reading of tables, counts against ibdmchk; then how it all grows
bench-speed: $(bench_ready)
	@$(bench_run)/speed.sh decisions tables
# orders of nodes against those of names and leaves
.PHONY: bench-order
bench-order: $(bench_ready)
	@$(bench_run)/orders.sh
bench-states: $(bench_ready)
	@$(bench_run)/speed.sh states
# a writer among MPI jobs; two minutes
.PHONY: bench-io-mpi
bench-io-mpi: $(bench_ready)
	@$(bench_run)/arrival.sh
# is a plain row of place ever better than the choice? minutes
.PHONY: bench-cases
bench-cases: $(bench_ready)
	@$(bench_run)/speed.sh cases
bench-far: $(bench_ready)
	@$(bench_run)/far.sh
.PHONY: bench-far
bench-growth: $(bench_ready)
	@$(bench_run)/speed.sh growth
