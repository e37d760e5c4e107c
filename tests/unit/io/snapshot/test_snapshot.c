/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_snapshot.c - write and read is identity, the fingerprint is of the content, the document
 * tells the format
 */

#include <sys/stat.h>
#include <unistd.h>

#include "io/snapshot/snapshot.h"
#include "io/snapshot/snapshot_format.h"
#include "tests/unit/fixtures/document.h"
#include "tests/unit/fixtures/snapshots.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

/* -- the same? -------------------------------------------------------------- */

static void assert_same_planes(const struct sfab_fabric *a,
			       const struct sfab_fabric *b)
{
	ck_assert_uint_eq(a->nplanes, b->nplanes);
	for (uint32_t i = 0; i < a->nplanes; i++) {
		const struct sfab_plane *x = &a->planes[i], *y = &b->planes[i];

		ck_assert_str_eq(x->name, y->name);
		ck_assert_str_eq(x->engine, y->engine);
		ck_assert_str_eq(x->asked, y->asked);
		ck_assert_uint_eq(x->sm_guid, y->sm_guid);
		ck_assert_uint_eq(x->lid_end, y->lid_end);
		ck_assert_uint_eq(x->nlids, y->nlids);
		ck_assert_mem_eq(x->lid, y->lid, 4 * x->nlids);
		ck_assert_mem_eq(x->lid_port, y->lid_port, 4 * x->nlids);
		ck_assert_mem_eq(x->lid_switch, y->lid_switch, 4 * x->nlids);
		ck_assert_uint_eq(x->switch0, y->switch0);
		ck_assert_uint_eq(x->nswitches, y->nswitches);
	}
}

/* Groups may be numbered otherwise: compare what each LID uses. */
static void assert_same_groups(const struct sfab_switch *x,
			       const struct sfab_switch *y, uint32_t nlids)
{
	ck_assert_uint_eq(x->ngroups, y->ngroups);
	ck_assert_int_eq(!x->lft_group, !y->lft_group);
	for (uint32_t lid = 0; x->lft_group && lid < nlids; lid++) {
		const struct sfab_group *g, *h;

		ck_assert_int_eq(!x->lft_group[lid], !y->lft_group[lid]);
		if (!x->lft_group[lid])
			continue;
		g = &x->groups[x->lft_group[lid] - 1];
		h = &y->groups[y->lft_group[lid] - 1];
		ck_assert_uint_eq(g->nports, h->nports);
		ck_assert_mem_eq(g->port, h->port, g->nports);
		ck_assert_mem_eq(g->share, h->share, 8 * g->nports);
	}
}

static void assert_same_switches(const struct sfab_fabric *a,
				 const struct sfab_fabric *b)
{
	for (uint32_t i = 0; i < a->nswitches; i++) {
		const struct sfab_switch *x = &a->switches[i];
		const struct sfab_switch *y = &b->switches[i];
		uint32_t nlids = a->planes[x->plane].nlids;

		ck_assert_uint_eq(x->plane, y->plane);
		ck_assert_uint_eq(x->leaf, y->leaf);
		ck_assert_uint_eq(x->has_lft, y->has_lft);
		ck_assert_mem_eq(x->out + 1, y->out + 1, 4 * x->nports);
		assert_same_groups(x, y, nlids);
	}
}

static void assert_same_hosts(const struct sfab_fabric *a,
			      const struct sfab_fabric *b)
{
	ck_assert_uint_eq(a->nrails, b->nrails);
	for (uint32_t i = 0; i < a->nhosts; i++) {
		ck_assert_str_eq(a->hosts[i].name, b->hosts[i].name);
		ck_assert_int_eq(a->hosts[i].role, b->hosts[i].role);
		ck_assert_uint_eq(a->hosts[i].port0, b->hosts[i].port0);
		ck_assert_uint_eq(a->hosts[i].nports, b->hosts[i].nports);
	}
	for (uint32_t i = 0; i < a->nports; i++) {
		const struct sfab_port *x = &a->ports[i], *y = &b->ports[i];

		ck_assert(x->host == y->host && x->plane == y->plane);
		ck_assert(x->leaf == y->leaf && x->entry == y->entry);
		ck_assert(x->inject == y->inject && x->eject == y->eject);
		ck_assert(x->num == y->num && x->sw_port == y->sw_port);
	}
}

static void assert_same_leaves(const struct sfab_fabric *a,
			       const struct sfab_fabric *b)
{
	ck_assert_uint_eq(a->nleaves, b->nleaves);
	for (uint32_t i = 0; i < a->nleaves; i++) {
		ck_assert_uint_eq(a->leaves[i].sw, b->leaves[i].sw);
		ck_assert_uint_eq(a->leaves[i].nports, b->leaves[i].nports);
		ck_assert_mem_eq(a->leaves[i].port, b->leaves[i].port,
				 4 * a->leaves[i].nports);
	}
}

