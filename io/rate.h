/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rate.h - link width and speed -> bytes/s of data
 *
 * Signaling rate minus encoding (IBA volume 2): 8b/10b up to QDR, 64b/66b from FDR10 on, HDR
 * and above as marketed.  GB/s per lane: SDR 0.25, DDR 0.5, QDR 1.0, FDR10 1.25, FDR 1.7045,
 * EDR 3.125, HDR 6.25, NDR 12.5, XDR 25.
 */
#ifndef SFAB_RATE_H
#define SFAB_RATE_H

#include <stdint.h>

/* Return the bytes/s of one lane by name: "QDR", "fdr10", ...; 0 if unknown. */
double sfab_rate_lane(const char *speed);

/*
 * Return the bytes/s of one lane by OpenSM's SPD=: "2.5", "FDR10", "14", "200", ...; 0 if
 * unknown.
 */
double sfab_rate_lane_gbps(const char *number);

/* Return the number of lanes by "1x", "2x", "4x", "8x" or "12x"; 0 for anything else. */
unsigned sfab_rate_width(const char *text);

/* Return the bytes/s of a link by "4xQDR" or "4x QDR"; 0 if not understood. */
double sfab_rate_text(const char *text);

/*
 * Return the bytes/s of a link by the codes of PortInfo (IBA 14.2.5.6): LinkWidthActive,
 * LinkSpeedActive, LinkSpeedExtActive (0: none), and whether Mellanox' FDR10 is active.  0 if
 * not understood.
 */
double sfab_rate_codes(unsigned width, unsigned speed, unsigned extended,
		       int fdr10);

/*
 * Return the bytes/s of a link by ibdiagnet's numbers: LinkSpeedActive with LinkSpeedExtActive
 * from bit 8 on, FDR10 as 0x10000, XDR as 0x1000000.  0 if not understood.
 */
double sfab_rate_ibdiagnet(uint64_t width, uint64_t speed);

/* Return the bytes/s of an Omni-Path link, "4" lanes of "25Gb" or "12.5Gb" (64b/66b); else 0. */
double sfab_rate_omnipath(const char *lanes, const char *speed);

#endif
