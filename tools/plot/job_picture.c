/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_picture.c - a drawing of one job; see job_picture.h
 *
 *     job 333 ...                       summary
 *            [S001]   [S018]            the highest level
 *              |     // ||
 *     [L001] [L002] [L003] [L004]       leaves, and the job's hosts on them
 *       17     17     16     14
 *     legend
 *     the worst links, a line each
 *
 * Names are shortened to what differs.  A level with many switches is staggered in several
 * lines.
 */

#include "tools/plot/job_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/tree.h"
#include "tools/plot/labels.h"
#include "tools/ui/number.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

#define MARGIN PICTURE_MARGIN
#define SMALL PICTURE_SMALL
#define LINE PICTURE_LINE
#define BOX_HEIGHT 22.0
#define SPACE 8.0		/* between boxes */
#define LEVEL 130.0		/* between levels, at least */
#define STEEP 0.2		/* of the width, at least between levels: lines fan out */
#define STAGGER 34.0		/* between lines of one level */
#define WIDE 1100.0		/* a level wider than this is staggered */
#define NODES 64		/* of a level; more are left out */
#define PLAIN_LINKS 600		/* more of the job's own would be a gray area */
#define WORST 12		/* links in the list */

/* -- which switches --------------------------------------------------------- */

/* Mark a switch as drawn, at level 0 for now: find_nodes_of_job() sets the real one. */
static void add_node(struct job_node *by_switch, uint32_t sw, int is_red)
{
	by_switch[sw].sw = sw;
	by_switch[sw].level = 0;
	by_switch[sw].is_red |= is_red;
}

/*
 * Mark the switches to draw, those at both ends of a shared or overloaded link in red: they are
 * what one looks for.  Leaves without any link of the job are drawn as well: all its hosts on
 * one leaf is a picture too.
 */
static void mark_nodes(struct job_node *node, const struct job_collisions *j)
{
	const struct sfab_fabric *f = j->jobs->f;
	const struct joblist_job *job = &j->jobs->list->job[j->job];

	for (uint32_t i = 0; i < j->n; i++) {
		const struct sfab_link *l = &f->links[j->link[i]];
		int is_red = job_collisions_link_state(j->jobs, j->link[i]) != LINK_ALONE;

		if (l->kind != SFAB_LINK_INJECT)
			add_node(node, l->from, is_red);
		if (l->kind != SFAB_LINK_EJECT)
			add_node(node, l->to, is_red);
	}
	for (uint32_t h = 0; h < job->n; h++) {
		const struct sfab_host *host = &f->hosts[job->host[h]];

		for (uint32_t p = host->port0; p < host->port0 + host->nports; p++)
			if (f->ports[p].leaf != SFAB_NONE) {
				add_node(node, f->ports[p].sw, 0);
				node[f->ports[p].sw].nports++;
			}
	}
}

static int compare_job_nodes(const void *a, const void *b, void *fabric)
{
	const struct job_node *x = a, *y = b;
	const struct sfab_fabric *f = fabric;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	return sfab_fabric_name_cmp(f->switches[x->sw].name, f->switches[y->sw].name);
}

/* Rank switches by who stays when a level is too wide: first those with hosts, then red ones. */
static unsigned rank_of_node(const struct job_node *x)
{
	return x->nports ? 0 : x->is_red ? 1 : 2;
}

static int compare_node_ranks(const void *a, const void *b, void *fabric)
{
	const struct job_node *x = a, *y = b;

	if (x->level == y->level && rank_of_node(x) != rank_of_node(y))
		return rank_of_node(x) < rank_of_node(y) ? -1 : 1;
	return compare_job_nodes(a, b, fabric);
}

/*
 * Find the switches to draw and their levels.  The level of a switch is its distance from the
 * leaves, so spines stand above aggregation switches whatever their names are.  The array has
 * room for all switches; a job uses few.
 */
static void find_nodes_of_job(struct job_picture *j)
{
	const struct sfab_fabric *f = j->links->jobs->f;
	struct sfab_tree *tree = xnonnull(sfab_tree_create(f));
	struct job_node *node = xcalloc(f->nswitches, sizeof(*node));
	uint32_t in_level = 0, kept = 0;

	for (uint32_t i = 0; i < f->nswitches; i++)
		node[i].level = SFAB_NONE;
	mark_nodes(node, j->links);
	for (uint32_t i = 0; i < f->nswitches; i++) {
		if (node[i].level == SFAB_NONE)
			continue;
		node[i].level = tree->distance[i] == SFAB_NONE ? 0 : tree->distance[i];
		node[j->n++] = node[i];
	}
	sfab_tree_destroy(tree);
	j->node = node;
	/* A level of 600 spines would be a gray band. */
	qsort_r(node, j->n, sizeof(*node), compare_node_ranks, (void *) f);
	for (uint32_t i = 0; i < j->n; i++) {
		if (i && node[i].level != node[i - 1].level)
			in_level = 0;
		if (in_level++ < NODES)
			node[kept++] = node[i];
	}
	j->hidden = j->n - kept;
	j->n = kept;
	qsort_r(node, j->n, sizeof(*node), compare_job_nodes, (void *) f);
}