static void assert_same_iosets(const struct sfab_iosets *a,
			       const struct sfab_iosets *b, uint32_t nhosts)
{
	if (!a) {
		ck_assert_uint_eq(b->nsets + b->nioports, 0);
		return;
	}
	ck_assert_uint_eq(a->nsets, b->nsets);
	ck_assert_uint_eq(a->nioports, b->nioports);
	ck_assert_mem_eq(a->ioport, b->ioport, 4 * a->nioports);
	ck_assert_mem_eq(a->capacity, b->capacity, 8 * a->nioports);
	for (uint32_t i = 0; i < a->nsets; i++) {
		const struct sfab_ioset *x = &a->set[i], *y = &b->set[i];

		ck_assert_str_eq(x->name, y->name);
		ck_assert_int_eq(x->map, y->map);
		ck_assert_int_eq(x->holds_writes, y->holds_writes);
		ck_assert_uint_eq(x->nmembers, y->nmembers);
		ck_assert_mem_eq(x->member, y->member, 4 * x->nmembers);
		ck_assert_uint_eq(x->ngroups, y->ngroups);
		ck_assert_int_eq(!x->member_group, !y->member_group);
		ck_assert_int_eq(!x->client_group, !y->client_group);
		if (!x->ngroups)
			continue;
		ck_assert_mem_eq(x->member_group, y->member_group,
				 4 * x->nmembers);
		ck_assert_mem_eq(x->client_group, y->client_group, 4 * nhosts);
	}
}

static void assert_same(const struct sfab_snapshot *a,
			const struct sfab_snapshot *b)
{
	ck_assert_uint_eq(a->fingerprint, b->fingerprint);
	ck_assert_uint_eq(a->fabric->time, b->fabric->time);
	ck_assert_uint_eq(a->fabric->adaptive, b->fabric->adaptive);
	ck_assert_str_eq(a->fabric->source, b->fabric->source);
	texts_check_same(a->fabric, b->fabric);
	assert_same_planes(a->fabric, b->fabric);
	assert_same_switches(a->fabric, b->fabric);
	assert_same_hosts(a->fabric, b->fabric);
	assert_same_leaves(a->fabric, b->fabric);
	assert_same_iosets(a->iosets, b->iosets, a->fabric->nhosts);
}

static struct sfab_snapshot *decode(const struct file *f)
{
	struct sfab_snapshot *s = sfab_snapshot_decode(f->buf, f->size, &unit_err);

	unit_must(s != NULL);
	unit_cleanup(s, sfab_snapshot_destroy);
	return s;
}

/* Encode and decode @s; the bytes come out the same. */
static void assert_identity(struct sfab_snapshot *s)
{
	struct file once = encode_snapshot(s), twice;
	struct sfab_snapshot *again = decode(&once);

	assert_same(s, again);
	twice = encode_snapshot(again);
	ck_assert_uint_eq(once.size, twice.size);
	ck_assert_int_eq(memcmp(once.buf, twice.buf, once.size), 0);
	free(once.buf);
	free(twice.buf);
}

LOOP_TEST(write_and_read_is_identity, NSHAPES)
{
	assert_identity(unit_snapshot(&snapshot_shapes[_i]));
}

/* Who cannot read format 3 must go on reading what needs no more than format 2. */
LOOP_TEST(only_wide_lids_need_format_3, NSHAPES)
{
	struct sfab_snapshot *s = unit_snapshot(&snapshot_shapes[_i]);
	struct file f = encode_snapshot(s);

	ck_assert_uint_eq(f.buf[SFAB_AT_VERSION],
			  snapshot_shapes[_i].wide ? SFAB_SNAPSHOT_WIDE :
						     SFAB_SNAPSHOT_VERSION);
	free(f.buf);
}

TEST(what_servers_do_is_kept)
{
	static const char *const hosts[] = { "n1" };
	const struct sfab_ioset_spec is = { .name = "s", .nhosts = 1, .host = hosts,
					    .map = SFAB_IOMAP_NEAREST, .holds_writes = 1 };
	struct sfab_fabric *f = unit_small_fabric();
	struct sfab_iosets *io = unit_sets(f, &is, 1);

	assert_identity(take_snapshot(f, io));
}

TEST(write_and_read_of_the_odd_is_identity)
{
	assert_identity(odd_snapshot());
}

TEST(write_and_read_of_nothing_is_identity)
{
	struct sfab_builder *b = unit_empty_builder(0, "empty");
	struct sfab_fabric *f;

	f = unit_freeze(b);
	assert_identity(take_snapshot(f, NULL));
	sfab_snapshot_destroy(NULL);
}

/* -- fingerprint ------------------------------------------------------------ */

