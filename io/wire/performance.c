/* SPDX-License-Identifier: GPL-2.0-or-later */
/* performance.c - PortCounters and PortCountersExtended; see wire.h */

#include "io/wire/wire_private.h"

#include <infiniband/mad.h>

#include "io/clock.h"

/* ClassPortInfo (IBA 1.4, 16.1.3.1) */
#define CAP_EXT_WIDTH 0x0600u	/* IsExtendedWidthSupported, ...NoIETF */
#define CAP_XMIT_WAIT 0x1000u	/* PortXmitWait */
#define CAP2_MORE_EXT 0x2u	/* IsAdditionalPortCountersExtendedSupported */
#define SELECT_XMIT_WAIT 0x10000u	/* CounterSelect2, bit 0 */

static uint32_t narrow_field(const uint8_t *data, enum MAD_FIELDS f)
{
	return mad_get_field((void *) data, 0, f);
}

/* Query the counters of a port, or clear those of @clear, a counter select. */
static int ask_port_counters(struct sfab_wire *w, uint32_t node, uint8_t port, unsigned id,
			     unsigned clear, uint8_t *data)
{
	mad_set_field(data, 0, IB_PC_PORT_SELECT_F, port);
	if (clear) {
		mad_set_field(data, 0, IB_PC_COUNTER_SELECT_F, clear & 0xFFFF);
		mad_set_field(data, 0, id == IB_GSI_PORT_COUNTERS_EXT ?
			      IB_PC_EXT_COUNTER_SELECT2_F : IB_PC_COUNTER_SELECT2_F,
			      clear >> 16);
	}
	return sfab_wire_ask_agent(w, node, port, id, clear != 0, data);
}

/* Ask what an agent can count, once per node and not once per port. */
static int meet_agent(struct sfab_wire *w, uint32_t node, uint8_t port)
{
	struct sfab_performance *can = sfab_wire_performance(w, node);
	uint8_t data[SFAB_PERFORMANCE_SIZE] = { 0 };

	if (can->is_known)
		return 0;
	if (ask_port_counters(w, node, port, CLASS_PORT_INFO, 0, data) < 0)
		return -1;
	can->cap = narrow_field(data, IB_CPI_CAPMASK_F);
	can->cap2 = narrow_field(data, IB_CPI_CAPMASK2_F);
	can->is_known = 1;
	return 0;
}

static const enum MAD_FIELDS errors[] = {
	IB_PC_ERR_SYM_F, IB_PC_LINK_RECOVERS_F, IB_PC_LINK_DOWNED_F,
	IB_PC_ERR_RCV_F, IB_PC_ERR_PHYSRCV_F, IB_PC_ERR_SWITCH_REL_F,
	IB_PC_ERR_XMTCONSTR_F, IB_PC_ERR_RCVCONSTR_F, IB_PC_ERR_LOCALINTEG_F,
	IB_PC_ERR_EXCESS_OVR_F, IB_PC_VL15_DROPPED_F,
};
static const enum MAD_FIELDS ext_errors[] = {
	IB_PC_EXT_ERR_SYM_F, IB_PC_EXT_LINK_RECOVERS_F,
	IB_PC_EXT_LINK_DOWNED_F, IB_PC_EXT_ERR_RCV_F, IB_PC_EXT_ERR_PHYSRCV_F,
	IB_PC_EXT_ERR_SWITCH_REL_F, IB_PC_EXT_ERR_XMTCONSTR_F,
	IB_PC_EXT_ERR_RCVCONSTR_F, IB_PC_EXT_ERR_LOCALINTEG_F,
	IB_PC_EXT_ERR_EXCESS_OVR_F, IB_PC_EXT_VL15_DROPPED_F,
};

/* Read PortCounters, all that an old agent has.  They stop at their maximum. */
static void read_short(const uint8_t *data, const struct sfab_performance *can,
		       struct sfab_counter *c)
{
	c->xmit_words = narrow_field(data, IB_PC_XMT_BYTES_F);
	c->rcv_words = narrow_field(data, IB_PC_RCV_BYTES_F);
	c->discards = narrow_field(data, IB_PC_XMT_DISCARDS_F);
	c->errors = 0;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		c->errors += narrow_field(data, errors[i]);
	if (can->cap & CAP_XMIT_WAIT)
		c->wait_ticks = narrow_field(data, IB_PC_XMT_WAIT_F);
	else
		c->flags |= SFAB_COUNTER_NO_WAIT;
	if (c->wait_ticks >= UINT32_MAX)
		c->flags |= SFAB_COUNTER_STUCK | SFAB_COUNTER_NO_WAIT;
	if (c->xmit_words >= UINT32_MAX || c->rcv_words >= UINT32_MAX)
		c->flags |= SFAB_COUNTER_NO_RATE;
}

static uint64_t counter_field(const uint8_t *data, enum MAD_FIELDS f)
{
	return mad_get_field64((void *) data, 0, f);
}

/* Read PortCountersExtended: 64-bit data, and with newer agents everything else. */
static void read_wide(const uint8_t *data, const struct sfab_performance *can,
		      struct sfab_counter *c)
{
	c->xmit_words = counter_field(data, IB_PC_EXT_XMT_BYTES_F);
	c->rcv_words = counter_field(data, IB_PC_EXT_RCV_BYTES_F);
	c->flags &= (uint8_t) ~SFAB_COUNTER_NO_RATE;
	if (!(can->cap2 & CAP2_MORE_EXT))
		return;
	c->discards = counter_field(data, IB_PC_EXT_XMT_DISCARDS_F);
	c->errors = 0;
	for (size_t i = 0; i < sizeof(ext_errors) / sizeof(ext_errors[0]); i++)
		c->errors += counter_field(data, ext_errors[i]);
	c->wait_ticks = counter_field(data, IB_PC_EXT_XMT_WAIT_F);
	c->flags = 0;
}

int sfab_wire_count(struct sfab_wire *w, uint32_t node, uint8_t port,
		    struct sfab_counter *c)
{
	const struct sfab_performance *can = sfab_wire_performance(w, node);
	uint8_t data[SFAB_PERFORMANCE_SIZE] = { 0 };

	*c = (struct sfab_counter) { .guid = sfab_wire_found(w)->node[node].guid, .port = port };
	if (meet_agent(w, node, port) < 0)
		return -1;
	if (!(can->cap2 & CAP2_MORE_EXT)) {
		if (ask_port_counters(w, node, port, IB_GSI_PORT_COUNTERS, 0, data) < 0)
			return -1;
		read_short(data, can, c);
	}
	if (can->cap & CAP_EXT_WIDTH || can->cap2 & CAP2_MORE_EXT) {
		if (ask_port_counters(w, node, port, IB_GSI_PORT_COUNTERS_EXT, 0, data) < 0)
			return -1;
		read_wide(data, can, c);
	}
	c->time_ms = sfab_clock_realtime_ms();
	return 0;
}

int sfab_wire_clear_wait(struct sfab_wire *w, uint32_t node, uint8_t port)
{
	uint8_t data[SFAB_PERFORMANCE_SIZE] = { 0 };
	unsigned id = sfab_wire_performance(w, node)->cap2 & CAP2_MORE_EXT ?
		      IB_GSI_PORT_COUNTERS_EXT : IB_GSI_PORT_COUNTERS;

	return ask_port_counters(w, node, port, id, SELECT_XMIT_WAIT, data);
}
