# SPDX-License-Identifier: GPL-2.0-or-later
# One program a source file, in a folder for each of the tree's; each prints TAP.
#
# A new test is one line of unit_tests.  It is linked with its room and those below.
if HAVE_CHECK
unit_tests = \
	tests/unit/core/test_utf8 \
	tests/unit/core/audit/test_audit \
	tests/unit/core/estimate/test_offered_load \
	tests/unit/core/estimate/test_estimate \
	tests/unit/core/estimate/test_nnls \
	tests/unit/core/fabric/test_counts \
	tests/unit/core/fabric/test_lids \
	tests/unit/core/fabric/test_lmc \
	tests/unit/core/fabric/test_paths \
	tests/unit/core/fabric/test_plane \
	tests/unit/core/fabric/test_route \
	tests/unit/core/load/test_certificate \
	tests/unit/core/load/test_demand \
	tests/unit/core/load/test_fan_in \
	tests/unit/core/load/test_ioset \
	tests/unit/core/load/test_jobs \
	tests/unit/core/load/test_phases \
	tests/unit/core/load/test_port_classes \
	tests/unit/core/load/test_served \
	tests/unit/core/load/test_stepper \
	tests/unit/core/load/test_traffic \
	tests/unit/core/predict/test_maxmin \
	tests/unit/core/predict/test_pairs \
	tests/unit/core/search/test_footprint \
	tests/unit/core/search/test_herding \
	tests/unit/core/search/test_order \
	tests/unit/core/search/test_packing \
	tests/unit/core/search/test_score \
	tests/unit/core/search/test_search \
	tests/unit/core/search/test_search_io \
	tests/unit/core/search/test_search_optimum \
	tests/unit/core/search/test_sizes \
	tests/unit/core/search/test_tree \
	tests/unit/io/test_file \
	tests/unit/io/test_hash \
	tests/unit/io/test_hostlist \
	tests/unit/io/test_memory \
	tests/unit/io/test_memory_io \
	tests/unit/io/test_namemap \
	tests/unit/io/test_nodedesc \
	tests/unit/io/test_rate \
	tests/unit/io/test_scan \
	tests/unit/io/test_worker \
	tests/unit/io/conf/test_conf \
	tests/unit/io/conf/test_conf_files \
	tests/unit/io/conf/test_io_guess \
	tests/unit/io/counters/test_counters \
	tests/unit/io/counters/test_counters_follow \
	tests/unit/io/counters/test_counts_files \
	tests/unit/io/counters/test_measured \
	tests/unit/io/learn/test_found_traffic \
	tests/unit/io/learn/test_history \
	tests/unit/io/learn/test_history_file \
	tests/unit/io/readers/test_reader \
	tests/unit/io/readers/test_reader_db_csv \
	tests/unit/io/readers/test_reader_far \
	tests/unit/io/readers/test_reader_fdbs \
	tests/unit/io/readers/test_reader_ibnetdiscover \
	tests/unit/io/readers/test_reader_lfts \
	tests/unit/io/readers/test_reader_opa \
	tests/unit/io/readers/test_reader_opensm_log \
	tests/unit/io/readers/test_reader_routes \
	tests/unit/io/readers/test_reader_subnet_lst \
	tests/unit/io/readers/test_sacct_text \
	tests/unit/io/readers/test_text \
	tests/unit/io/readers/test_usage \
	tests/unit/io/snapshot/test_alive \
	tests/unit/io/snapshot/test_merge \
	tests/unit/io/snapshot/test_snapshot \
	tests/unit/io/snapshot/test_snapshot_damage \
	tests/unit/place/test_place \
	tests/unit/place/test_place_begin \
	tests/unit/place/test_place_comment \
	tests/unit/place/test_place_kinds \
	tests/unit/place/test_place_measured \
	tests/unit/place/test_place_ranks \
	tests/unit/place/test_place_ready \
	tests/unit/place/test_place_running \
	tests/unit/place/test_place_soak \
	tests/unit/place/test_place_stock_choice \
	tests/unit/place/test_place_swap \
	tests/unit/place/log/test_place_logring \
	tests/unit/place/request/test_place_need \
	tests/unit/place/request/test_place_request \
	tests/unit/place/request/test_place_watchdog \
	tests/unit/place/state/test_place_event_queue \
	tests/unit/place/state/test_place_feedback \
	tests/unit/place/state/test_place_governor \
	tests/unit/place/state/test_place_loader \
	tests/unit/place/state/test_place_loader_conf \
	tests/unit/place/state/test_place_loader_rest \
	tests/unit/place/state/test_place_modes \
	tests/unit/place/state/test_place_reporting \
	tests/unit/plugin/opensm/test_opensm_keeper \
	tests/unit/plugin/opensm/test_opensm_options \
	tests/unit/plugin/opensm/test_opensm_totals \
	tests/unit/tools/learn/test_learn_usage \
	tests/unit/tools/learn/test_learner \
	tests/unit/tools/plot/test_plot \
	tests/unit/tools/replay/test_replay_easy \
	tests/unit/tools/replay/test_replay_jobs \
	tests/unit/tools/replay/test_replay_sim \
	tests/unit/tools/replay/test_replay_stats \
	tests/unit/tools/replay/test_replay_trace \
	tests/unit/tools/site/test_hosts \
	tests/unit/tools/site/test_linkload \
	tests/unit/tools/site/test_site_counters \
	tests/unit/tools/slurm/test_batch_script \
	tests/unit/tools/slurm/test_gres_text \
	tests/unit/tools/slurm/test_job_ask \
	tests/unit/tools/slurm/test_jobtext \
	tests/unit/tools/slurm/test_program \
	tests/unit/tools/slurm/test_sacct_rows \
	tests/unit/tools/slurm/test_sbatch \
	tests/unit/tools/slurm/test_scontrol \
	tests/unit/tools/slurm/test_slurmfacts \
	tests/unit/tools/synth/test_synth \
	tests/unit/tools/ui/test_duration \
	tests/unit/tools/ui/test_output \
	tests/unit/tools/ui/test_printable \
	tests/unit/tools/ui/test_table
