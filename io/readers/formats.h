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
sfab_read_fn sfab_ibnetdiscover_read;

/* opensm-subnet.lst: switches, end ports, routers, links; it has no LMC. */
sfab_read_fn sfab_subnet_lst_read;

/* opensm-lfts.dump, dump_fts(8), ibroute(8): tables. */
#define SFAB_LFTS_HEADING "Unicast lids ["
sfab_read_fn sfab_lfts_read;

/* opensm.fdbs and ibdiagnet2.fdbs: tables. */
#define SFAB_FDBS_HEADING "dump_ucast_routes: Switch "
#define SFAB_FDBS_OLD_HEADING "osm_ucast_mgr_dump_ucast_routes: Switch "
sfab_read_fn sfab_fdbs_read;

/* ibdiagnet2.db_csv: sections NODES, PORTS and LINKS, topology; PM_INFO, counters. */
sfab_read_fn sfab_db_csv_read;
sfab_count_fn sfab_db_csv_count;

/* ibdiagnet2.far: tables with adaptive routing. */
sfab_detect_fn sfab_far_detect;
sfab_read_fn sfab_far_read;

/* Omni-Path XML: topology with tables (-o snapshot -r), tables (-o linear). */
sfab_read_fn sfab_opa_read;

/* opareport -o linear, as text: tables. */
sfab_read_fn sfab_opa_linear_read;

/* opensm.log: the routing engine really used, the ones requested, the SM. */
sfab_detect_fn sfab_opensm_log_detect;
sfab_read_fn sfab_opensm_log_read;

/* Counters: PerfMgr's dump, opaextractperf, perfquery(8). */
sfab_count_fn sfab_perfmgr_count, sfab_opaextractperf_count, sfab_perfquery_count;

/* Counters: Prometheus' text, UFM Telemetry's CSV and JSON, files of LDMS's store_csv. */
sfab_detect_fn sfab_prometheus_detect, sfab_ufm_json_detect;
sfab_count_fn sfab_prometheus_count, sfab_ufm_count, sfab_ufm_json_count, sfab_ldms_count;

/* The static routes of sfabric-routes(5): topology and tables. */
sfab_detect_fn sfab_routes_detect;
sfab_read_fn sfab_routes_read;

#endif
