# SPDX-License-Identifier: GPL-2.0-or-later
# scenarios on the real OpenSM and ibsim; skipped where these are missing
EXTRA_DIST += tests/sim/certificate.py tests/sim/console.py tests/sim/convert.py \
	tests/sim/eight_leaves.py tests/sim/relabel.py tests/sim/rotate.py \
	tests/sim/services.py tests/sim/split_maxmin.py tests/sim/steps.py
sim_tests = \
	tests/sim/adaptive.t \
	tests/sim/certificate.t \
	tests/sim/collect.t \
	tests/sim/counters.t \
	tests/sim/audit.t \
	tests/sim/dlids.t \
	tests/sim/fabrics.t \
	tests/sim/import_route.t \
	tests/sim/plugin.t \
	tests/sim/plugin_counters.t \
	tests/sim/plugin_disk.t \
	tests/sim/rotate.t \
	tests/sim/routes.t \
	tests/sim/services.t \
	tests/sim/shapes.t \
	tests/sim/readers.t \
	tests/sim/real_fabrics.t \
	tests/sim/simgrid.t \
	tests/sim/split.t \
	tests/sim/steps.t \
	tests/sim/synth.t \
	tests/sim/whatif.t \
	tests/sim/tour.t \
	tests/sim/wolf.t
dist_check_SCRIPTS += $(sim_tests)
TESTS += $(sim_tests)

# flows for SimGrid, and SimGrid's own rates
check_PROGRAMS += tests/sim/export_flows
tests_sim_export_flows_LDADD = $(io_link)
if HAVE_SIMGRID
check_PROGRAMS += tests/sim/simgrid_oracle
endif
tests_sim_simgrid_oracle_SOURCES = tests/sim/simgrid_oracle.cpp
tests_sim_simgrid_oracle_CXXFLAGS = -Wall -Wextra $(SIMGRID_CFLAGS)
tests_sim_simgrid_oracle_LDADD = $(SIMGRID_LIBS)

# a disk that hangs, for opensm, and a clock that hurries, for import
sim_preloads = tests/sim/slow_disk.so tests/sim/fast_clock.so
check_DATA += $(sim_preloads)
CLEANFILES += $(sim_preloads)
EXTRA_DIST += tests/sim/slow_disk.c tests/sim/fast_clock.c
$(sim_preloads): %.so: %.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) \
		-shared -o $@ $<

# switches that answer NVIDIA's questions about adaptive routing, for collect
if HAVE_INFINIBAND
check_DATA += $(adaptive_switches)
endif
adaptive_switches = tests/sim/libadaptive.so
CLEANFILES += $(adaptive_switches)
EXTRA_DIST += tests/sim/adaptive_switches.c
$(adaptive_switches): tests/sim/adaptive_switches.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) $(AM_CPPFLAGS) -D_GNU_SOURCE $(CPPFLAGS) $(AM_CFLAGS) $(INFINIBAND_CFLAGS) \
		$(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) -fvisibility=default -shared -o $@ \
		$(srcdir)/tests/sim/adaptive_switches.c $(INFINIBAND_LIBS)