if HAVE_LUA
unit_tests += \
	tests/unit/place/test_place_script \
	tests/unit/place/test_place_preview \
	tests/unit/lua/test_script
endif
if HAVE_INFINIBAND
unit_tests += tests/unit/io/wire/test_adaptive tests/unit/io/wire/test_discover \
	tests/unit/io/wire/test_wire
endif
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

# the default of all programs without an LDADD of their own
LDADD = tests/unit/libunit.a $(room_link) $(CHECK_LIBS)
rooms = core io lua place plugin tools
plugin_link = plugin/opensm/libkeeper.a $(io_link)
in_room = $(filter tests/unit/$(1)/%,$(unit_tests))
$(foreach room,$(rooms),$(eval $(call in_room,$(room)): $(filter %.a,$($(room)_link))))
$(foreach room,$(rooms),$(eval $(call in_room,$(room)): room_link = $$($(room)_link)))
tests/unit/%.o: AM_CFLAGS += $(CHECK_CFLAGS) $(JSONC_CFLAGS) $(ZLIB_CFLAGS)

# what tests share
check_LIBRARIES += tests/unit/libunit.a
tests_unit_libunit_a_SOURCES = \
	tests/unit/fixtures/allocations.c \
	tests/unit/fixtures/allocations.h \
	tests/unit/fixtures/cleanup.c \
	tests/unit/fixtures/cleanup.h \
	tests/unit/fixtures/conf_text.h \
	tests/unit/fixtures/contention.c \
	tests/unit/fixtures/contention.h \
	tests/unit/fixtures/damage.c \
	tests/unit/fixtures/damage.h \
	tests/unit/fixtures/document.c \
	tests/unit/fixtures/document.h \
	tests/unit/fixtures/fabrics.c \
	tests/unit/fixtures/fabrics.h \
	tests/unit/fixtures/folder.c \
	tests/unit/fixtures/folder.h \
	tests/unit/fixtures/loader_files.c \
	tests/unit/fixtures/loader_files.h \
	tests/unit/fixtures/past_runs.c \
	tests/unit/fixtures/past_runs.h \
	tests/unit/fixtures/service.c \
	tests/unit/fixtures/service.h \
	tests/unit/fixtures/snapshots.c \
	tests/unit/fixtures/snapshots.h \
	tests/unit/fixtures/texts.c \
	tests/unit/fixtures/texts.h \
	tests/unit/fixtures/unit.c \
	tests/unit/fixtures/unit.h
tests_unit_libunit_a_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

# files of the command itself
tests_unit_tools_synth_test_synth_SOURCES = tests/unit/tools/synth/test_synth.c \
	tools/synth/synth_spec.c tools/synth/synth_tree.c \
	tools/opensm/cabling_plan.c tools/opensm/netlist.c

# every allocation may fail
unit_allocations = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=strdup -Wl,--wrap=strndup
tests_unit_io_test_memory_LDFLAGS = $(AM_LDFLAGS) $(unit_allocations)
tests_unit_io_test_memory_io_LDFLAGS = $(AM_LDFLAGS) $(unit_allocations)
tests_unit_core_load_test_certificate_LDFLAGS = $(AM_LDFLAGS) $(unit_allocations)
tests_unit_core_load_test_port_classes_LDFLAGS = $(AM_LDFLAGS) $(unit_allocations)
tests_unit_core_load_test_stepper_LDFLAGS = $(AM_LDFLAGS) $(unit_allocations)
tests_unit_core_search_test_order_LDFLAGS = $(AM_LDFLAGS) $(unit_allocations)

# a clock and times of files that the test sets
tests_unit_place_state_test_place_loader_rest_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=time \
	-Wl,--wrap=lstat

tests_unit_io_wire_test_adaptive_LDADD = $(collect_link) $(LDADD)
tests_unit_io_wire_test_discover_LDADD = $(collect_link) $(LDADD)
# libraries must find the functions of mads.c instead of their own
tests_unit_io_wire_test_wire_SOURCES = tests/unit/io/wire/test_wire.c tests/fuzz/bytes.h \
	tests/fuzz/mads.c tests/fuzz/mads.h
tests_unit_io_wire_test_wire_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(INFINIBAND_CFLAGS) \
	-fvisibility=default
tests_unit_io_wire_test_wire_LDADD = $(collect_link) $(LDADD)

# all of its parts are compiled once more, with the thread sanitizer
tests_unit_place_test_place_swap_SOURCES = tests/unit/place/test_place_swap.c \
	tests/unit/fixtures/service.c tests/unit/fixtures/fabrics.c \
	tests/unit/fixtures/cleanup.c tests/unit/fixtures/folder.c \
	tests/unit/fixtures/unit.c \
	$(place_libplace_a_SOURCES) $(lua_libpolicy_a_SOURCES) \
	$(io_libio_a_SOURCES) \
	$(core_libcore_a_SOURCES)
tests_unit_place_test_place_swap_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) $(LUA_CFLAGS) \
	-pthread $(TSAN_FLAGS)
tests_unit_place_test_place_swap_LDADD = $(LUA_LIBS) $(CHECK_LIBS) -lm
endif

EXTRA_DIST += tests/data/README.md tests/data/two-leaves tests/data/two-leaves-lmc1 \
	tests/data/scontrol