/* The fingerprint after @change on the builder of a small fabric. */
static uint64_t changed(void (*change)(struct sfab_builder *))
{
	const struct clos shape = { .leaves = 2, .spines = 2, .hosts = 2 };
	struct sfab_builder *b = unit_builder(&shape);
	struct sfab_snapshot *s;
	struct sfab_fabric *f;
	uint64_t fingerprint;

	if (change)
		change(b);
	f = unit_freeze(b);
	s = take_snapshot(f, NULL);
	fingerprint = s->fingerprint;
	return fingerprint;
}

static void other_source(struct sfab_builder *b)
{
	sfab_builder_set_source(b, "another file");
	sfab_builder_set_time(b, 1700000000);
	sfab_builder_set_engine(b, 0, "updn");
	sfab_builder_set_engines_asked(b, 0, "ftree");
	sfab_builder_set_sm(b, 0, 99);
}

static void more_lids_of_nobody(struct sfab_builder *b)
{
	const uint8_t ports[] = { 1, 1, 1 };

	sfab_builder_forget_unknown(b);
	ck_assert_int_eq(sfab_builder_add_lft(b, 0, 0x100, 100, ports, 3, NULL), 0);
}

static void other_route(struct sfab_builder *b)
{
	const uint8_t port = 3;

	ck_assert_int_eq(sfab_builder_add_lft(b, 0, 0x100, 3, &port, 1, NULL), 0);
}

static void one_more_host(struct sfab_builder *b)
{
	ck_assert_int_eq(sfab_builder_add_port(b, 0, 0x9000, 1, 0x9001, "n9 HCA-1",
					       NULL, 0, 0, NULL), 0);
}

static void adaptive(struct sfab_builder *b)
{
	sfab_builder_set_adaptive(b, SFAB_ADAPTIVE_GROUPS);
}

TEST(fingerprint_is_of_the_content)
{
	uint64_t plain = changed(NULL);

	ck_assert_uint_eq(plain, changed(NULL));
	ck_assert_uint_eq(plain, changed(other_source));
	ck_assert_uint_eq(plain, changed(more_lids_of_nobody));
	ck_assert_uint_ne(plain, changed(other_route));
	ck_assert_uint_ne(plain, changed(one_more_host));
	ck_assert_uint_ne(plain, changed(adaptive));
}

TEST(fingerprint_counts_io_sets)
{
	struct sfab_snapshot *with = unit_snapshot(&snapshot_shapes[0]);
	struct sfab_snapshot *without = take_snapshot(unit_fabric(&snapshot_shapes[0]), NULL);

	ck_assert_uint_ne(with->fingerprint, without->fingerprint);
}

/* -- files ------------------------------------------------------------------ */

static const char *path;	/* of a file in the test's folder */

TEST(saved_file_loads)
{
	struct sfab_trust trust = { .check = 1, .uid = getuid() };
	struct sfab_snapshot *s = odd_snapshot(), *again;
	struct stat st;

	path = unit_path("fabric.snap");
	ck_assert_int_eq(sfab_snapshot_save(s, path, 0640, &unit_err), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
	again = sfab_snapshot_load(path, &trust, &unit_err);
	unit_must(again != NULL);
	assert_same(s, again);
	sfab_snapshot_destroy(again);
}

/* What the file beside it says, as far as it can be trusted. */
static void assert_packing(const struct sfab_trust *trust, const char *text)
{
	struct sfab_snapshot *s = sfab_snapshot_load(path, trust, NULL);

	ck_assert_ptr_nonnull(s);
	ck_assert_str_eq(s->packing, text);
	sfab_snapshot_destroy(s);
}

TEST(packing_beside_it_is_read)
{
	struct sfab_trust trust = { .check = 1, .uid = getuid() };
	struct sfab_snapshot *s = odd_snapshot();
	char text[SFAB_PACKING_TEXT + 1];

	path = unit_path("fabric.snap");
	ck_assert_int_eq(sfab_snapshot_save(s, path, 0644, NULL), 0);
	assert_packing(&trust, "");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(sfab_snapshot_keep_packing(path, text, NULL), 0);
	assert_packing(NULL, "");		/* too long */
	ck_assert_int_eq(sfab_snapshot_keep_packing(path, text + 1, NULL), 0);
	assert_packing(&trust, text + 1);
	chmod(unit_path("fabric.snap.packing"), 0664);
	assert_packing(&trust, "");
	assert_packing(NULL, text + 1);
}

/* Check that loading fails with the path, then @what. */
static void assert_no_load(const struct sfab_trust *trust, const char *what)
{
	struct sfab_err err = { 0 };

	ck_assert_ptr_null(sfab_snapshot_load(path, trust, &err));
	ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "%s",
		      err.text);
	ck_assert_msg(strstr(err.text, what) != NULL, "%s", err.text);
}

