# SPDX-License-Identifier: GPL-2.0-or-later
dist_doc_DATA += \
	doc/admin.md \
	doc/cases.md \
	doc/decision-log.md \
	doc/inside.md \
	doc/limits.md \
	doc/measurements.md \
	doc/contention-free.md \
	doc/rank-order.md \
	doc/model.md \
	doc/learn-format.md \
	doc/snapshot-format.md \
	doc/tour.md

# Man pages are written in scdoc and shipped as troff, so that a user of a
# release needs no scdoc; a checkout without scdoc has no man pages.
policy_page = sfabric.lua.5
sfab_man = \
	doc/sfabric-audit.1 \
	doc/sfabric-check.1 \
	doc/sfabric-collect.1 \
	doc/sfabric-explain.1 \
	doc/sfabric-import.1 \
	doc/sfabric-learn.1 \
	doc/sfabric-load.1 \
	doc/sfabric-opensm.8 \
	doc/sfabric-metrics.1 \
	doc/sfabric-place.1 \
	doc/sfabric-plot.1 \
	doc/sfabric-policy.1 \
	doc/sfabric-order.1 \
	doc/sfabric-predict.1 \
	doc/sfabric-receive.1 \
	doc/sfabric-replay.1 \
	doc/sfabric-report.1 \
	doc/sfabric-rotate.1 \
	doc/sfabric-route.1 \
	doc/sfabric-routes.5 \
	doc/sfabric-show.1 \
	doc/sfabric-slurm.8 \
	doc/sfabric-synth.1 \
	doc/sfabric-web.1 \
	doc/sfabric-whatif.1 \
	doc/sfabric-top.1 \
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
	doc/schema/learn.json \
	doc/schema/load.json \
	doc/schema/place.json \
	doc/schema/plot.json \
	doc/schema/order.json \
	doc/schema/policy.json \
	doc/schema/predict.json \
	doc/schema/replay.json \
	doc/schema/report.json \
	doc/schema/rotate.json \
	doc/schema/route.json \
	doc/schema/show.json \
	doc/schema/synth.json \
	doc/schema/top.json \
	doc/schema/topology.json \
	doc/schema/whatif.json

# pictures of doc/cases.md; `make cases` draws them
casesdir = $(docdir)/cases
dist_cases_DATA = \
	doc/cases/cresco8-rate.svg \
	doc/cases/livermore-share.svg \
	doc/cases/luna-all.svg \
	doc/cases/luna-guid.svg \
	doc/cases/luna-io.svg \
	doc/cases/luna-moved.svg \
	doc/cases/mustang-all.svg \
	doc/cases/mustang-guid.svg \
	doc/cases/mustang-io.svg \
	doc/cases/mustang-moved.svg \
	doc/cases/omnipath-across.svg \
	doc/cases/ring-all.svg \
	doc/cases/shared-neighbours.svg \
	doc/cases/shared-spread.svg \
	doc/cases/talon-blind.svg \
	doc/cases/talon-share.svg \
	doc/cases/talon-unknown.svg \
	doc/cases/wolf-before.svg \
	doc/cases/wolf-guid.svg \
	doc/cases/wolf-moved.svg \
	doc/cases/wolf-neighbours.svg \
	doc/cases/wolf-placed.svg

# `make pictures` draws them
picturedir = $(docdir)/pictures
dist_picture_DATA = \
	doc/pictures/tour-collide.svg \
	doc/pictures/tour-io.svg \
	doc/pictures/tour-job.svg \
	doc/pictures/tour-jobs.svg

# all pictures of doc/ again, by the commands that its pages name
.PHONY: pictures
pictures: cases
	SFAB_GOLDEN=1 $(MAKE) check TESTS=tests/sim/tour.t
