# SPDX-License-Identifier: GPL-2.0-or-later
# One program a source file; each prints TAP.
if HAVE_CHECK
check_LTLIBRARIES += tests/unit/libmade.la
tests_unit_libmade_la_SOURCES = tests/unit/made.c tests/unit/made.h tests/unit/unit.h
tests_unit_libmade_la_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

unit_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS)
unit_core = tests/unit/libmade.la core/libcore.la $(CHECK_LIBS)
unit_io = io/libio.la $(unit_core)
unit_tools = tools/libtools.la $(unit_core)
unit_tools_cppflags = $(AM_CPPFLAGS) -D_GNU_SOURCE

check_LTLIBRARIES += tests/unit/libtexts.la
tests_unit_libtexts_la_SOURCES = tests/unit/texts.c tests/unit/texts.h
tests_unit_libtexts_la_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
unit_read = tests/unit/libtexts.la io/libread.la io/libio.la $(unit_core)

check_PROGRAMS += tests/unit/test_route
TESTS += tests/unit/test_route
tests_unit_test_route_CFLAGS = $(unit_cflags)
tests_unit_test_route_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_utf8
TESTS += tests/unit/test_utf8
tests_unit_test_utf8_CFLAGS = $(unit_cflags)
tests_unit_test_utf8_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_counts
TESTS += tests/unit/test_counts
tests_unit_test_counts_CFLAGS = $(unit_cflags)
tests_unit_test_counts_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_paths
TESTS += tests/unit/test_paths
tests_unit_test_paths_CFLAGS = $(unit_cflags)
tests_unit_test_paths_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_conf tests/unit/test_conf_files
TESTS += tests/unit/test_conf tests/unit/test_conf_files
tests_unit_test_conf_files_SOURCES = tests/unit/test_conf_files.c tests/unit/conf_text.h
tests_unit_test_conf_files_CFLAGS = $(unit_cflags)
tests_unit_test_conf_files_LDADD = $(unit_io)
tests_unit_test_conf_SOURCES = tests/unit/test_conf.c tests/unit/conf_text.h
tests_unit_test_conf_CFLAGS = $(unit_cflags)
tests_unit_test_conf_LDADD = $(unit_io)

document = tests/unit/document.c tests/unit/document.h
check_PROGRAMS += tests/unit/test_counters tests/unit/test_counters_follow
tests_unit_test_counters_SOURCES = tests/unit/test_counters.c $(document)
TESTS += tests/unit/test_counters tests/unit/test_counters_follow
tests_unit_test_counters_CFLAGS = $(unit_cflags)
tests_unit_test_counters_LDADD = $(unit_io)
tests_unit_test_counters_follow_CFLAGS = $(unit_cflags)
tests_unit_test_counters_follow_LDADD = $(unit_io)
if HAVE_LUA
check_PROGRAMS += tests/unit/test_policy
TESTS += tests/unit/test_policy
tests_unit_test_policy_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_policy_LDADD = lua/libpolicy.la $(unit_io)
endif

check_PROGRAMS += tests/unit/test_measured tests/unit/test_herding
TESTS += tests/unit/test_measured tests/unit/test_herding
tests_unit_test_measured_CFLAGS = $(unit_cflags)
tests_unit_test_measured_LDADD = $(unit_io)
tests_unit_test_herding_CFLAGS = $(unit_cflags)
tests_unit_test_herding_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_merge
TESTS += tests/unit/test_merge
tests_unit_test_merge_CFLAGS = $(unit_cflags)
tests_unit_test_merge_LDADD = $(unit_io)

check_PROGRAMS += tests/unit/test_file
TESTS += tests/unit/test_file
tests_unit_test_file_CFLAGS = $(unit_cflags)
tests_unit_test_file_LDADD = $(unit_io)

check_PROGRAMS += tests/unit/test_hostlist
TESTS += tests/unit/test_hostlist
tests_unit_test_hostlist_CFLAGS = $(unit_cflags)
tests_unit_test_hostlist_LDADD = $(unit_io)

check_PROGRAMS += tests/unit/test_synth
TESTS += tests/unit/test_synth
tests_unit_test_synth_SOURCES = tests/unit/test_synth.c \
	tools/synth_spec.c tools/synth_tree.c
