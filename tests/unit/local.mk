# SPDX-License-Identifier: GPL-2.0-or-later
# One program a source file; each prints TAP.
#
# A new test is one line of unit_tests.  All are linked with everything; the linker
# takes what a test needs.
if HAVE_CHECK
unit_tests = \
	tests/unit/test_ahead \
	tests/unit/test_alive \
	tests/unit/test_audit \
	tests/unit/test_batch_script \
	tests/unit/test_classes \
	tests/unit/test_conf \
	tests/unit/test_conf_files \
	tests/unit/test_counters \
	tests/unit/test_counters_follow \
	tests/unit/test_counts \
	tests/unit/test_counts_files \
	tests/unit/test_demand \
	tests/unit/test_devices \
	tests/unit/test_duration \
	tests/unit/test_elf \
	tests/unit/test_file \
	tests/unit/test_hash \
	tests/unit/test_herding \
	tests/unit/test_hostlist \
	tests/unit/test_iovec \
	tests/unit/test_jobs \
	tests/unit/test_jobtext \
	tests/unit/test_link_counters \
	tests/unit/test_linkload \
	tests/unit/test_lmc \
	tests/unit/test_measured \
	tests/unit/test_memory \
	tests/unit/test_memory_io \
	tests/unit/test_merge \
	tests/unit/test_namemap \
	tests/unit/test_nodedesc \
	tests/unit/test_opensm_keeper \
	tests/unit/test_opensm_options \
	tests/unit/test_opensm_totals \
	tests/unit/test_output \
	tests/unit/test_paths \
	tests/unit/test_place \
	tests/unit/test_place_comment \
	tests/unit/test_place_count \
	tests/unit/test_place_loader \
	tests/unit/test_place_logring \
	tests/unit/test_place_measured \
	tests/unit/test_place_modes \
	tests/unit/test_place_news \
	tests/unit/test_place_ready \
	tests/unit/test_place_request \
	tests/unit/test_place_running \
	tests/unit/test_place_soak \
	tests/unit/test_place_swap \
	tests/unit/test_place_telling \
	tests/unit/test_place_waits \
	tests/unit/test_place_watchdog \
	tests/unit/test_plane \
	tests/unit/test_plot \
	tests/unit/test_printable \
	tests/unit/test_program \
	tests/unit/test_rate \
	tests/unit/test_reader \
	tests/unit/test_reader_db_csv \
	tests/unit/test_reader_far \
	tests/unit/test_reader_fdbs \
	tests/unit/test_reader_ibnetdiscover \
	tests/unit/test_reader_lfts \
	tests/unit/test_reader_opa \
	tests/unit/test_reader_opensm_log \
	tests/unit/test_reader_routes \
	tests/unit/test_reader_subnet_lst \
	tests/unit/test_replay_easy \
	tests/unit/test_replay_jobs \
	tests/unit/test_replay_sim \
	tests/unit/test_replay_stats \
	tests/unit/test_replay_trace \
	tests/unit/test_route \
	tests/unit/test_sbatch \
	tests/unit/test_scan \
	tests/unit/test_scontrol \
	tests/unit/test_score \
	tests/unit/test_search \
	tests/unit/test_search_io \
	tests/unit/test_served \
	tests/unit/test_slurmfacts \
	tests/unit/test_snapshot \
	tests/unit/test_snapshot_damage \
	tests/unit/test_steps \
	tests/unit/test_synth \
	tests/unit/test_table \
	tests/unit/test_text \
	tests/unit/test_traffic \
	tests/unit/test_tree \
	tests/unit/test_utf8
if HAVE_LUA
unit_tests += \
	tests/unit/test_place_policy \
	tests/unit/test_place_preview \
	tests/unit/test_policy
endif
if HAVE_INFINIBAND
unit_tests += tests/unit/test_discover tests/unit/test_wire
endif
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

# the default of all programs without an LDADD of their own
LDADD = tests/unit/libunit.la plugin/opensm/libkeeper.la \
	tools/replay/libreplay.la tools/libtools.la plugin/place/libplace.la \
	lua/libpolicy.la io/libread.la io/libio.la core/libaudit.la \
	core/libcore.la $(CHECK_LIBS) $(ZLIB_LIBS) -lm
tests/unit/test_%.o: AM_CFLAGS += $(CHECK_CFLAGS) $(JSONC_CFLAGS) $(ZLIB_CFLAGS)

# what tests share
check_LTLIBRARIES += tests/unit/libunit.la
tests_unit_libunit_la_SOURCES = \
	tests/unit/conf_text.h \
	tests/unit/document.c \
	tests/unit/document.h \
	tests/unit/failing.c \
	tests/unit/failing.h \
	tests/unit/made.c \
	tests/unit/made.h \
	tests/unit/placed.c \
	tests/unit/placed.h \
	tests/unit/snapshots.c \
	tests/unit/snapshots.h \
	tests/unit/texts.c \
	tests/unit/texts.h \
	tests/unit/unit.h
tests_unit_libunit_la_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

# symbols of its own to look for
tests_unit_test_elf_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
# two files of the command itself
tests_unit_test_synth_SOURCES = tests/unit/test_synth.c \
	tools/synth_spec.c tools/synth_tree.c

# every allocation may fail
unit_failing = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=strdup -Wl,--wrap=strndup
tests_unit_test_memory_LDFLAGS = $(AM_LDFLAGS) $(unit_failing)
tests_unit_test_memory_io_LDFLAGS = $(AM_LDFLAGS) $(unit_failing)
tests_unit_test_classes_LDFLAGS = $(AM_LDFLAGS) $(unit_failing)
tests_unit_test_steps_LDFLAGS = $(AM_LDFLAGS) $(unit_failing)

tests_unit_test_discover_LDADD = io/libcollect.la $(LDADD)
# libraries must find the functions of mads.c instead of their own
tests_unit_test_wire_SOURCES = tests/unit/test_wire.c tests/fuzz/bytes.h \
	tests/fuzz/mads.c tests/fuzz/mads.h
tests_unit_test_wire_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(INFINIBAND_CFLAGS) \
	-fvisibility=default
tests_unit_test_wire_LDADD = io/libcollect.la $(LDADD)

# all of its parts are compiled once more, with the thread sanitizer
tests_unit_test_place_swap_SOURCES = tests/unit/test_place_swap.c \
	tests/unit/placed.c tests/unit/made.c \
	$(plugin_place_libplace_la_SOURCES) $(lua_libpolicy_la_SOURCES) \
	$(io_libio_la_SOURCES) \
	$(core_libcore_la_SOURCES)
tests_unit_test_place_swap_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(LUA_CFLAGS) \
	-pthread $(TSAN_FLAGS)
tests_unit_test_place_swap_LDADD = $(LUA_LIBS) $(CHECK_LIBS) -lm
endif

EXTRA_DIST += tests/data/README.md tests/data/two-leaves tests/data/two-leaves-lmc1 \
	tests/data/scontrol