TEST(bad_files_are_named)
{
	struct sfab_trust trust = { .check = 1, .uid = getuid() };
	struct sfab_snapshot *s = odd_snapshot();

	path = unit_path("fabric.snap");
	assert_no_load(&trust, "No such file");
	ck_assert_int_eq(sfab_snapshot_save(s, path, 0664, NULL), 0);
	assert_no_load(&trust, "the file is writable by group");
	chmod(path, 0644);
	ck_assert_int_eq(truncate(path, 700), 0);
	assert_no_load(&trust, "700 bytes (expected");
	ck_assert_int_eq(truncate(path, 0), 0);
	assert_no_load(&trust, "not a snapshot of a fabric");
	path = unit_path("gone/fabric.snap");
	ck_assert_int_eq(sfab_snapshot_save(s, path, 0644, &unit_err), -1);
	ck_assert_ptr_nonnull(strstr(unit_err.text, path));
}

/*
 * The format does not change by accident: each shape gives the bytes that
 * tests/fuzz/corpus/snapshot has.  SFAB_WRITE_CORPUS=1 writes them again.
 */
static void compare_with_corpus(struct sfab_snapshot *s, const char *name)
{
	const char *source = getenv("SFAB_SRCDIR");
	struct file f = encode_snapshot(s);
	char corpus[600];
	uint8_t *buf;
	size_t size;

	snprintf(corpus, sizeof(corpus), "%s/tests/fuzz/corpus/snapshot/%s",
		 source ? source : ".", name);
	if (getenv("SFAB_WRITE_CORPUS"))
		ck_assert_int_eq(sfab_snapshot_save(s, corpus, 0644, NULL), 0);
	unit_must(!sfab_file_read(corpus, NULL, &buf, &size, &unit_err));
	ck_assert_uint_eq(size, f.size);
	ck_assert_int_eq(memcmp(buf, f.buf, size), 0);
	free(buf);
	free(f.buf);
}

TEST(bytes_are_those_of_the_corpus)
{
	char name[20];

	for (int i = 0; i < NSHAPES; i++) {
		snprintf(name, sizeof(name), "shape-%d", i + 1);
		compare_with_corpus(unit_snapshot(&snapshot_shapes[i]), name);
	}
	compare_with_corpus(odd_snapshot(), "odd");
}

/* -- the document ----------------------------------------------------------- */

static char *read_document(void)
{
	return document_read("snapshot-format.md", NULL, "\n# Counters");
}

TEST(format_document_names_every_section)
{
	char *text = read_document(), row[100];

	for (int i = 0; i < SFAB_NSECTIONS; i++) {
		size_t size = sfab_snapshot_record_size(&sfab_sections[i],
							SFAB_SNAPSHOT_VERSION);
		size_t wide = sfab_snapshot_record_size(&sfab_sections[i],
							SFAB_SNAPSHOT_WIDE);

		if (size == wide)
			snprintf(row, sizeof(row), "\n| `%.8s` | %zu |",
				 sfab_sections[i].name, size);
		else
			snprintf(row, sizeof(row), "\n| `%.8s` | %zu, %zu |",
				 sfab_sections[i].name, size, wide);
		ck_assert_msg(strstr(text, row) != NULL, "no row \"%s\"",
			      row + 1);
	}
}

/* The fabric of the document: two hosts on a switch. */
static struct sfab_snapshot *document_snapshot(void)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "ib0");
	const uint8_t table[] = { 0, 1, 2 };
	struct sfab_fabric *f;

	sfab_builder_set_engine(b, 0, "ftree");
	sfab_builder_set_sm(b, 0, 0x1001);
	sfab_builder_set_source(b, "example");
	sfab_builder_set_time(b, 1700000000);
	sfab_builder_add_switch(b, 0, 0x100, "sw", 2, 1, NULL);
	for (unsigned h = 0; h < 2; h++) {
		uint64_t guid = 0x1000 + 16 * h;

		sfab_builder_add_port(b, 0, guid, 1, guid + 1, h ? "n2" : "n1",
				      NULL, 2 + h, 0, NULL);
		sfab_builder_add_link(b, 0, guid, 1, 0x100, 1 + h, 4e9, 1, NULL);
		sfab_builder_add_link(b, 0, 0x100, 1 + h, guid, 1, 4e9, 1, NULL);
	}
	sfab_builder_add_lft(b, 0, 0x100, 1, table, 3, NULL);
	f = unit_freeze(b);
	return take_snapshot(f, NULL);
}

TEST(hexdump_of_the_document_is_right)
{
	struct sfab_snapshot *s = document_snapshot();
	struct file f = encode_snapshot(s);
	char *text = read_document();

	document_check_hexdump(text, f.buf, f.size, 10);
	free(f.buf);
}

UNIT_MAIN("snapshot")