tests_unit_test_synth_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_unit_test_synth_CFLAGS = $(unit_cflags)
tests_unit_test_synth_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_traffic
TESTS += tests/unit/test_traffic
tests_unit_test_traffic_CFLAGS = $(unit_cflags)
tests_unit_test_traffic_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_demand
TESTS += tests/unit/test_demand
tests_unit_test_demand_CFLAGS = $(unit_cflags)
tests_unit_test_demand_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_elf
TESTS += tests/unit/test_elf
tests_unit_test_elf_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_elf_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_elf_LDADD = $(unit_tools)
tests_unit_test_elf_LDFLAGS = $(AM_LDFLAGS) -export-dynamic

check_PROGRAMS += tests/unit/test_program
TESTS += tests/unit/test_program
tests_unit_test_program_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_program_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_program_LDADD = $(unit_tools)
check_PROGRAMS += tests/unit/test_iovec
TESTS += tests/unit/test_iovec
tests_unit_test_iovec_CFLAGS = $(unit_cflags)
tests_unit_test_iovec_LDADD = $(unit_core)
check_PROGRAMS += tests/unit/test_served
TESTS += tests/unit/test_served
tests_unit_test_served_CFLAGS = $(unit_cflags)
tests_unit_test_served_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_jobs
TESTS += tests/unit/test_jobs
tests_unit_test_jobs_CFLAGS = $(unit_cflags)
tests_unit_test_jobs_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_score
TESTS += tests/unit/test_score
tests_unit_test_score_CFLAGS = $(unit_cflags)
tests_unit_test_score_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_search
TESTS += tests/unit/test_search
tests_unit_test_search_CFLAGS = $(unit_cflags)
tests_unit_test_search_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_search_io
TESTS += tests/unit/test_search_io
tests_unit_test_search_io_CFLAGS = $(unit_cflags)
tests_unit_test_search_io_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_ahead
TESTS += tests/unit/test_ahead
tests_unit_test_ahead_CFLAGS = $(unit_cflags)
tests_unit_test_ahead_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_tree
TESTS += tests/unit/test_tree
tests_unit_test_tree_CFLAGS = $(unit_cflags)
tests_unit_test_tree_LDADD = $(unit_core)

unit_replay = tests/unit/libmade.la tools/replay/libreplay.la $(CHECK_LIBS)
check_PROGRAMS += tests/unit/test_replay_sim
TESTS += tests/unit/test_replay_sim
tests_unit_test_replay_sim_CFLAGS = $(unit_cflags)
tests_unit_test_replay_sim_LDADD = $(unit_replay)

check_PROGRAMS += tests/unit/test_replay_trace
TESTS += tests/unit/test_replay_trace
tests_unit_test_replay_trace_CFLAGS = $(unit_cflags)
tests_unit_test_replay_trace_LDADD = $(unit_replay)

check_PROGRAMS += tests/unit/test_replay_easy
TESTS += tests/unit/test_replay_easy
tests_unit_test_replay_easy_CFLAGS = $(unit_cflags)
tests_unit_test_replay_easy_LDADD = $(unit_replay)

check_PROGRAMS += tests/unit/test_replay_jobs
TESTS += tests/unit/test_replay_jobs
tests_unit_test_replay_jobs_CFLAGS = $(unit_cflags)
tests_unit_test_replay_jobs_LDADD = $(unit_replay)

check_PROGRAMS += tests/unit/test_replay_stats
TESTS += tests/unit/test_replay_stats
tests_unit_test_replay_stats_CFLAGS = $(unit_cflags)
tests_unit_test_replay_stats_LDADD = $(unit_replay)
check_PROGRAMS += tests/unit/test_reader_ibnetdiscover
TESTS += tests/unit/test_reader_ibnetdiscover
tests_unit_test_reader_ibnetdiscover_CFLAGS = $(unit_cflags)
tests_unit_test_reader_ibnetdiscover_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_reader_subnet_lst
TESTS += tests/unit/test_reader_subnet_lst
tests_unit_test_reader_subnet_lst_CFLAGS = $(unit_cflags)
tests_unit_test_reader_subnet_lst_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_reader_lfts
TESTS += tests/unit/test_reader_lfts
tests_unit_test_reader_lfts_CFLAGS = $(unit_cflags)
tests_unit_test_reader_lfts_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_reader_fdbs
TESTS += tests/unit/test_reader_fdbs
tests_unit_test_reader_fdbs_CFLAGS = $(unit_cflags)
tests_unit_test_reader_fdbs_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_counts_files
TESTS += tests/unit/test_counts_files
tests_unit_test_counts_files_CFLAGS = $(unit_cflags)
tests_unit_test_counts_files_LDADD = tests/unit/libtexts.la io/libread.la \
	io/libio.la $(unit_core)

