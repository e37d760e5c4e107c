# SPDX-License-Identifier: GPL-2.0-or-later
# the `sfabric` command: one file a subcommand, rows in main.c
bin_PROGRAMS += tools/sfabric
tools_sfabric_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tools_sfabric_CFLAGS = $(AM_CFLAGS) $(SMARTCOLS_CFLAGS) $(JSONC_CFLAGS)
tools_sfabric_LDADD = io/libread.la io/libio.la core/libcore.la \
	$(SMARTCOLS_LIBS) $(JSONC_LIBS) -lm
tools_sfabric_SOURCES = \
	tools/command.h \
	tools/elf.c \
	tools/elf.h \
	tools/json.c \
	tools/json.h \
	tools/main.c \
	tools/options.c \
	tools/options.h \
	tools/output.c \
	tools/output.h \
	tools/printable.c \
	tools/printable.h \
	tools/program.c \
	tools/program.h \
	tools/say.c \
	tools/say.h \
	tools/synth.c \
	tools/synth.h \
	tools/synth_spec.c \
	tools/synth_tree.c \
	tools/table.c \
	tools/table.h \
	tools/table_print.c \
	tools/table_private.h
