# SPDX-License-Identifier: GPL-2.0-or-later
dist_doc_DATA += \
	doc/admin.md \
	doc/decision-log.md \
	doc/model.md \
	doc/snapshot-format.md

# Man pages are written in scdoc and shipped as troff, so that a user of a
# release needs no scdoc; a checkout without scdoc has no man pages.
policy_page = sfabric.lua.5
sfab_man = \
	doc/sfabric-audit.1 \
	doc/sfabric-check.1 \
	doc/sfabric-collect.1 \
	doc/sfabric-explain.1 \
	doc/sfabric-import.1 \
	doc/sfabric-load.1 \
	doc/sfabric-opensm.8 \
	doc/sfabric-metrics.1 \
	doc/sfabric-place.1 \
	doc/sfabric-plot.1 \
	doc/sfabric-policy.1 \
	doc/sfabric-predict.1 \
	doc/sfabric-receive.1 \
	doc/sfabric-replay.1 \
	doc/sfabric-rotate.1 \
	doc/sfabric-route.1 \
	doc/sfabric-routes.5 \
	doc/sfabric-show.1 \
	doc/sfabric-synth.1 \
	doc/sfabric-whatif.1 \
	doc/sfabric-topology.1 \
	doc/sfabric.1 \
	doc/sfabric.conf.5 \
	doc/$(policy_page)

if HAVE_MAN_PAGES
man_MANS += $(sfab_man)
EXTRA_DIST += $(sfab_man)
MAINTAINERCLEANFILES = $(sfab_man)
endif
EXTRA_DIST += $(sfab_man:=.scd)

$(sfab_man): %: %.scd
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(SCDOC) < $< > $@.tmp && mv $@.tmp $@

# what sfabric --json prints, a schema for each command
schemadir = $(docdir)/schema
dist_schema_DATA = \
	doc/schema/audit.json \
	doc/schema/check.json \
	doc/schema/collect.json \
	doc/schema/common.json \
	doc/schema/explain.json \
	doc/schema/import.json \
	doc/schema/load.json \
	doc/schema/place.json \
	doc/schema/plot.json \
	doc/schema/policy.json \
	doc/schema/predict.json \
	doc/schema/replay.json \
	doc/schema/rotate.json \
	doc/schema/route.json \
	doc/schema/show.json \
	doc/schema/synth.json \
	doc/schema/topology.json \
	doc/schema/whatif.json
