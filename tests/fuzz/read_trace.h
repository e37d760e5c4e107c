/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read_trace.h - read a log of jobs, look at what comes of it */
#ifndef SFAB_FUZZ_READ_TRACE_H
#define SFAB_FUZZ_READ_TRACE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Parse a copy of @data, which ends where @size says, as trace_read() would.
 * Aborts for a job out of its bounds or an error that names no place.
 */
int fuzz_read_trace(const uint8_t *data, size_t size, const char *fields);

#endif