check_PROGRAMS += tests/unit/test_reader_opensm_log
TESTS += tests/unit/test_reader_opensm_log
tests_unit_test_reader_opensm_log_CFLAGS = $(unit_cflags)
tests_unit_test_reader_opensm_log_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_reader_opa
TESTS += tests/unit/test_reader_opa
tests_unit_test_reader_opa_CFLAGS = $(unit_cflags)
tests_unit_test_reader_opa_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_reader_routes
TESTS += tests/unit/test_reader_routes
tests_unit_test_reader_routes_CFLAGS = $(unit_cflags)
tests_unit_test_reader_routes_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_plot
TESTS += tests/unit/test_plot
tests_unit_test_plot_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_plot_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_plot_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_reader_far
TESTS += tests/unit/test_reader_far
tests_unit_test_reader_far_CFLAGS = $(unit_cflags)
tests_unit_test_reader_far_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_reader_db_csv
TESTS += tests/unit/test_reader_db_csv
tests_unit_test_reader_db_csv_CFLAGS = $(unit_cflags)
tests_unit_test_reader_db_csv_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_audit
TESTS += tests/unit/test_audit
tests_unit_test_audit_CFLAGS = $(unit_cflags)
tests_unit_test_audit_LDADD = core/libaudit.la $(unit_core)

check_PROGRAMS += tests/unit/test_link_counters
TESTS += tests/unit/test_link_counters
tests_unit_test_link_counters_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_link_counters_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_link_counters_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_linkload
TESTS += tests/unit/test_linkload
tests_unit_test_linkload_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_linkload_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_linkload_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_output
TESTS += tests/unit/test_output
tests_unit_test_output_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_output_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_output_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_devices
TESTS += tests/unit/test_devices
tests_unit_test_devices_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_devices_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_devices_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_printable
TESTS += tests/unit/test_printable
tests_unit_test_printable_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_printable_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_printable_LDADD = $(unit_tools)


check_PROGRAMS += tests/unit/test_slurmfacts
TESTS += tests/unit/test_slurmfacts
tests_unit_test_slurmfacts_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_slurmfacts_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_slurmfacts_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_batch_script
TESTS += tests/unit/test_batch_script
tests_unit_test_batch_script_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_batch_script_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_batch_script_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_sbatch
TESTS += tests/unit/test_sbatch
tests_unit_test_sbatch_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_sbatch_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_sbatch_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_scontrol
TESTS += tests/unit/test_scontrol
tests_unit_test_scontrol_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_scontrol_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_scontrol_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_jobtext
TESTS += tests/unit/test_jobtext
tests_unit_test_jobtext_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_jobtext_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_jobtext_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_table
TESTS += tests/unit/test_table
tests_unit_test_table_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_table_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_table_LDADD = $(unit_tools)
check_PROGRAMS += tests/unit/test_reader
TESTS += tests/unit/test_reader
tests_unit_test_reader_CFLAGS = $(unit_cflags)
tests_unit_test_reader_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_text
TESTS += tests/unit/test_text
tests_unit_test_text_CFLAGS = $(unit_cflags) $(ZLIB_CFLAGS)
tests_unit_test_text_LDADD = $(unit_read) $(ZLIB_LIBS)

check_PROGRAMS += tests/unit/test_plane
TESTS += tests/unit/test_plane
tests_unit_test_plane_CFLAGS = $(unit_cflags)
tests_unit_test_plane_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_rate
TESTS += tests/unit/test_rate
tests_unit_test_rate_CFLAGS = $(unit_cflags)
tests_unit_test_rate_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_namemap
TESTS += tests/unit/test_namemap
tests_unit_test_namemap_CFLAGS = $(unit_cflags)
tests_unit_test_namemap_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_nodedesc
TESTS += tests/unit/test_nodedesc
tests_unit_test_nodedesc_CFLAGS = $(unit_cflags)
tests_unit_test_nodedesc_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_scan
TESTS += tests/unit/test_scan
tests_unit_test_scan_CFLAGS = $(unit_cflags)
tests_unit_test_scan_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_lmc
TESTS += tests/unit/test_lmc
tests_unit_test_lmc_CFLAGS = $(unit_cflags)
tests_unit_test_lmc_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_alive
TESTS += tests/unit/test_alive
tests_unit_test_alive_CFLAGS = $(unit_cflags)
tests_unit_test_alive_LDADD = $(unit_io)