/* -- where they stand ------------------------------------------------------- */

static void set_labels(struct job_picture *j)
{
	const struct sfab_fabric *f = j->links->jobs->f;
	char **label = xcalloc(j->n, sizeof(*label));
	size_t longest;

	for (uint32_t i = 0; i < j->n; i++)
		label[i] = printable(f->switches[j->node[i].sw].name, 0);
	/* Names longer than 3 characters are cut to what differs: the full one is in the tip. */
	longest = labels_shorten(label, j->n, 3);
	for (uint32_t i = 0; i < j->n; i++)
		j->node[i].label = label[i];
	/* With 5 pixels on each side of the longest name. */
	j->box_width = fmax((double) longest * SMALL * CANVAS_CHARACTER + 10, 26);
	free(label);
}

/* One level, and how it is laid out. */
struct node_row {
	uint32_t from, to;	/* nodes of a level */
	uint32_t lines;
	double width;
};

/* Return the row of the level that begins with node @from, in several lines if it is too wide. */
static struct node_row row_of_level(const struct job_picture *j, uint32_t from)
{
	struct node_row r = { .from = from, .to = from };
	double width;

	while (r.to < j->n && j->node[r.to].level == j->node[from].level)
		r.to++;
	width = (r.to - r.from) * (j->box_width + SPACE);
	r.lines = (uint32_t) ceil(width / WIDE);
	/* Neighbors of a staggered level stand above the gap between others. */
	r.width = r.lines > 1 ? fmax(width / r.lines, j->box_width) + j->box_width : width;
	return r;
}

/*
 * Set the positions of all levels within @width.  Return the height.  The highest level is at
 * the top, as administrators draw trees.  x is from the left of the drawing, y the middle of a
 * box from its top.  A few switches stand together in the middle instead of at the edges.
 */
static double set_positions(struct job_picture *j, double width)
{
	double y = 0, gap = fmax(LEVEL, STEEP * width);

	for (uint32_t from = j->n; from > 0;) {
		uint32_t first = from - 1;
		struct node_row r;
		double step;

		while (first > 0 && j->node[first - 1].level == j->node[from - 1].level)
			first--;
		r = row_of_level(j, first);
		step = (width - j->box_width) / fmax(1, r.to - r.from - 1);
		step = fmin(step, 2.5 * (j->box_width + SPACE));
		for (uint32_t i = r.from; i < r.to; i++) {
			j->node[i].x = width / 2 +
				(i - r.from - (r.to - r.from - 1) / 2.0) * step;
			j->node[i].y = y + (i - r.from) % r.lines * STAGGER +
				       BOX_HEIGHT / 2;
		}
		y += (r.lines - 1) * STAGGER + gap;
		from = first;
	}
	return y - gap + BOX_HEIGHT + LINE;
}

/* -- links ------------------------------------------------------------------ */

/*
 * Find the node of switch @sw; NULL: it was left out.  A level has at most NODES, so a search
 * is short.
 */
static const struct job_node *find_job_node(const struct job_picture *j, uint32_t sw)
{
	for (uint32_t i = 0; i < j->n; i++)
		if (j->node[i].sw == sw)
			return &j->node[i];
	return NULL;
}

/*
 * Write "wolf-L001 port 36 to wolf-S018 port 1: 8.75 of 4 GB/s, jobs 333 (4.2), 341 (4.5)",
 * with @separator before "jobs".  Caller frees.
 */
static char *link_text(const struct jobs_by_link *l, uint32_t link, const char *separator)
{
	const struct sfab_fabric *f = l->f;
	const struct sfab_link *x = &f->links[link];
	char load[NUMBER_SHORT_SIZE], capacity[NUMBER_SHORT_SIZE];
	char *raw = xstrfmt("%s port %u to %s port %u: %s of %s GB/s",
			    sfab_link_from_name(f, link), x->from_port,
			    sfab_link_to_name(f, link), x->to_port,
			    number_short(l->load[link] / SFAB_GB, load),
			    number_short(x->capacity / SFAB_GB, capacity));
	char *where = printable(raw, 0), *jobs = jobs_by_link_text(l, link, 0);
	char *text = xstrfmt("%s%sjob%s %s", where, separator,
			     jobs_by_link_count(l, link) == 1 ? "" : "s", jobs);

	free(raw);
	free(where);
	free(jobs);
	return text;
}

