/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.h - what a program or shared object says of itself: its symbols
 *
 * Read from the file, without loading it: loading a Slurm plugin would run it.
 * Only files of this machine's own word size and byte order.
 */
#ifndef SFAB_ELF_H
#define SFAB_ELF_H

#include <stddef.h>

#include "core/err.h"

struct sfab_elf;		/* opaque */

/*
 * NULL with "PATH: ..." if it cannot be read (SFAB_EIO, SFAB_ENOENT) or is no
 * such file or damaged (SFAB_EFORMAT).
 */
struct sfab_elf *sfab_elf_open(const char *path, struct sfab_err *err);
void sfab_elf_close(struct sfab_elf *e);	/* NULL is fine */

/* 1: others may use @symbol of it.  O(symbols). */
int sfab_elf_defines(const struct sfab_elf *e, const char *symbol);

/*
 * The bytes that the file holds for an object that it defines: copies at most
 * @size and returns how many; 0: no such object, or it has no bytes.
 */
size_t sfab_elf_object(const struct sfab_elf *e, const char *symbol, void *buf,
		  size_t size);

/*
 * Each symbol that @e takes from elsewhere.  Those with a version (the C
 * library's) are left out: the loader checks them by itself.
 */
typedef void (*sfab_elf_symbol_fn)(void *ctx, const char *symbol);
void sfab_elf_each_undefined(const struct sfab_elf *e, sfab_elf_symbol_fn fn,
			     void *ctx);

#endif