unit_opensm = plugin/opensm/libkeeper.la $(unit_io)

check_PROGRAMS += tests/unit/test_opensm_options
TESTS += tests/unit/test_opensm_options
tests_unit_test_opensm_options_CFLAGS = $(unit_cflags)
tests_unit_test_opensm_options_LDADD = $(unit_opensm)

check_PROGRAMS += tests/unit/test_opensm_totals
TESTS += tests/unit/test_opensm_totals
tests_unit_test_opensm_totals_CFLAGS = $(unit_cflags)
tests_unit_test_opensm_totals_LDADD = $(unit_opensm)

check_PROGRAMS += tests/unit/test_opensm_keeper
TESTS += tests/unit/test_opensm_keeper
tests_unit_test_opensm_keeper_CFLAGS = $(unit_cflags)
tests_unit_test_opensm_keeper_LDADD = $(unit_opensm)

unit_place = plugin/place/libplace.la lua/libpolicy.la $(unit_io)

check_PROGRAMS += tests/unit/test_place_count
TESTS += tests/unit/test_place_count
tests_unit_test_place_count_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_count_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_place_logring
TESTS += tests/unit/test_place_logring
tests_unit_test_place_logring_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_logring_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_place_request
TESTS += tests/unit/test_place_request
tests_unit_test_place_request_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_request_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_place_news
TESTS += tests/unit/test_place_news
tests_unit_test_place_news_SOURCES = tests/unit/test_place_news.c \
	tests/unit/placed.c tests/unit/placed.h
tests_unit_test_place_news_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_news_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_place_ready
TESTS += tests/unit/test_place_ready
tests_unit_test_place_ready_SOURCES = tests/unit/test_place_ready.c \
	tests/unit/placed.c tests/unit/placed.h
tests_unit_test_place_ready_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_ready_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_place_soak
TESTS += tests/unit/test_place_soak
tests_unit_test_place_soak_SOURCES = tests/unit/test_place_soak.c \
	tests/unit/placed.c tests/unit/placed.h
tests_unit_test_place_soak_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_unit_test_place_soak_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_soak_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_place_waits
TESTS += tests/unit/test_place_waits
tests_unit_test_place_waits_SOURCES = tests/unit/test_place_waits.c \
	tests/unit/placed.c tests/unit/placed.h
tests_unit_test_place_waits_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_waits_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_duration
TESTS += tests/unit/test_duration
tests_unit_test_duration_CPPFLAGS = $(unit_tools_cppflags)
tests_unit_test_duration_CFLAGS = $(unit_cflags) $(JSONC_CFLAGS)
tests_unit_test_duration_LDADD = $(unit_tools)

check_PROGRAMS += tests/unit/test_place_running
TESTS += tests/unit/test_place_running
tests_unit_test_place_running_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_running_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_place_telling
TESTS += tests/unit/test_place_telling
tests_unit_test_place_telling_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_telling_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_place_watchdog
TESTS += tests/unit/test_place_watchdog
tests_unit_test_place_watchdog_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_watchdog_LDADD = $(unit_place)

check_PROGRAMS += tests/unit/test_hash
TESTS += tests/unit/test_hash
tests_unit_test_hash_CFLAGS = $(unit_cflags)
tests_unit_test_hash_LDADD = $(unit_io)

snapshots = tests/unit/snapshots.c tests/unit/snapshots.h
check_PROGRAMS += tests/unit/test_snapshot tests/unit/test_snapshot_damage
TESTS += tests/unit/test_snapshot tests/unit/test_snapshot_damage
tests_unit_test_snapshot_SOURCES = tests/unit/test_snapshot.c $(snapshots) $(document)
tests_unit_test_snapshot_CFLAGS = $(unit_cflags)
tests_unit_test_snapshot_LDADD = $(unit_io)
tests_unit_test_snapshot_damage_SOURCES = tests/unit/test_snapshot_damage.c \
	tests/fuzz/reseal.h $(snapshots)
tests_unit_test_snapshot_damage_CFLAGS = $(unit_cflags)
tests_unit_test_snapshot_damage_LDADD = $(unit_io)
check_LTLIBRARIES += tests/unit/libplaced.la
tests_unit_libplaced_la_SOURCES = tests/unit/placed.c tests/unit/placed.h
tests_unit_libplaced_la_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

check_PROGRAMS += tests/unit/test_place
TESTS += tests/unit/test_place
tests_unit_test_place_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_LDADD = tests/unit/libplaced.la $(unit_place)

