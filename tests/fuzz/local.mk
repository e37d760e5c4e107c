# SPDX-License-Identifier: GPL-2.0-or-later
# A target is fuzz_NAME.c here with a corpus in tests/fuzz/corpus/NAME.
# `make check` replays the corpora; `make fuzz` looks for new inputs.
FUZZ_SECONDS = 60
fuzz_replay = tests/fuzz/replay.c tests/fuzz/fuzz.h
fuzz_read_any = $(fuzz_replay) tests/fuzz/read_any.c tests/fuzz/read_any.h

fuzz_edits = $(fuzz_replay) tests/fuzz/bytes.h tests/fuzz/edits.c tests/fuzz/edits.h \
	tests/fuzz/memo.h tests/fuzz/reseal.h tests/fuzz/trees.c tests/fuzz/trees.h

fuzz_programs = \
	tests/fuzz/fuzz_alive \
	tests/fuzz/fuzz_conf \
	tests/fuzz/fuzz_counters \
	tests/fuzz/fuzz_counts \
	tests/fuzz/fuzz_db_csv \
	tests/fuzz/fuzz_day \
	tests/fuzz/fuzz_declog \
	tests/fuzz/fuzz_far \
	tests/fuzz/fuzz_routes \
	tests/fuzz/fuzz_opa \
	tests/fuzz/fuzz_opa_linear \
	tests/fuzz/fuzz_opensm_log \
	tests/fuzz/fuzz_fdbs \
	tests/fuzz/fuzz_found \
	tests/fuzz/fuzz_history \
	tests/fuzz/fuzz_hostlist \
	tests/fuzz/fuzz_ibnetdiscover \
	tests/fuzz/fuzz_import \
	tests/fuzz/fuzz_joblist \
	tests/fuzz/fuzz_jobs \
	tests/fuzz/fuzz_lfts \
	tests/fuzz/fuzz_namemap \
	tests/fuzz/fuzz_place \
	tests/fuzz/fuzz_policy \
	tests/fuzz/fuzz_sbatch \
	tests/fuzz/fuzz_scontrol \
	tests/fuzz/fuzz_sacct \
	tests/fuzz/fuzz_snapshot \
	tests/fuzz/fuzz_subnet_lst \
	tests/fuzz/fuzz_tally \
	tests/fuzz/fuzz_topology_conf \
	tests/fuzz/fuzz_usage \
	tests/fuzz/fuzz_world

tests_fuzz_fuzz_usage_SOURCES = tests/fuzz/fuzz_usage.c $(fuzz_replay)
tests_fuzz_fuzz_usage_LDADD = $(io_link)
tests_fuzz_fuzz_alive_SOURCES = tests/fuzz/fuzz_alive.c $(fuzz_replay)
tests_fuzz_fuzz_alive_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_alive_LDADD = $(io_link)
tests_fuzz_fuzz_conf_SOURCES = tests/fuzz/fuzz_conf.c $(fuzz_replay)
tests_fuzz_fuzz_conf_LDADD = $(io_link)
tests_fuzz_fuzz_counters_SOURCES = tests/fuzz/fuzz_counters.c $(fuzz_replay)
tests_fuzz_fuzz_counters_LDADD = $(io_link)
tests_fuzz_fuzz_counts_SOURCES = tests/fuzz/fuzz_counts.c $(fuzz_read_any)
tests_fuzz_fuzz_counts_LDADD = $(io_link)
tests_fuzz_fuzz_joblist_SOURCES = tests/fuzz/fuzz_joblist.c $(fuzz_read_any)
tests_fuzz_fuzz_joblist_LDADD = $(tools_link)
tests_fuzz_fuzz_jobs_SOURCES = tests/fuzz/fuzz_jobs.c tests/fuzz/bytes.h $(fuzz_replay)
tests_fuzz_fuzz_jobs_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_jobs_LDADD = $(tools_link)
tests_fuzz_fuzz_db_csv_SOURCES = tests/fuzz/fuzz_db_csv.c $(fuzz_read_any)
tests_fuzz_fuzz_db_csv_LDADD = $(io_link)
tests_fuzz_fuzz_day_SOURCES = tests/fuzz/fuzz_day.c tools/web/day.c tools/web/day_chart.c \
	$(fuzz_replay)
tests_fuzz_fuzz_day_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_day_LDADD = $(tools_link)
tests_fuzz_fuzz_declog_SOURCES = tests/fuzz/fuzz_declog.c tools/log/past.c \
	tools/log/past_sums.c place/request/reason.c $(fuzz_replay)
tests_fuzz_fuzz_declog_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_declog_CFLAGS = $(AM_CFLAGS) $(JSONC_CFLAGS)
tests_fuzz_fuzz_declog_LDADD = $(tools_link)
tests_fuzz_fuzz_tally_SOURCES = tests/fuzz/fuzz_tally.c \
	tools/metrics/tally.c tools/metrics/tally_take.c \
	tools/log/past.c place/request/reason.c $(fuzz_replay)
