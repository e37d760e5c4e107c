# SPDX-License-Identifier: GPL-2.0-or-later
# `make bench` prints tables and ratios; it never passes or fails
bench_programs = tests/bench/io_quality tests/bench/snapshot
EXTRA_PROGRAMS += $(bench_programs)
CLEANFILES += $(bench_programs)
bench_lib = tests/bench/bench.c tests/bench/bench.h
bench_link = io/libread.la io/libio.la core/libcore.la

tests_bench_io_quality_SOURCES = tests/bench/io_quality.c $(bench_lib)
tests_bench_io_quality_LDADD = $(bench_link)
tests_bench_snapshot_SOURCES = tests/bench/snapshot.c $(bench_lib)
tests_bench_snapshot_LDADD = $(bench_link)

EXTRA_DIST += tests/bench/fabrics.sh tests/bench/io.sh \
	tests/bench/io_optimum.py tests/bench/io_summary.py
bench_run = SFAB_SRCDIR='$(abs_top_srcdir)' SFAB_BUILDDIR='$(abs_top_builddir)' \
	$(SHELL) $(top_srcdir)/tests/bench

.PHONY: bench bench-io bench-io-full bench-snapshot
bench: bench-snapshot bench-io

# IO placement against the optimum: minutes, or all of it in pieces
bench-io: $(bench_programs) tools/sfabric$(EXEEXT)
	@$(bench_run)/io.sh quick
bench-io-full: $(bench_programs) tools/sfabric$(EXEEXT)
	@$(bench_run)/io.sh full || test $$? = 3

# time and memory of slurmctld's loader; seconds
bench-snapshot: tests/bench/snapshot$(EXEEXT)
	@tests/bench/snapshot$(EXEEXT)