check_PROGRAMS += tests/unit/test_place_comment
TESTS += tests/unit/test_place_comment
tests_unit_test_place_comment_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_comment_LDADD = tests/unit/libplaced.la $(unit_place)

if HAVE_LUA
check_PROGRAMS += tests/unit/test_place_policy
TESTS += tests/unit/test_place_policy
tests_unit_test_place_policy_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_policy_LDADD = tests/unit/libplaced.la $(unit_place)

check_PROGRAMS += tests/unit/test_place_preview
TESTS += tests/unit/test_place_preview
tests_unit_test_place_preview_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_preview_LDADD = tests/unit/libplaced.la $(unit_place)
endif

check_PROGRAMS += tests/unit/test_place_measured
TESTS += tests/unit/test_place_measured
tests_unit_test_place_measured_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_measured_LDADD = tests/unit/libplaced.la $(unit_place)

check_PROGRAMS += tests/unit/test_place_loader
TESTS += tests/unit/test_place_loader
tests_unit_test_place_loader_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_loader_LDADD = tests/unit/libplaced.la $(unit_place)

check_PROGRAMS += tests/unit/test_place_modes
TESTS += tests/unit/test_place_modes
tests_unit_test_place_modes_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_place_modes_LDADD = tests/unit/libplaced.la $(unit_place)

# all of its parts are compiled once more, with the thread sanitizer
check_PROGRAMS += tests/unit/test_place_swap
TESTS += tests/unit/test_place_swap
tests_unit_test_place_swap_SOURCES = tests/unit/test_place_swap.c \
	tests/unit/placed.c tests/unit/made.c \
	$(plugin_place_libplace_la_SOURCES) $(lua_libpolicy_la_SOURCES) \
	$(io_libio_la_SOURCES) \
	$(core_libcore_la_SOURCES)
tests_unit_test_place_swap_CFLAGS = $(unit_cflags) $(LUA_CFLAGS) -pthread $(TSAN_FLAGS)
tests_unit_test_place_swap_LDADD = $(LUA_LIBS) $(CHECK_LIBS) -lm

unit_failing = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=strdup -Wl,--wrap=strndup
failing = tests/unit/failing.c tests/unit/failing.h

check_PROGRAMS += tests/unit/test_memory
TESTS += tests/unit/test_memory
tests_unit_test_memory_SOURCES = tests/unit/test_memory.c $(failing)
tests_unit_test_memory_CFLAGS = $(unit_cflags)
tests_unit_test_memory_LDFLAGS = $(AM_LDFLAGS) $(unit_failing)
tests_unit_test_memory_LDADD = $(unit_read)

check_PROGRAMS += tests/unit/test_steps
TESTS += tests/unit/test_steps
tests_unit_test_steps_SOURCES = tests/unit/test_steps.c $(failing)
tests_unit_test_steps_CFLAGS = $(unit_cflags)
tests_unit_test_steps_LDFLAGS = $(AM_LDFLAGS) $(unit_failing)
tests_unit_test_steps_LDADD = $(unit_core)

check_PROGRAMS += tests/unit/test_memory_io
TESTS += tests/unit/test_memory_io
tests_unit_test_memory_io_SOURCES = tests/unit/test_memory_io.c $(failing) \
	$(snapshots)
tests_unit_test_memory_io_CFLAGS = $(unit_cflags)
tests_unit_test_memory_io_LDFLAGS = $(AM_LDFLAGS) $(unit_failing)
tests_unit_test_memory_io_LDADD = $(unit_io)

if HAVE_INFINIBAND
check_PROGRAMS += tests/unit/test_discover tests/unit/test_wire
TESTS += tests/unit/test_discover tests/unit/test_wire
tests_unit_test_discover_CFLAGS = $(unit_cflags)
tests_unit_test_discover_LDADD = io/libcollect.la $(unit_io)
tests_unit_test_wire_SOURCES = tests/unit/test_wire.c tests/fuzz/bytes.h \
	tests/fuzz/mads.c tests/fuzz/mads.h
tests_unit_test_wire_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
# the libraries below must find the functions of mads.c
tests_unit_test_wire_CFLAGS = $(unit_cflags) $(INFINIBAND_CFLAGS) \
	-fvisibility=default
tests_unit_test_wire_LDADD = io/libcollect.la $(unit_io)
endif
endif

EXTRA_DIST += tests/data/README.md tests/data/two-leaves tests/data/two-leaves-lmc1 \
	tests/data/scontrol
