/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opensm_conf.c - "KEY VALUE" by line, the last line of a key counts; see opensm_conf.h */

#include "tools/audit/opensm_conf.h"

#include <stdlib.h>
#include <string.h>

#include "io/readers/reader.h"
#include "tools/ui/say.h"

/* Of the last three: for all ports, of hosts (ca), and of switches (swe). */
enum { ENGINE, QOS, OP_VLS, SL2VL, HIGH = SL2VL + 3, LOW = HIGH + 3, KEYS = LOW + 3 };

static const char *const opensm_keys[KEYS] = {
	"routing_engine", "qos", "max_op_vls",
	"qos_sl2vl", "qos_ca_sl2vl", "qos_swe_sl2vl",
	"qos_vlarb_high", "qos_ca_vlarb_high", "qos_swe_vlarb_high",
	"qos_vlarb_low", "qos_ca_vlarb_low", "qos_swe_vlarb_low",
};

/* Those of OpenSM, where the file has none. */
static const char *const opensm_defaults[KEYS] = {
	[OP_VLS] = "5", [SL2VL] = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7",
	[HIGH] = "0:4", [LOW] = "1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4",
};

/* @key: for all ports; @side: 0 hosts, 1 switches. */
static const char *side_value(const char *const value[KEYS], int key, int side)
{
	const char *own = value[key + 1 + side], *all = value[key];

	return own ? own : all ? all : opensm_defaults[key];
}

/* As OpenSM does: levels that a short list lacks have VL 0. */
static void read_sl2vl(const char *list, uint8_t vl[16])
{
	char *end;

	for (int sl = 0; sl < 16; sl++) {
		vl[sl] = strtoul(list, &end, 0) & 15;
		list = *end ? end + 1 : end;
	}
}

/* "VL:WEIGHT,...": the VLs that have a weight.  Ports may have room for eight entries. */
static uint16_t read_vlarb(const char *list)
{
	unsigned served = 0;
	char *end;

	for (int i = 0; *list && i < 8; i++) {
		unsigned long vl = strtoul(list, &end, 0) % 15;

		list = *end ? end + 1 : end;
		if (strtoul(list, &end, 0) & 0xFF)
			served |= 1u << vl;
		list = *end ? end + 1 : end;
	}
	return (uint16_t) served;
}

static void set_lanes(const char *const value[KEYS], struct sfab_lanes *lanes)
{
	const char *vls = value[OP_VLS] ? value[OP_VLS] : opensm_defaults[OP_VLS];
	unsigned long code = strtoul(vls, NULL, 0);

	lanes->on = value[QOS] && strcmp(value[QOS], "TRUE") == 0;
	lanes->vls = 1u << (code < 1 ? 0 : code > 5 ? 4 : code - 1);
	for (int side = 0; side < 2; side++) {
		read_sl2vl(side_value(value, SL2VL, side), lanes->vl[side]);
		lanes->served[side] = read_vlarb(side_value(value, HIGH, side)) |
				      read_vlarb(side_value(value, LOW, side));
	}
}

int opensm_conf_read(const char *path, char **engine, struct sfab_lanes *lanes,
		     struct sfab_err *err)
{
	const char *value[KEYS] = { NULL };
	char *text, *next, *rest;
	size_t size;
	int rc = 0;

	if (sfab_text_read(path, 0, &text, &size, err) != 0)
		return -1;
	for (char *line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		const char *word = strtok_r(line, " \t\r", &rest);

		for (int k = 0; word && k < KEYS; k++)
			if (strcmp(word, opensm_keys[k]) == 0) {
				rest += strspn(rest, " \t");
				rest[strcspn(rest, "\r#")] = '\0';
				/* "(null)" is what OpenSM writes for none. */
				value[k] = strcmp(rest, "(null)") == 0 ? NULL : rest;
			}
	}
	set_lanes(value, lanes);
	if (value[ENGINE])
		*engine = need_copy(value[ENGINE]);
	else if (!value[QOS])
		rc = sfab_fail(err, SFAB_EFORMAT, "%s: no routing_engine is set", path);
	free(text);
	return rc;
}