tests_fuzz_fuzz_tally_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_tally_CFLAGS = $(AM_CFLAGS) $(JSONC_CFLAGS)
tests_fuzz_fuzz_tally_LDADD = $(tools_link)
tests_fuzz_fuzz_far_SOURCES = tests/fuzz/fuzz_far.c $(fuzz_read_any)
tests_fuzz_fuzz_far_LDADD = $(io_link)
tests_fuzz_fuzz_routes_SOURCES = tests/fuzz/fuzz_routes.c $(fuzz_read_any)
tests_fuzz_fuzz_routes_LDADD = $(io_link)
tests_fuzz_fuzz_opa_SOURCES = tests/fuzz/fuzz_opa.c $(fuzz_read_any)
tests_fuzz_fuzz_opa_LDADD = $(io_link)
tests_fuzz_fuzz_opa_linear_SOURCES = tests/fuzz/fuzz_opa_linear.c $(fuzz_read_any)
tests_fuzz_fuzz_opa_linear_LDADD = $(io_link)
tests_fuzz_fuzz_opensm_log_SOURCES = tests/fuzz/fuzz_opensm_log.c $(fuzz_read_any)
tests_fuzz_fuzz_opensm_log_LDADD = $(io_link)
tests_fuzz_fuzz_fdbs_SOURCES = tests/fuzz/fuzz_fdbs.c $(fuzz_read_any)
tests_fuzz_fuzz_fdbs_LDADD = $(io_link)
tests_fuzz_fuzz_found_SOURCES = tests/fuzz/fuzz_found.c $(fuzz_replay)
tests_fuzz_fuzz_found_LDADD = $(io_link)
tests_fuzz_fuzz_history_SOURCES = tests/fuzz/fuzz_history.c $(fuzz_replay)
tests_fuzz_fuzz_history_LDADD = $(io_link)
tests_fuzz_fuzz_hostlist_SOURCES = tests/fuzz/fuzz_hostlist.c $(fuzz_replay)
tests_fuzz_fuzz_hostlist_LDADD = $(io_link)
tests_fuzz_fuzz_ibnetdiscover_SOURCES = tests/fuzz/fuzz_ibnetdiscover.c $(fuzz_read_any)
tests_fuzz_fuzz_ibnetdiscover_LDADD = $(io_link)
tests_fuzz_fuzz_import_SOURCES = tests/fuzz/fuzz_import.c $(fuzz_replay)
tests_fuzz_fuzz_import_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_import_LDADD = $(io_link)
tests_fuzz_fuzz_lfts_SOURCES = tests/fuzz/fuzz_lfts.c $(fuzz_read_any)
tests_fuzz_fuzz_lfts_LDADD = $(io_link)
tests_fuzz_fuzz_namemap_SOURCES = tests/fuzz/fuzz_namemap.c $(fuzz_replay)
tests_fuzz_fuzz_namemap_LDADD = $(io_link)
tests_fuzz_fuzz_place_SOURCES = tests/fuzz/fuzz_place.c $(fuzz_edits)
tests_fuzz_fuzz_place_CFLAGS = $(AM_CFLAGS) -pthread
tests_fuzz_fuzz_place_LDADD = $(place_link)
tests_fuzz_fuzz_policy_SOURCES = tests/fuzz/fuzz_policy.c $(fuzz_replay)
tests_fuzz_fuzz_policy_LDADD = $(lua_link)
tests_fuzz_fuzz_sbatch_SOURCES = tests/fuzz/fuzz_sbatch.c $(fuzz_replay)
tests_fuzz_fuzz_sbatch_LDADD = $(tools_link)
tests_fuzz_fuzz_scontrol_SOURCES = tests/fuzz/fuzz_scontrol.c $(fuzz_replay)
tests_fuzz_fuzz_scontrol_LDADD = $(tools_link)
tests_fuzz_fuzz_sacct_SOURCES = tests/fuzz/fuzz_sacct.c $(fuzz_replay)
tests_fuzz_fuzz_sacct_LDADD = $(tools_link)
tests_fuzz_fuzz_snapshot_SOURCES = tests/fuzz/fuzz_snapshot.c \
	tests/fuzz/reseal.h $(fuzz_replay)
tests_fuzz_fuzz_snapshot_LDADD = $(io_link)
tests_fuzz_fuzz_subnet_lst_SOURCES = tests/fuzz/fuzz_subnet_lst.c $(fuzz_read_any)
tests_fuzz_fuzz_subnet_lst_LDADD = $(io_link)
tests_fuzz_fuzz_topology_conf_SOURCES = tests/fuzz/fuzz_topology_conf.c $(fuzz_replay)
tests_fuzz_fuzz_topology_conf_LDADD = $(tools_link)
tests_fuzz_fuzz_world_SOURCES = tests/fuzz/fuzz_world.c $(fuzz_edits)
tests_fuzz_fuzz_world_LDADD = $(io_link)

if HAVE_INFINIBAND
fuzz_programs += tests/fuzz/fuzz_adaptive tests/fuzz/fuzz_wire
tests_fuzz_fuzz_adaptive_SOURCES = tests/fuzz/fuzz_adaptive.c tests/fuzz/bytes.h \
	$(fuzz_replay)
tests_fuzz_fuzz_adaptive_LDADD = $(collect_link) $(io_link)
tests_fuzz_fuzz_wire_SOURCES = tests/fuzz/fuzz_wire.c tests/fuzz/bytes.h \
	tests/fuzz/mads.c tests/fuzz/mads.h $(fuzz_replay)
tests_fuzz_fuzz_wire_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
# the libraries below must find the functions of mads.c
tests_fuzz_fuzz_wire_CFLAGS = $(AM_CFLAGS) $(INFINIBAND_CFLAGS) -fvisibility=default
tests_fuzz_fuzz_wire_LDADD = $(collect_link) $(io_link)
endif

check_PROGRAMS += $(fuzz_programs)
TESTS += $(fuzz_programs)
EXTRA_DIST += tests/fuzz/build.sh tests/fuzz/coverage.sh tests/fuzz/run.sh \
	tests/fuzz/corpus

.PHONY: fuzz fuzz-coverage
fuzz:
	$(srcdir)/tests/fuzz/run.sh $(FUZZ_SECONDS)
# which lines the corpora reach, all targets together
fuzz-coverage:
	$(srcdir)/tests/fuzz/coverage.sh
