/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.c - symbols of a program or shared object, by libelf; see elf.h
 *
 * libelf checks every offset in the file except an object's own address:
 * sfab_elf_object() checks that.
 */

#include "tools/check/elf.h"

#include <gelf.h>
#include <libelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

struct sfab_elf {
	uint8_t *bytes;	/* the whole file; @elf points into it */
	Elf *elf;
	Elf_Data *symbols;
	int nsymbols;
	size_t names;		/* section of the symbol names */
	Elf_Data *versions;	/* NULL: none */
};

/* Class and byte order as in our own program. */
static int is_of_this_machine(Elf *elf)
{
	static const unsigned char native[] = {
		ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
		sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32,
		__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
			ELFDATA2LSB : ELFDATA2MSB,
	};
	size_t n = 0;
	const char *ident = elf_getident(elf, &n);

	return elf_kind(elf) == ELF_K_ELF && ident && n >= sizeof(native) &&
	       memcmp(ident, native, sizeof(native)) == 0;
}

/* The first section of this type and its header, or NULL. */
static Elf_Scn *find_section(Elf *elf, uint32_t type, GElf_Shdr *header)
{
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s))
		if (gelf_getshdr(s, header) && header->sh_type == type)
			return s;
	return NULL;
}

/* Versions are optional: most objects have none. */
static int read_symbols(struct sfab_elf *e, struct sfab_err *err)
{
	GElf_Shdr header;
	Elf_Scn *s = find_section(e->elf, SHT_DYNSYM, &header);
	size_t size = gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);

	if (!s)
		return sfab_fail(err, SFAB_EFORMAT, "no dynamic symbols");
	e->symbols = elf_getdata(s, NULL);
	if (!e->symbols || !size)
		return sfab_fail(err, SFAB_EFORMAT, "damaged symbol table (%s)",
				 elf_errmsg(-1));
	e->nsymbols = (int) (e->symbols->d_size / size);
	e->names = header.sh_link;
	s = find_section(e->elf, SHT_GNU_versym, &header);
	e->versions = s ? elf_getdata(s, NULL) : NULL;
	return 0;
}

struct sfab_elf *sfab_elf_open(const char *path, struct sfab_err *err)
{
	struct sfab_elf *e = calloc(1, sizeof(*e));
	size_t size;

	if (!e) {
		sfab_no_memory(err);
		return NULL;
	}
	/* A private copy of the bytes: the file may be replaced while we look. */
	if (sfab_file_read(path, NULL, &e->bytes, &size, err) == 0) {
		elf_version(EV_CURRENT);
		e->elf = elf_memory((char *) e->bytes, size);
		if (!is_of_this_machine(e->elf))
			sfab_fail(err, SFAB_EFORMAT,
				  "no program or shared object of this machine");
		else if (read_symbols(e, err) == 0)
			return e;
		sfab_fail_prefix(err, "%s", path);
	}
	sfab_elf_close(e);
	return NULL;
}

void sfab_elf_close(struct sfab_elf *e)
{
	if (!e)
		return;
	elf_end(e->elf);
	free(e->bytes);
	free(e);
}

/* Symbol @i and its name; NULL if it has none, or a damaged one. */
static const char *symbol_at(const struct sfab_elf *e, int i, GElf_Sym *symbol)
{
	if (!gelf_getsym(e->symbols, i, symbol) || !symbol->st_name)
		return NULL;
	return elf_strptr(e->elf, e->names, symbol->st_name);
}

/* 1 and @found, or 0 */
static int find_defined(const struct sfab_elf *e, const char *symbol,
			GElf_Sym *found)
{
	for (int i = 0; i < e->nsymbols; i++) {
		const char *name = symbol_at(e, i, found);

		if (name && found->st_shndx != SHN_UNDEF &&
		    strcmp(name, symbol) == 0)
			return 1;
	}
	return 0;
}

int sfab_elf_defines(const struct sfab_elf *e, const char *symbol)
{
	GElf_Sym found;

	return find_defined(e, symbol, &found);
}

/*
 * In a shared object a symbol's value is an address; its section begins at
 * sh_addr.  What lies in .bss has no bytes in the file (SHT_NOBITS).
 */
size_t sfab_elf_object(const struct sfab_elf *e, const char *symbol, void *buf,
		       size_t size)
{
	GElf_Sym found;
	GElf_Shdr in;
	Elf_Scn *s;
	const Elf_Data *data;
	uint64_t at;

	if (!find_defined(e, symbol, &found))
		return 0;
	s = elf_getscn(e->elf, found.st_shndx);
	if (!s || !gelf_getshdr(s, &in) || in.sh_type == SHT_NOBITS)
		return 0;
	data = elf_rawdata(s, NULL);
	at = found.st_value - in.sh_addr;
	if (found.st_size < size)
		size = found.st_size;
	if (!data || !data->d_buf || at > data->d_size ||
	    size > data->d_size - at)
		return 0;
	memcpy(buf, (const uint8_t *) data->d_buf + at, size);
	return size;
}

/*
 * Symbols with a version are those of libc and its like, which the loader
 * resolves by itself.
 */
void sfab_elf_each_undefined(const struct sfab_elf *e, sfab_elf_symbol_fn fn,
			     void *ctx)
{
	GElf_Versym version;
	GElf_Sym symbol;

	for (int i = 0; i < e->nsymbols; i++) {
		const char *name = symbol_at(e, i, &symbol);

		if (!name || symbol.st_shndx != SHN_UNDEF)
			continue;
		/* 0 and 1 are "local" and "global", no versions of a library */
		if (e->versions && gelf_getversym(e->versions, i, &version) &&
		    (version & 0x7fff) > 1)
			continue;
		fn(ctx, name);
	}
}
