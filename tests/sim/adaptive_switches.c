/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive_switches.c - switches of ibsim that answer what NVIDIA's do of adaptive routing, for
 * a program that has this library preloaded before libumad2sim
 *
 *	SIM_FAR=FILE	ibdiagnet2.far; its switches answer what it says, as it says it
 *			when they are asked; all else goes to ibsim
 *	SIM_M_KEY=KEY	they answer only those who send it
 *	SIM_TRAITS=1	they say that they do HBF and SHIELD
 *	SIM_LIE=WHAT	what the switch of the file's first line says instead, by lies[]
 */

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

#define PRIVATE_INFO 0xFF10
#define PRIVATE_MAP 0xFF14
#define AR_INFO 0xFF20
#define AR_GROUPS 0xFF21
#define AR_TABLE 0xFF23

#define PATHS 16384
#define PATH_AT 128		/* of the initial path in a directed MAD */
#define CAN_HAVE 2048		/* groups */
#define FAR_MAX (1 << 26)	/* bytes of the file */

/* What a switch may say instead; in the order of names[]. */
enum lie { NO_LIE, RANGE, TOP, MUTE, LOST, HALF, PRIVATE, REFUSED, SHIFTED, FROM_1, LEVELS,
	   TABLES, TWICE };
static const char *const names[] = {
	"", "range", "top", "mute", "lost", "half", "private", "refused", "shifted", "from-1",
	"levels", "tables", "twice",
};

/* Whose MADs go this way; NodeInfo told it. */
static struct way {
	uint8_t path[65];	/* hops, then 64 bytes of ports */
	uint64_t guid;
} ways[PATHS];
static unsigned nways;

static struct {
	int there, agent;	/* is there one? */
	struct ib_user_mad umad;
	uint8_t mad[IB_MAD_SIZE];
} waiting;

static void path_sent(const uint8_t *mad, uint8_t path[65])
{
	memset(path, 0, 65);
	path[0] = mad[7];
	memcpy(path + 1, mad + PATH_AT + 1, mad[7] & 63);
}

static uint64_t guid_at_end(const uint8_t *mad)
{
	uint8_t path[65];

	path_sent(mad, path);
	for (unsigned i = nways; i--;)
		if (memcmp(ways[i].path, path, sizeof(path)) == 0)
			return ways[i].guid;
	return 0;
}

static void learn_way(const uint8_t *mad)
{
	if (mad[1] != IB_SMI_DIRECT_CLASS || nways == PATHS ||
	    mad_get_field((void *) mad, 0, IB_MAD_ATTRID_F) != IB_ATTR_NODE_INFO)
		return;
	path_sent(mad, ways[nways].path);
	ways[nways++].guid = mad_get_field64((void *) (mad + IB_SMP_DATA_OFFS), 0,
					     IB_NODE_GUID_F);
}

/* -- the file --------------------------------------------------------------- */

static char *read_far(void)
{
	const char *name = getenv("SIM_FAR");
	FILE *file = name ? fopen(name, "r") : NULL;
	char *text = file ? calloc(1, FAR_MAX) : NULL;

	if (text && !fread(text, 1, FAR_MAX - 1, file))
		*text = '\0';
	if (file)
		fclose(file);
	return text;
}

/* What the file says of a switch, up to the next; NULL: not there. */
static char *section_of(char *text, uint64_t guid)
{
	char head[40], *at, *end;

	snprintf(head, sizeof(head), "Switch 0x%016llx\n", (unsigned long long) guid);
	at = text ? strstr(text, head) : NULL;
	end = at ? strstr(at + 1, "Switch 0x") : NULL;
	if (end)
		*end = '\0';
	return at;
}

static enum lie lie_of(const char *text, const char *section)
{
	const char *what = getenv("SIM_LIE");
	enum lie lie = TWICE;

	if (!what || text != section)
		return NO_LIE;
	while (lie && strcmp(names[lie], what) != 0)
		lie--;
	return lie;
}

static void put_be32(uint8_t *at, uint32_t value)
{
	for (int i = 3; i >= 0; i--, value >>= 8)
		at[i] = (uint8_t) value;
}

/* Highest group and sub-group. */
static void find_tops(const char *section, unsigned *group, unsigned *sub)
{
	const char *end = strstr(section, "LFT Definition:");
	unsigned g, s;

	*group = *sub = 0;
	for (const char *at = section; at && at < end; at = strchr(at + 1, '\n'))
		if (sscanf(at, " %u %u %*u", &g, &s) == 2) {
			*group = g > *group ? g : *group;
			*sub = s > *sub ? s : *sub;
		}
}

static void say_info(const char *section, enum lie lie, uint8_t *data)
{
	unsigned top, sub;

	find_tops(section, &top, &sub);
	put_be32(data, 1 | sub << 8 | (lie == LEVELS) << 28);
	put_be32(data + 4, CAN_HAVE | (lie == TOP ? CAN_HAVE : top) << 12);
	put_be32(data + 8, 0xF0000);
	if (getenv("SIM_TRAITS")) {
		data[3] |= 0x10;
		data[22] = 0x80;
	}
}

/* Its second table, if the file has one; NULL: it has not. */
static const char *second_table(const char *section)
{
	return strstr(strstr(section, "LFT Definition:") + 1, "LFT Definition:");
}

