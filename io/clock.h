/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - the clocks of the system */
#ifndef SFAB_CLOCK_H
#define SFAB_CLOCK_H

#include <stdint.h>

int64_t sfab_clock_monotonic_ns(void);	/* nobody sets this clock */
uint64_t sfab_clock_realtime_ms(void);	/* since 1970 */

#endif