/* Width of a line in pixels. */
static const double line_width[] = { [LINK_ALONE] = 1, [LINK_SHARED] = 1.5,
				     [LINK_OVERLOADED] = 3 };
static const enum ink line_ink[] = { [LINK_ALONE] = INK_FRAME, [LINK_SHARED] = INK_JOB,
				     [LINK_OVERLOADED] = INK_OVER };

/*
 * Draw a link between two switches that are drawn.  Overloaded links have three steps of red:
 * up to twice what they carry, up to four times, and more.  Direction matters only where there
 * is something to see, so the rest has no arrow.
 *
 * A link from below leaves a box at its upper edge and enters the next at the lower one.  Links
 * of one level, as in a torus, go through the middle and are bent further, or they would hide
 * in the boxes.
 */
static void draw_job_link(const struct job_picture *j, uint32_t index, double top, struct canvas *c)
{
	const struct jobs_by_link *l = j->links->jobs;
	const uint32_t *drawn = j->links->link;
	const struct sfab_link *link = &l->f->links[drawn[index]];
	const struct job_node *a = find_job_node(j, link->from);
	const struct job_node *b = find_job_node(j, link->to);
	enum link_state state = job_collisions_link_state(l, drawn[index]);
	double fill = jobs_by_link_fill(l, drawn[index]), up;
	struct stroke s = {
		.width = line_width[state], .ink = line_ink[state],
		.step = state == LINK_SHARED, .has_arrow = state != LINK_ALONE,
	};
	char *tip;

	if (link->kind != SFAB_LINK_ISL || !a || !b)
		return;
	if (state == LINK_OVERLOADED)
		s.step = fill <= 2 ? 0 : fill <= 4 ? 1 : 2;
	up = a->level == b->level ? 0 : a->level < b->level ? -1 : 1;
	s.x1 = a->x;
	s.x2 = b->x;
	s.y1 = top + a->y + up * BOX_HEIGHT / 2;
	s.y2 = top + b->y - up * BOX_HEIGHT / 2;
	/*
	 * Cables between the same switches in the same direction would lie upon each other, so
	 * each that is bent is bent more than the one before.
	 */
	if (state != LINK_ALONE || up == 0)
		s.bend = up == 0 ? 23 : 7;
	for (uint32_t i = 0; s.bend > 0 && i < index; i++) {
		const struct sfab_link *x = &l->f->links[drawn[i]];

		s.bend += x->from == link->from && x->to == link->to ? 5 : 0;
	}
	s.tip = tip = link_text(l, drawn[index], "\n");
	canvas_line(c, &s);
	free(tip);
}

/*
 * Draw each switch as a box with its short name, and below it how many ports of the job's hosts
 * are on it.  The tip has the full name.
 */
static void draw_job_nodes(const struct job_picture *j, double top, struct canvas *c)
{
	const struct sfab_fabric *f = j->links->jobs->f;

	for (uint32_t i = 0; i < j->n; i++) {
		const struct job_node *x = &j->node[i];
		char *name = printable(f->switches[x->sw].name, 0);
		char *tip = x->nports ? xstrfmt("%s: %" PRIu32 " ports of the job's "
						"hosts", name, x->nports) :
				       xstrdup(name);
		struct box b = {
			.x = x->x - j->box_width / 2, .y = top + x->y - BOX_HEIGHT / 2,
			.width = j->box_width, .height = BOX_HEIGHT, .ink = INK_UNUSED,
			.tip = tip,
		};
		char text[16];

		canvas_box(c, &b);
		canvas_text(c, x->x, top + x->y + SMALL * 0.36, SMALL, ANCHOR_MIDDLE,
			    x->label);
		snprintf(text, sizeof(text), "%" PRIu32, x->nports);
		if (x->nports)
			canvas_text(c, x->x, top + x->y + BOX_HEIGHT / 2 + SMALL + 1,
				    SMALL, ANCHOR_MIDDLE, text);
		free(tip);
		free(name);
	}
}

/* -- texts ------------------------------------------------------------------ */

/* Draw a line of text and free it. */
static void draw_owned_text(char *text, double y, struct canvas *c)
{
	canvas_text(c, MARGIN, y, SMALL, ANCHOR_START, text);
	free(text);
}

/* Draw a short line and its meaning.  Return where the next sample begins. */
static double draw_line_sample(double x, double y, enum link_state state, unsigned step,
			       const char *name, struct canvas *c)
{
	canvas_line(c, &(struct stroke) {
		.x1 = x, .y1 = y - 4, .x2 = x + 24, .y2 = y - 4,
		.width = line_width[state], .ink = line_ink[state], .step = step });
	canvas_text(c, x + 30, y, SMALL, ANCHOR_START, name);
	return x + 30 + picture_text_width(name, SMALL) + 18;
}

