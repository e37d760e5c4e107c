# SPDX-License-Identifier: GPL-2.0-or-later
# table.awk - rows "WHAT|CLAIM|OURS|WHY" as a Markdown table with differences

function percent(from, to,    p) {
	if (from == 0)
		return to == 0 ? "none" : ""
	p = 100 * (to / from - 1)
	if (p > -0.5 && p < 0.5)
		return "none"
	return sprintf("%.0f %% %s", p < 0 ? -p : p, p < 0 ? "less" : "more")
}

# Of a number or of a range; other words are the same or are not compared.
function difference(claim, ours,    end) {
	if (claim == ours)
		return "none"
	gsub(/,/, "", claim)
	gsub(/,/, "", ours)
	if (ours !~ /^[0-9.]+$/)
		return ""
	if (claim ~ /^[0-9.]+$/)
		return percent(claim, ours)
	if (claim !~ /^[0-9.]+-[0-9.]+$/)
		return ""
	split(claim, end, "-")
	if (ours < +end[1])
		return percent(end[1], ours) " than " end[1]
	if (ours > +end[2])
		return percent(end[2], ours) " than " end[2]
	return "inside"
}

function set(i, j, text) {
	cell[i, j] = text
	if (length(text) > width[j])
		width[j] = length(text)
}

function line(i,    j) {
	for (j = 1; j <= 4; j++)
		printf "| %-" width[j] "s ", cell[i, j]
	print "|"
}

BEGIN {
	split("what|published|ours|difference", head, "|")
	for (j = 1; j <= 4; j++)
		set(0, j, head[j])
}

{
	d = difference($2, $3)
	set(NR, 1, $1)
	set(NR, 2, $2)
	set(NR, 3, $3)
	set(NR, 4, d (d && $4 ? ": " : "") $4)
}

END {
	line(0)
	for (j = 1; j <= 4; j++) {
		dashes = sprintf("%" width[j] "s", "")
		gsub(/ /, "-", dashes)
		printf "|-%s-", dashes
	}
	print "|"
	for (i = 1; i <= NR; i++)
		line(i)
}
