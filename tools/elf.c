/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf.c - symbols of a program or shared object; see elf.h
 *
 * The section headers lead to .dynsym, its string table and its version
 * indices.  Every offset comes from the file, so each is checked where it is
 * used: at() for bytes, name_of() for strings.
 */

#include "elf.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../io/file.h"

typedef ElfW(Ehdr) header_t;
typedef ElfW(Shdr) section_t;
typedef ElfW(Sym) symbol_t;

struct elf {
	uint8_t *bytes;
	size_t size;
	const section_t *section;
	size_t nsections;
	const symbol_t *symbol;
	size_t nsymbols;
	const char *names;
	size_t names_size;
	const uint16_t *version;	/* [nsymbols], NULL: none */
};

/* @n bytes at @offset, or NULL if the file or the alignment says otherwise. */
static const void *at(const struct elf *e, uint64_t offset, uint64_t n,
		      size_t align)
{
	if (offset > e->size || n > e->size - offset || offset % align)
		return NULL;
	return e->bytes + offset;
}

static int read_header(struct elf *e, struct sfab_err *err)
{
	static const unsigned char native[] = {
		ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
		sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32,
		__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
			ELFDATA2LSB : ELFDATA2MSB,
	};
	const header_t *h = at(e, 0, sizeof(*h), 1);

	if (!h || memcmp(h->e_ident, native, sizeof(native)) != 0)
		return sfab_fail(err, SFAB_EFORMAT,
				 "no program or shared object of this machine");
	e->nsections = h->e_shnum;
	e->section = at(e, h->e_shoff, h->e_shnum * sizeof(section_t),
			_Alignof(section_t));
	if (!e->section || h->e_shentsize != sizeof(section_t))
		return sfab_fail(err, SFAB_EFORMAT, "damaged section table");
	return 0;
}

static const section_t *find_section(const struct elf *e, uint32_t type)
{
	for (size_t i = 0; i < e->nsections; i++)
		if (e->section[i].sh_type == type)
			return &e->section[i];
	return NULL;
}

static int read_symbols(struct elf *e, struct sfab_err *err)
{
	const section_t *sym = find_section(e, SHT_DYNSYM);
	const section_t *ver = find_section(e, SHT_GNU_versym);
	const section_t *str;

	if (!sym || sym->sh_link >= e->nsections)
		return sfab_fail(err, SFAB_EFORMAT, "no dynamic symbols");
	str = &e->section[sym->sh_link];
	e->nsymbols = sym->sh_size / sizeof(symbol_t);
	e->symbol = at(e, sym->sh_offset, sym->sh_size, _Alignof(symbol_t));
	e->names_size = str->sh_size;
	e->names = at(e, str->sh_offset, str->sh_size, 1);
	if (!e->symbol || !e->names)
		return sfab_fail(err, SFAB_EFORMAT, "damaged symbol table");
	if (ver && ver->sh_size / sizeof(uint16_t) >= e->nsymbols)
		e->version = at(e, ver->sh_offset, ver->sh_size,
				_Alignof(uint16_t));
	return 0;
}

struct elf *elf_open(const char *path, struct sfab_err *err)
{
	struct elf *e = calloc(1, sizeof(*e));

	if (!e) {
		sfab_fail(err, SFAB_ENOMEM, "out of memory");
		return NULL;
	}
	if (sfab_file_read(path, NULL, &e->bytes, &e->size, err) < 0) {
		elf_close(e);
		return NULL;
	}
	if (read_header(e, err) < 0 || read_symbols(e, err) < 0) {
		sfab_fail_prefix(err, "%s", path);
		elf_close(e);
		return NULL;
	}
	return e;
}

void elf_close(struct elf *e)
{
	if (!e)
		return;
	free(e->bytes);
	free(e);
}

/* NULL: none, or it runs over the end of the table */
static const char *name_of(const struct elf *e, const symbol_t *s)
{
	if (s->st_name == 0 || s->st_name >= e->names_size ||
	    !memchr(e->names + s->st_name, 0, e->names_size - s->st_name))
		return NULL;
	return e->names + s->st_name;
}

static const symbol_t *find_defined(const struct elf *e, const char *symbol)
{
	for (size_t i = 0; i < e->nsymbols; i++) {
		const symbol_t *s = &e->symbol[i];
		const char *name = name_of(e, s);

		if (s->st_shndx != SHN_UNDEF && name &&
		    strcmp(name, symbol) == 0)
			return s;
	}
	return NULL;
}

int elf_defines(const struct elf *e, const char *symbol)
{
	return find_defined(e, symbol) != NULL;
}

size_t elf_object(const struct elf *e, const char *symbol, void *buf,
		  size_t size)
{
	const symbol_t *s = find_defined(e, symbol);
	const section_t *in;
	const void *bytes;

	if (!s || s->st_shndx >= e->nsections)
		return 0;
	in = &e->section[s->st_shndx];
	if (in->sh_type == SHT_NOBITS || s->st_value < in->sh_addr)
		return 0;
	if (s->st_size < size)
		size = s->st_size;
	bytes = at(e, s->st_value - in->sh_addr + in->sh_offset, size, 1);
	if (!bytes)
		return 0;
	memcpy(buf, bytes, size);
	return size;
}

/* Versions 0 and 1 are "local" and "global": no version of a library. */
static int has_version(const struct elf *e, size_t i)
{
	return e->version && (e->version[i] & 0x7fff) > 1;
}

void elf_each_undefined(const struct elf *e, elf_symbol_fn fn, void *ctx)
{
	for (size_t i = 0; i < e->nsymbols; i++) {
		const symbol_t *s = &e->symbol[i];
		const char *name = name_of(e, s);

		if (s->st_shndx == SHN_UNDEF && name && !has_version(e, i))
			fn(ctx, name);
	}
}
