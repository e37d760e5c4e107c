/* SPDX-License-Identifier: GPL-2.0-or-later */
/* little.h - numbers in little-endian bytes, whatever the machine */
#ifndef SFAB_LITTLE_H
#define SFAB_LITTLE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t sfab_little_get16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return le16toh(v);
}

static inline uint32_t sfab_little_get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t sfab_little_get64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static inline void sfab_little_put16(uint8_t *p, uint16_t v)
{
	v = htole16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void sfab_little_put32(uint8_t *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void sfab_little_put64(uint8_t *p, uint64_t v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

/* The bits of an IEEE double, as all machines that run Slurm have them. */
static inline double sfab_little_get_f64(const uint8_t *p)
{
	uint64_t bits = sfab_little_get64(p);
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static inline void sfab_little_put_f64(uint8_t *p, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	sfab_little_put64(p, bits);
}

#endif
