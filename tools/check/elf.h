/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.h - the symbols of a program or shared object
 *
 * Read from the file without loading it: loading a Slurm plugin would run it.
 * Only files of this machine's word size and byte order.
 */
#ifndef SFAB_ELF_H
#define SFAB_ELF_H

#include <stddef.h>

#include "core/err.h"

struct sfab_elf;		/* opaque */

/*
 * NULL with "PATH: ..." if it cannot be read (SFAB_EIO, SFAB_ENOENT), is not
 * such a file, or is damaged (SFAB_EFORMAT).
 */
struct sfab_elf *sfab_elf_open(const char *path, struct sfab_err *err);
void sfab_elf_close(struct sfab_elf *e);	/* NULL is fine */

/* 1: it defines @symbol for others.  O(symbols). */
int sfab_elf_defines(const struct sfab_elf *e, const char *symbol);

/*
 * The bytes in the file of an object that it defines.  Copies at most @size and
 * returns how many; 0: no such object, or it has no bytes.
 */
size_t sfab_elf_object(const struct sfab_elf *e, const char *symbol, void *buf,
		  size_t size);

/*
 * Each symbol that @e needs from elsewhere.  Symbols with a version (the C
 * library's) are left out: the loader checks them itself.
 */
typedef void (*sfab_elf_symbol_fn)(void *ctx, const char *symbol);
void sfab_elf_each_undefined(const struct sfab_elf *e, sfab_elf_symbol_fn fn,
			     void *ctx);

#endif
