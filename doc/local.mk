# SPDX-License-Identifier: GPL-2.0-or-later
dist_doc_DATA += doc/snapshot-format.md

# Man pages are written in scdoc and shipped as troff, so that a user of a
# release needs no scdoc; a checkout without scdoc has no man pages.
sfab_man = doc/sfabric.conf.5

if HAVE_MAN_PAGES
man_MANS += $(sfab_man)
EXTRA_DIST += $(sfab_man)
MAINTAINERCLEANFILES = $(sfab_man)
endif
EXTRA_DIST += $(sfab_man:=.scd)

$(sfab_man): %: %.scd
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(SCDOC) < $< > $@.tmp && mv $@.tmp $@