static double draw_job_legend(const struct job_picture *j, double y, struct canvas *c)
{
	double x = draw_line_sample(MARGIN, y, LINK_OVERLOADED, 0, "overloaded", c);

	x = draw_line_sample(x, y, LINK_OVERLOADED, 1, "2 x", c);
	x = draw_line_sample(x, y, LINK_OVERLOADED, 2, "4 x and more", c);
	x = draw_line_sample(x, y, LINK_SHARED, 1, "shared", c);
	draw_line_sample(x, y, LINK_ALONE, 0, "this job alone", c);
	y += LINE;
	canvas_text(c, MARGIN, y, SMALL, ANCHOR_START,
		    "below a leaf: ports of the job's hosts on it");
	if (j->hidden) {
		y += LINE;
		draw_owned_text(xstrfmt("%" PRIu32 " switches are left out", j->hidden), y, c);
	}
	return y + LINE;
}

static char *worst_text(const struct job_picture *j, uint32_t i)
{
	return link_text(j->links->jobs, j->links->link[i], ", ");
}

static uint32_t count_worst(const struct job_collisions *j)
{
	uint32_t n = job_collisions_count_contended(j);

	return n < WORST ? n : WORST;
}

/*
 * Draw the lines of the summary; the first is the title.  Return where the next line would be.
 * @c NULL: only *@widest grows.
 */
static double draw_summary(const struct job_picture *j, double y, struct canvas *c, double *widest)
{
	char *copy = xstrdup(j->summary), *rest;
	double size = PICTURE_TITLE;

	for (char *line = strtok_r(copy, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest), size = SMALL, y += LINE) {
		*widest = fmax(*widest, picture_text_width(line, size));
		if (c)
			canvas_text(c, MARGIN, y, size, ANCHOR_START, line);
	}
	free(copy);
	return y;
}

/* -- the whole -------------------------------------------------------------- */

static void draw_job_picture(const struct picture *p, struct canvas *c)
{
	const struct job_picture *j = p->subject;
	uint32_t worst = count_worst(j->links), red = job_collisions_count_contended(j->links);
	double widest = 0, y;

	y = draw_summary(j, MARGIN + PICTURE_TITLE, c, &widest) + LINE;
	/* Plain ones first: the others lie above them, the worst on top. */
	for (uint32_t n = j->has_plain_links ? j->links->n : red; n > 0; n--)
		draw_job_link(j, n - 1, y, c);
	draw_job_nodes(j, y, c);
	y = draw_job_legend(j, y + j->tree_height + LINE, c);
	y += LINE / 2;
	/* List what the tips of the red lines say, for paper and for a screen without a mouse. */
	for (uint32_t i = 0; i < worst; i++, y += LINE)
		draw_owned_text(worst_text(j, i), y, c);
	if (red > worst)
		draw_owned_text(xstrfmt("and %" PRIu32 " more shared or overloaded links",
					red - worst), y, c);
}

void job_picture_init(struct job_picture *j, struct picture *p, const struct job_collisions *links)
{
	double inner = 560;	/* not less than the legend needs */
	uint32_t lines;

	*j = (struct job_picture) { .links = links };
	j->summary = job_collisions_summary(links);
	j->title = xstrfmt("job %" PRIu64, links->jobs->list->job[links->job].id);
	j->has_plain_links = links->n <= PLAIN_LINKS;
	find_nodes_of_job(j);
	set_labels(j);
	draw_summary(j, 0, NULL, &inner);
	for (uint32_t i = 0; i < count_worst(links); i++) {
		char *line = worst_text(j, i);

		inner = fmax(inner, picture_text_width(line, SMALL));
		free(line);
	}
	/* At least the widest level, so that boxes do not overlap. */
	for (uint32_t i = 0; i < j->n; i = row_of_level(j, i).to)
		inner = fmax(inner, row_of_level(j, i).width);
	j->tree_height = j->n ? set_positions(j, inner) : 0;
	for (uint32_t i = 0; i < j->n; i++)
		j->node[i].x += MARGIN;
	/* 5: legend, its second line, and the spaces between the parts. */
	lines = 1 + count_worst(links) + 5 + (j->hidden > 0) +
		(job_collisions_count_contended(links) > WORST);
	for (const char *letter = j->summary; *letter; letter++)
		lines += *letter == '\n';
	*p = (struct picture) {
		.title = j->title, .draw = draw_job_picture, .subject = j,
		.width = ceil(inner + 2 * MARGIN),
		.height = ceil(2 * MARGIN + PICTURE_TITLE + j->tree_height + lines * LINE),
	};
}

void job_picture_free(struct job_picture *j)
{
	for (uint32_t i = 0; i < j->n; i++)
		free(j->node[i].label);
	free(j->node);
	free(j->summary);
	free(j->title);
	memset(j, 0, sizeof(*j));
}
