/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts.h - one small fabric in each format, whole or spoilt, for the readers
 *
 *          spine1 (b01, LID 3)            4 ports a switch, QDR
 *         [1]|        |[2]
 *         [4]|        |[4]
 *    leaf1 (a01, 1)  leaf2 (a02, 2)
 *     [1]|  |[2]      [1]|  |[2]
 *       n1  n2          n3  n4           node c01.., port c11.., LIDs 4-7
 */
#ifndef SFAB_TEST_TEXTS_H
#define SFAB_TEST_TEXTS_H

#include "core/fabric.h"
#include "io/reader.h"

extern const char text_ibnetdiscover[];
extern const char text_subnet_lst[];
extern const char text_lfts[];
extern const char text_fdbs[];

/* One replacement in a text, and what the import then must say. */
struct spoilt {
	const char *from, *to;	/* first occurrence */
	const char *error;	/* all of it */
};

/* Copy with the first @from replaced; fails the test if there is none. */
char *texts_edit(const char *text, const char *from, const char *to);

/* Both texts, called "topology" and "tables", to a fabric: NULL and *@err. */
struct sfab_fabric *texts_import(const char *topology, const char *tables,
				 const struct sfab_namemap *map,
				 struct sfab_err *err);

/* The same two, @size bytes of @cut instead of the whole: must fail. */
void texts_check_cuts(const char *topology, const char *tables,
		      const char *cut);

/* Import with @text spoilt (which is @topology or @tables), compare errors. */
void texts_check_spoilt(const char *topology, const char *tables,
			const char *text, const struct spoilt *how);

/* Fails the test unless everything but the SM's GUID is the same. */
void texts_check_same(const struct sfab_fabric *a, const struct sfab_fabric *b);

#endif
