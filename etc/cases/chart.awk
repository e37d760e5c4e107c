# SPDX-License-Identifier: GPL-2.0-or-later
# chart.awk - lines "SERIES|X|Y" as curves in SVG, or as a table of text
#
# -v type=svg|text, -v x=... and -v y=... name the axes; Y is 0 to 1.  A series
# whose name begins with "published" is drawn as points.  Names stand at the right
# ends of the curves, or below the last point.  There are colors for light and for
# dark ground.

BEGIN {
	FS = "|"
	left = 60; top = 34; width = 560; height = 260; names = 320; line = 17
	split("#3b528b #b34700 #0f7a74 #7a0403 #5c5c5c", color, " ")
	split("#8fa8e8 #f09a5a #4cc9c0 #f08080 #b0b0b0", bright, " ")
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

function label(xx, yy, anchor, text, class) {
	printf "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>\n",
		xx, yy, anchor, class ? " class=\"" class "\"" : "", text
}

function axes(    i, step) {
	for (i = 0; i <= 4; i++) {
		printf "<path class=\"f\" d=\"M%d %sh%d\"/>\n", left, py(i / 4),
			width
		label(left - 8, py(i / 4) + 4, "end", i / 4)
	}
	step = most > 128 ? 128 : most > 64 ? 16 : most > 16 ? 8 : 1
	for (i = 0; i <= most; i += step)
		label(px(i), top + height + 18, "middle", i)
	label(left + width / 2, top + height + 38, "middle", x)
	label(left - 8, top - 16, "start", y)
}

# the last value of each series; names that would overlap move apart
function place_names(    s, i, moved) {
	for (s = 1; s <= n; s++)
		for (i = 1; i <= m; i++)
			if ((s, at[i]) in value) {
				end_x[s] = px(at[i])
				end_y[s] = name_y[s] = py(value[s, at[i]])
			}
	for (moved = 1; moved && tries++ < 100;) {
		moved = 0
		for (s = 1; s <= n; s++)
			for (i = 1; i <= n; i++)
				if (s != i && end_x[s] == end_x[i] &&
				    name_y[s] <= name_y[i] &&
				    name_y[i] - name_y[s] < line) {
					name_y[i] += 1
					name_y[s] -= 1
					moved = 1
				}
	}
}

function curve(s,    i, d) {
	for (i = 1; i <= m; i++)
		if ((s, at[i]) in value) {
			if (name[s] ~ /^published/)
				printf "<circle class=\"s%d\" cx=\"%s\" cy=\"%s\" " \
					"r=\"5\"/>\n", s, px(at[i]),
					py(value[s, at[i]])
			d = d (d ? "L" : "M") px(at[i]) " " \
				py(value[s, at[i]])
		}
	if (name[s] !~ /^published/)
		printf "<path class=\"s%d\" d=\"%s\" stroke-width=\"2\"/>\n", s, d
	if (name[s] ~ /^published/)
		label(end_x[s], end_y[s] + 22, "middle", name[s], "s" s)
	else
		label(end_x[s] + 10, name_y[s] + 4, "start", name[s], "s" s)
}

function colors(list,    s) {
	for (s = 1; s <= n; s++)
		printf ".s%d{color:%s}text.s%d{fill:%s}", s, list[s], s, list[s]
}

function svg(    s) {
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" " \
		"height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n",
		left + width + names, top + height + 52
	printf "<style>path{stroke:currentColor;fill:none}" \
		"circle,rect{fill:currentColor}"
	printf "text{fill:#202020}.g{color:#ffffff}.f{color:#d8d8d8}"
	colors(color)
	printf "\n@media(prefers-color-scheme:dark){"
	printf "text{fill:#e3e7ec}.g{color:#15191e}.f{color:#4a525c}"
	colors(bright)
	print "}</style>"
	print "<rect class=\"g\" width=\"100%\" height=\"100%\"/>"
	axes()
	place_names()
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
