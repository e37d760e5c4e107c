/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rate.c - one table of link speeds; see rate.h
 *
 * Formats write speeds as names ("4xHDR"), as OpenSM's numbers, as codes of attributes or as
 * ibdiagnet's numbers.  All of them come down to bytes/s of data for a lane, times the number
 * of lanes.
 */

#include "io/rate.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "core/is_digit.h"

struct speed {
	const char *name;	/* as ibnetdiscover and admins write it */
	const char *number;	/* as OpenSM writes it: Gbit/s per lane */
	double lane;		/* bytes/s of data */
};

/*
 * Up to QDR ten bits are sent for eight, from FDR10 on 66 for 64.  All figures but FDR's are
 * round: 25.78125 GBd x 64 / 66 / 8 is 3.125 GB/s.
 */
#define LANE_64B66B(gbaud) ((gbaud) * 1e9 * 64 / 66 / 8)

static const struct speed speeds[] = {
	{ "SDR", "2.5", 0.25e9 },
	{ "DDR", "5", 0.5e9 },
	{ "QDR", "10", 1e9 },
	{ "FDR10", "FDR10", 1.25e9 },
	{ "FDR", "14", LANE_64B66B(14.0625) },
	{ "EDR", "25", 3.125e9 },
	{ "HDR", "50", 6.25e9 },
	{ "NDR", "100", 12.5e9 },
	{ "XDR", "200", 25e9 },
};
#define NSPEEDS (sizeof(speeds) / sizeof(speeds[0]))

double sfab_rate_lane(const char *speed)
{
	size_t i;

	for (i = 0; i < NSPEEDS; i++)
		if (strcasecmp(speed, speeds[i].name) == 0)
			return speeds[i].lane;
	return 0;
}

double sfab_rate_lane_gbps(const char *number)
{
	size_t i;

	for (i = 0; i < NSPEEDS; i++)
		if (strcmp(number, speeds[i].number) == 0)
			return speeds[i].lane;
	return 0;
}

/*
 * Parse "4x" or "12X", and set *@rest to the text after it.  Return the lanes, 0 if it is no
 * width.
 */
static unsigned parse_width(const char *text, const char **rest)
{
	static const unsigned widths[] = { 1, 2, 4, 8, 12 };
	unsigned n = 0;
	size_t i;

	while (sfab_is_digit(*text) && n < 100)
		n = n * 10 + (unsigned) (*text++ - '0');
	if (*text != 'x' && *text != 'X')
		return 0;
	*rest = text + 1;
	for (i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (n == widths[i])
			return n;
	return 0;
}

unsigned sfab_rate_width(const char *text)
{
	const char *rest;
	unsigned n = parse_width(text, &rest);

	return n && *rest == '\0' ? n : 0;
}

double sfab_rate_text(const char *text)
{
	const char *speed;
	unsigned lanes = parse_width(text, &speed);

	if (lanes == 0)
		return 0;
	while (*speed == ' ')
		speed++;
	return lanes * sfab_rate_lane(speed);
}

/* Names by bit number in the code. */
static const char *const widths[] = { "1x", "4x", "8x", "12x", "2x" };
static const char *const base_speeds[] = { "SDR", "DDR", "QDR" };
static const char *const extended_speeds[] = { "FDR", "EDR", "HDR", "NDR", "XDR" };

/* Return the name for the one bit set in @code, or NULL. */
static const char *bit_name(unsigned code, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code == 1u << i)
			return names[i];
	return NULL;
}
#define BIT_NAME(code, names) \
	bit_name(code, names, sizeof(names) / sizeof((names)[0]))

double sfab_rate_codes(unsigned width, unsigned speed, unsigned extended,
		       int fdr10)
{
	const char *lanes = BIT_NAME(width, widths);
	const char *name = extended ? BIT_NAME(extended, extended_speeds)
			   : fdr10 ? "FDR10" : BIT_NAME(speed, base_speeds);

	return lanes && name ? sfab_rate_width(lanes) * sfab_rate_lane(name) : 0;
}

/*
 * Split @speed: the low byte is the code of LinkSpeedActive, the next that of
 * LinkSpeedExtActive.
 */
double sfab_rate_ibdiagnet(uint64_t width, uint64_t speed)
{
	static const uint64_t fdr10 = 1 << 16, xdr = 1 << 24;

	if (width > UINT8_MAX)
		return 0;
	/* XDR has a bit outside of the codes: their width, with another speed. */
	if (speed == xdr)
		return sfab_rate_codes((unsigned) width, 1, 0, 0) /
		       sfab_rate_lane("SDR") * sfab_rate_lane("XDR");
	if (speed != fdr10 && speed > UINT16_MAX)
		return 0;
	return sfab_rate_codes((unsigned) width, speed & 0xFF,
			       (unsigned) speed >> 8 & 0xFF, speed == fdr10);
}

double sfab_rate_omnipath(const char *lanes, const char *speed)
{
	double lane = strcmp(speed, "25Gb") == 0 ? 3.125e9 :
		      strcmp(speed, "12.5Gb") == 0 ? 1.5625e9 : 0;

	if (lanes[0] < '1' || lanes[0] > '4' || lanes[1] != '\0')
		return 0;
	return (lanes[0] - '0') * lane;
}
