# SPDX-License-Identifier: GPL-2.0-or-later
# select_cons_tres.so: shadows Slurm's file of that name.  It is linked by hand
# because its SONAME must differ from its file name, or ld.so would take the
# stock file that it needs for already loaded.
#
# -z lazy comes last, for distributions link with -z now: what only slurmctld has
# is open in slurmd and in every command, which load the plugin, too, and never
# call it.  Bound when loaded it would stop them.
#
# Slurm's file is looked for in sfabric/stock first: there it is where ours covers it
# (etc/sfabric-slurm.in).  Everywhere else that folder is empty.
EXTRA_DIST += plugin/slurm/export.map
if HAVE_SLURM
noinst_LIBRARIES += plugin/slurm/libhook.a
# without AM_CPPFLAGS: nothing of the build folder may hide a header of Slurm
plugin_slurm_libhook_a_CPPFLAGS = -iquote $(top_srcdir) \
	-isystem $(SLURM_SOURCE) -DNDEBUG -D_GNU_SOURCE \
	-DSFABRIC_VERSION='"$(PACKAGE_VERSION)"'
plugin_slurm_libhook_a_CFLAGS = $(AM_CFLAGS) -std=gnu11 -fvisibility=default
plugin_slurm_libhook_a_SOURCES = \
	plugin/slurm/gres.c \
	plugin/slurm/gres.h \
	plugin/slurm/facts.c \
	plugin/slurm/facts.h \
	plugin/slurm/glue.c \
	plugin/slurm/glue.h \
	plugin/slurm/held_cores.c \
	plugin/slurm/held_cores.h \
	plugin/slurm/hook.c \
	plugin/slurm/node_sharing.c \
	plugin/slurm/node_sharing.h \
	plugin/slurm/plan.c \
	plugin/slurm/plan.h \
	plugin/slurm/tres.c \
	plugin/slurm/tres.h

slurm_plugin = plugin/slurm/select_cons_tres.so
slurm_archives = place/libplace.a lua/libpolicy.a io/libio.a core/libcore.a
slurmplugindir = $(libdir)/sfabric/slurm
nodist_slurmplugin_DATA = $(slurm_plugin)
CLEANFILES += $(slurm_plugin)

$(slurm_plugin): plugin/slurm/libhook.a $(slurm_archives) plugin/slurm/export.map
	$(AM_V_CCLD)$(CC) $(AM_LDFLAGS) $(LDFLAGS) -shared -o $@ \
		-Wl,-soname,sfabric_select.so -Wl,-z,nodelete \
		-Wl,--version-script=$(srcdir)/plugin/slurm/export.map \
		-Wl,--whole-archive plugin/slurm/libhook.a \
		-Wl,--no-whole-archive $(slurm_archives) $(LUA_LIBS) -lm -pthread \
		-Wl,--no-as-needed -L$(SLURM_PLUGINDIR) \
		-l:select_cons_tres.so -Wl,-rpath,$(libdir)/sfabric/stock:$(SLURM_PLUGINDIR) \
		-Wl,--allow-shlib-undefined -Wl,-z,lazy
endif

# sfabric_order.so: a SPANK plugin for srun; one file that needs spank.h only.  The
# script beside it is slurmctld's half.
if HAVE_SLURM
noinst_LIBRARIES += plugin/spank/liborder.a
plugin_spank_liborder_a_CPPFLAGS = -isystem $(SLURM_SOURCE) -D_GNU_SOURCE \
	-DSFABRIC_VERSION='"$(PACKAGE_VERSION)"'
plugin_spank_liborder_a_CFLAGS = $(AM_CFLAGS) -std=gnu11 -fvisibility=default
plugin_spank_liborder_a_SOURCES = plugin/spank/sfabric_order.c
spank_plugin = plugin/spank/sfabric_order.so
spankdir = $(libdir)/sfabric/spank
nodist_spank_DATA = $(spank_plugin)
dist_spank_SCRIPTS = plugin/spank/sfabric-order-prolog
CLEANFILES += $(spank_plugin)

$(spank_plugin): plugin/spank/liborder.a
	$(AM_V_CCLD)$(CC) $(AM_LDFLAGS) $(LDFLAGS) -shared -o $@ \
		-Wl,--whole-archive plugin/spank/liborder.a \
		-Wl,--no-whole-archive -Wl,--allow-shlib-undefined -Wl,-z,lazy
endif

# libkeeper: what the OpenSM plugin does, without any OpenSM header
noinst_LIBRARIES += plugin/opensm/libkeeper.a
plugin_opensm_libkeeper_a_CFLAGS = $(AM_CFLAGS) -pthread
plugin_opensm_libkeeper_a_SOURCES = \
	plugin/opensm/osm_snapshot.c \
	plugin/opensm/osm_snapshot.h \
	plugin/opensm/keeper.c \
	plugin/opensm/keeper.h \
	plugin/opensm/plugin_options.c \
	plugin/opensm/plugin_options.h \
	plugin/opensm/osm_topology.c \
	plugin/opensm/osm_topology.h \
	plugin/opensm/totals.c \
	plugin/opensm/totals.h

# libosmsfabric.so: OpenSM loads it by this name.  It stays in memory when it is
# unloaded: a thread of it may still hang in a dead disk.
if HAVE_OPENSM
noinst_LIBRARIES += plugin/opensm/libosm.a
# OpenSM's headers would look for OpenSM's own config.h
plugin_opensm_libosm_a_CPPFLAGS = $(AM_CPPFLAGS) -UHAVE_CONFIG_H $(OPENSM_CPPFLAGS)
plugin_opensm_libosm_a_CFLAGS = $(AM_CFLAGS) -std=gnu11 -pthread
plugin_opensm_libosm_a_SOURCES = \
	plugin/opensm/osm_topology_take.c \
	plugin/opensm/osm.h \
	plugin/opensm/plugin.c
osm_plugin = plugin/opensm/libosmsfabric.so
osm_archives = plugin/opensm/libkeeper.a io/libio.a core/libcore.a
osmplugindir = $(libdir)
nodist_osmplugin_DATA = $(osm_plugin)
CLEANFILES += $(osm_plugin)

$(osm_plugin): plugin/opensm/libosm.a $(osm_archives)
	$(AM_V_CCLD)$(CC) $(AM_LDFLAGS) $(LDFLAGS) -shared -o $@ \
		-Wl,-soname,libosmsfabric.so -Wl,-z,nodelete \
		-Wl,--whole-archive plugin/opensm/libosm.a \
		-Wl,--no-whole-archive $(osm_archives) \
		-lopensm -losmcomp -lm -pthread
endif
