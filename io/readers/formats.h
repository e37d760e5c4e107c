/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formats.h - the functions in the rows of sfab_readers[]
 *
 * Contracts: struct sfab_reader in reader.h.  Each format has its own file.
 */
#ifndef SFAB_FORMATS_H
#define SFAB_FORMATS_H

#include "io/readers/reader.h"

/* ibnetdiscover(8), also -f and -g: switches, end ports, routers, links. */
int sfab_ibnetdiscover_detect(const char *head, size_t size);
int sfab_ibnetdiscover_read(const struct sfab_reader_ctx *ctx,
			    const char *text, size_t size,
			    struct sfab_err *err);

/* opensm-subnet.lst: the same, but without LMC. */
int sfab_subnet_lst_detect(const char *head, size_t size);
int sfab_subnet_lst_read(const struct sfab_reader_ctx *ctx, const char *text,
			 size_t size, struct sfab_err *err);

/* opensm-lfts.dump, dump_fts(8), ibroute(8): tables. */
extern const char *const sfab_lfts_heading[];
int sfab_lfts_detect(const char *head, size_t size);
int sfab_lfts_read(const struct sfab_reader_ctx *ctx, const char *text,
		   size_t size, struct sfab_err *err);

/* opensm.fdbs and ibdiagnet2.fdbs: tables. */
extern const char *const sfab_fdbs_heading[];
int sfab_fdbs_detect(const char *head, size_t size);
int sfab_fdbs_read(const struct sfab_reader_ctx *ctx, const char *text,
		   size_t size, struct sfab_err *err);

/* ibdiagnet2.db_csv: sections NODES, PORTS and LINKS, topology. */
int sfab_db_csv_detect(const char *head, size_t size);
int sfab_db_csv_read(const struct sfab_reader_ctx *ctx, const char *text,
		     size_t size, struct sfab_err *err);

/* ibdiagnet2.far: tables with adaptive routing. */
int sfab_far_detect(const char *head, size_t size);
int sfab_far_read(const struct sfab_reader_ctx *ctx, const char *text,
		  size_t size, struct sfab_err *err);

/* Omni-Path XML: topology with tables (-o snapshot -r), tables (-o linear). */
int sfab_opa_snapshot_detect(const char *head, size_t size);
int sfab_opa_linear_xml_detect(const char *head, size_t size);
int sfab_opa_read(const struct sfab_reader_ctx *ctx, const char *text,
		  size_t size, struct sfab_err *err);

/* opareport -o linear: the same tables as text. */
int sfab_opa_linear_detect(const char *head, size_t size);
int sfab_opa_linear_read(const struct sfab_reader_ctx *ctx, const char *text,
			 size_t size, struct sfab_err *err);

/* opensm.log: the routing engine really used, the ones requested, the SM. */
int sfab_opensm_log_detect(const char *head, size_t size);
int sfab_opensm_log_read(const struct sfab_reader_ctx *ctx, const char *text,
			 size_t size, struct sfab_err *err);

/* Counters: PM_INFO of db_csv, PerfMgr's dump, opaextractperf, perfquery(8). */
int sfab_db_csv_count(struct sfab_counts *c, const char *text, size_t size,
		      struct sfab_err *err);
int sfab_perfmgr_detect(const char *head, size_t size);
int sfab_perfmgr_count(struct sfab_counts *c, const char *text, size_t size,
		       struct sfab_err *err);
int sfab_opaextractperf_detect(const char *head, size_t size);
int sfab_opaextractperf_count(struct sfab_counts *c, const char *text,
			      size_t size, struct sfab_err *err);
int sfab_perfquery_detect(const char *head, size_t size);
int sfab_perfquery_count(struct sfab_counts *c, const char *text, size_t size,
			 struct sfab_err *err);

/* Counters: Prometheus' text, UFM Telemetry's CSV and JSON, files of LDMS's store_csv. */
int sfab_prometheus_detect(const char *head, size_t size);
int sfab_prometheus_count(struct sfab_counts *c, const char *text, size_t size,
			  struct sfab_err *err);
int sfab_ufm_detect(const char *head, size_t size);
int sfab_ufm_count(struct sfab_counts *c, const char *text, size_t size,
		   struct sfab_err *err);
int sfab_ufm_json_detect(const char *head, size_t size);
int sfab_ufm_json_count(struct sfab_counts *c, const char *text, size_t size,
			struct sfab_err *err);
int sfab_ldms_detect(const char *head, size_t size);
int sfab_ldms_count(struct sfab_counts *c, const char *text, size_t size,
		    struct sfab_err *err);

/* The static routes of sfabric-routes(5): topology and tables. */
int sfab_routes_detect(const char *head, size_t size);
int sfab_routes_read(const struct sfab_reader_ctx *ctx, const char *text,
		     size_t size, struct sfab_err *err);

#endif
