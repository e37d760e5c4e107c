/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hash.c - XXH64's published values, and that no byte is overlooked */

#include <stdint.h>

#include "io/hash.h"
#include "io/little.h"
#include "tests/unit/fixtures/unit.h"

static const struct {
	const char *text;
	uint64_t hash;
} vectors[] = {
	{ "", 0xEF46DB3751D8E999 },
	{ "a", 0xD24EC4F1A98C6E5B },
	{ "abc", 0x44BC2CF5AD770999 },
	{ "Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1 },
};

LOOP_TEST(published_values, N(vectors))
{
	const char *text = vectors[_i].text;

	ck_assert_uint_eq(sfab_hash64((const uint8_t *) text, strlen(text)),
			  vectors[_i].hash);
}

TEST(every_bit_of_every_length_counts)
{
	uint8_t buf[100] = { 0 };
	uint64_t plain;

	for (size_t n = 0; n <= sizeof(buf); n++) {
		plain = sfab_hash64(buf, n);
		for (size_t bit = 0; bit < 8 * n; bit++) {
			buf[bit / 8] ^= (uint8_t) (1 << bit % 8);
			ck_assert_uint_ne(sfab_hash64(buf, n), plain);
			buf[bit / 8] ^= (uint8_t) (1 << bit % 8);
		}
	}
}

/*
 * The sums of lengths 0 to 100, from an aligned address and from an odd one, by the XXH64 that
 * wrote the first files: a sum of these sums.
 */
LOOP_TEST(sums_of_files_stay_the_same, 2)
{
	static const uint64_t expected[] = { 0xe14538551f68ed2c,
					     0x3d29e47bebcaae5e };
	_Alignas(8) uint8_t buf[102];
	uint8_t sum[8 * 101];

	for (size_t i = 0; i < sizeof(buf); i++)
		buf[i] = (uint8_t) (37 * i + 11);
	for (size_t n = 0; n <= 100; n++)
		sfab_little_put64(sum + 8 * n, sfab_hash64(buf + _i, n));
	ck_assert_uint_eq(sfab_hash64(sum, sizeof(sum)), expected[_i]);
}

UNIT_MAIN("hash")