/* " PORT,PORT,..." and the end of the line, or that at once. */
static void say_ports(const char *at, enum lie lie, uint8_t bits[32])
{
	while (*at == ' ' || *at == ',') {
		char *end;
		unsigned port = (unsigned) strtoul(at + 1, &end, 10) + (lie == SHIFTED) -
				(lie == FROM_1);

		bits[31 - port / 8] |= (uint8_t) (1 << port % 8);
		at = end;
	}
}

static void say_groups(const char *section, enum lie lie, unsigned block, uint8_t *data)
{
	const char *end = strstr(section, "LFT Definition:");
	unsigned top, subs, group, sub;
	int head;

	find_tops(section, &top, &subs);
	for (const char *at = section; at && at < end; at = strchr(at + 1, '\n')) {
		unsigned k;

		if (sscanf(at, " %u %u %*u%n", &group, &sub, &head) != 2)
			continue;
		k = group * (subs + 1) + sub;
		if (k / 2 == block && !(lie == HALF && group % 2))
			say_ports(at + head, lie, data + 32 * (k % 2));
	}
}

static void say_table(const char *section, enum lie lie, unsigned block, uint8_t *data)
{
	static const char *const states[] = { "Bounded", "Free", "Static", "HBF" };
	const char *at = strstr(section, "LFT Definition:"), *end = second_table(section);
	unsigned lid, port, group, state;
	char word[16];

	for (unsigned i = 0; i < 16; i++)
		put_be32(data + 4 * i, 0x80FF0000);
	for (; at && (!end || at < end); at = strchr(at + 1, '\n')) {
		if (sscanf(at, " 0x%x %u %15s %u", &lid, &port, word, &group) != 4 ||
		    lid / 16 != block)
			continue;
		for (state = 0; strcmp(states[state], word) != 0;)
			state++;
		group += lie == RANGE && state != 2 ? 100 : 0;
		group = lie == TWICE && state == 2 ? port + 1 : group;
		put_be32(data + 4 * (lid % 16), state << 30 | port << 16 | group |
			 (lie == TABLES && state != 2) << 24);
	}
}

/* 1: @mad is now an answer.  0: there is none.  -1: ibsim has it. */
static int answer_vendor(uint8_t *mad)
{
	unsigned id = mad_get_field(mad, 0, IB_MAD_ATTRID_F);
	unsigned mod = mad_get_field(mad, 0, IB_MAD_ATTRMOD_F);
	uint8_t *data = mad + IB_SMP_DATA_OFFS;
	const char *key = getenv("SIM_M_KEY");
	char *text, *section;
	enum lie lie;
	int private;

	if (mad[1] != IB_SMI_DIRECT_CLASS ||
	    (id != PRIVATE_INFO && id != PRIVATE_MAP && id != AR_INFO && id != AR_GROUPS &&
	     id != AR_TABLE))
		return -1;
	text = read_far();
	section = section_of(text, guid_at_end(mad));
	lie = lie_of(text, section);
	private = lie == PRIVATE || (section && second_table(section));
	memset(data, 0, IB_SMP_DATA_SIZE);
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	if (id == AR_INFO && section)
		say_info(section, lie, data);
	else if (id == AR_GROUPS && section)
		say_groups(section, lie, mod & 0xFFF, data);
	else if (id == AR_TABLE && section)
		say_table(section, lie, mod & 0xFFFFFF, data);
	else if (private)	/* mode 1; port 1 or 5 or ..., service level 1 */
		data[id == PRIVATE_INFO ? 3 : 17] = 1;
	if (!section || lie == REFUSED || (id == PRIVATE_MAP && !private))
		mad[5] = 0x0C;	/* no such attribute */
	free(text);
	if (key && mad_get_field64(mad, 0, IB_MAD_MKEY_F) != strtoull(key, NULL, 16))
		return 0;
	return !(lie == MUTE || (lie == LOST && id == AR_TABLE && mod));
}

/* -- libibumad -------------------------------------------------------------- */

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms,
	      int retries)
{
	int (*next)(int, int, void *, int, int, int) =
	    (int (*)(int, int, void *, int, int, int)) dlsym(RTLD_NEXT, "umad_send");
	uint8_t mad[IB_MAD_SIZE];
	int rc;

	memcpy(mad, umad_get_mad(umad), IB_MAD_SIZE);
	rc = answer_vendor(mad);
	if (rc < 0)
		return next(portid, agentid, umad, length, timeout_ms, retries);
	if (rc == 0)
		return 0;
	waiting.there = 1;
	waiting.agent = agentid;
	memcpy(&waiting.umad, umad, umad_size());
	waiting.umad.status = 0;
	memcpy(waiting.mad, mad, IB_MAD_SIZE);
	return 0;
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	int (*next)(int, void *, int *, int) =
	    (int (*)(int, void *, int *, int)) dlsym(RTLD_NEXT, "umad_recv");
	int agent = waiting.agent;

	if (!waiting.there) {
		agent = next(portid, umad, length, timeout_ms);
		if (agent >= 0)
			learn_way(umad_get_mad(umad));
		return agent;
	}
	waiting.there = 0;
	memcpy(umad, &waiting.umad, umad_size());
	memcpy(umad_get_mad(umad), waiting.mad, IB_MAD_SIZE);
	*length = IB_MAD_SIZE;
	return agent;
}
