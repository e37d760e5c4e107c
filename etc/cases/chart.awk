# SPDX-License-Identifier: GPL-2.0-or-later
# chart.awk - lines "SERIES|X|Y" as curves in SVG, or as a table of text
#
# -v type=svg|text, -v x=... and -v y=... name the axes; Y is 0 to 1.  A series
# whose name begins with "published" is drawn as points.

BEGIN {
	FS = "|"
	left = 60; top = 16; width = 560; height = 260
	split("#3b528b #cc5500 #21918c #7a0403 #5c5c5c", color, " ")
}

{
	if (!($1 in number)) {
		number[$1] = ++n
		name[n] = $1
	}
	if (!(($2 + 0) in column)) {
		column[$2 + 0] = 1
		insert($2 + 0)
	}
	value[number[$1], $2 + 0] = $3
	if ($2 > most)
		most = $2 + 0
}

# at[1..m] rises
function insert(v,    i) {
	for (i = ++m; i > 1 && at[i - 1] > v; i--)
		at[i] = at[i - 1]
	at[i] = v
}

function px(v) {
	return sprintf("%.0f", left + width * v / most)
}

function py(v) {
	return sprintf("%.0f", top + height * (1 - v))
}

function label(xx, yy, anchor, text) {
	printf "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n",
		xx, yy, anchor, text
}

function axes(    i, step) {
	for (i = 0; i <= 4; i++) {
		printf "<path d=\"M%d %sh%d\" stroke=\"#d8d8d8\"/>\n", left,
			py(i / 4), width
		label(left - 8, py(i / 4) + 4, "end", i / 4)
	}
	step = most > 64 ? 16 : most > 16 ? 8 : 1
	for (i = 0; i <= most; i += step)
		label(px(i), top + height + 18, "middle", i)
	label(left + width, top + height + 36, "end", x)
	label(left, top + height + 36, "start", y)
}

function curve(s,    i, d) {
	for (i = 1; i <= m; i++)
		if ((s, at[i]) in value) {
			if (name[s] ~ /^published/)
				printf "<circle cx=\"%s\" cy=\"%s\" r=\"5\" " \
					"fill=\"%s\"/>\n", px(at[i]),
					py(value[s, at[i]]), color[s]
			d = d (d ? "L" : "M") px(at[i]) " " \
				py(value[s, at[i]])
		}
	if (name[s] !~ /^published/)
		printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" " \
			"stroke-width=\"2\"/>\n", d, color[s]
	d = top + height + 40 + 18 * s
	printf "<path d=\"M%d %dh24\" stroke=\"%s\" stroke-width=\"4\"/>\n", left,
		d - 4, color[s]
	label(left + 32, d, "start", name[s])
}

function svg(    s) {
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" " \
		"height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n",
		left + width + 20, top + height + 56 + 18 * n
	print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
	axes()
	for (s = 1; s <= n; s++)
		curve(s)
	print "</svg>"
}

function cell(s, at) {
	return (s, at) in value ? sprintf("%.2f", value[s, at]) : "-"
}

function text(    i, s) {
	for (s = 1; s <= n; s++)
		printf "(%d) %s\n", s, name[s]
	printf "%-8s", x
	for (s = 1; s <= n; s++)
		printf " %6s", "(" s ")"
	print ""
	for (i = 1; i <= m; i++) {
		printf "%-8s", at[i]
		for (s = 1; s <= n; s++)
			printf " %6s", cell(s, at[i])
		print ""
	}
}

END {
	if (type == "svg")
		svg()
	else
		text()
}
