# SPDX-License-Identifier: GPL-2.0-or-later
# lib.sh - what the scripts of published cases are written in
#
#   need_sim                    end with 77 where ibsim or OpenSM are missing
#   fabric NAME SPEC [OPTION..] sfabric synth SPEC, routed by the real OpenSM
#                               with OPTIONs: NAME.snap; IO hosts take what
#                               $io_capacity says (GB/s), else their ports' rate;
#                               cables go through $change_cables first, OpenSM's
#                               tables through $change_tables
#   io_of NAME                  its IO hosts
#   value FIELD COMMAND...      first value of that field in the JSON answer
#   round DIGITS NUMBER
#   text NAME TITLE             standard input to be shown before the table
#   picture NAME TITLE ARG...   sfabric plot ARG...: NAME.svg, shown as text
#   chart NAME TITLE X Y        lines SERIES|X|Y (Y 0 to 1) from standard input as
#                               curves, the axes called X and Y: NAME.svg
#   row KEY WHAT CLAIM OURS [WHY]
#                               of the table.  CLAIM is what was published: a
#                               number or a range LOW-HIGH, from which the
#                               difference follows, or words, or "-"

give_up () {
	echo "$1" >&2
	exit "${2-1}"
}

need_sim () {
	reason=$(sim_missing) && give_up "$reason" 77
	return 0
}

fabric () {
	fabric_name=$1
	sfabric synth "$2" --output "$1.synth" --io-output "$1.io" || give_up "$2"
	${change_cables:-cat} <"$1.synth" >"$1.net"
	shift 2
	engine=$(sim_route "$PWD/$fabric_name.net" "$PWD/$fabric_name.dump" "$@") ||
		give_up "OpenSM $*: no tables"
	io=$(cat "$fabric_name.io")
	${change_tables:-cat} <"$fabric_name.dump"/opensm-lfts.dump >"$fabric_name.lfts"
	sfabric import "$fabric_name.dump"/opensm-subnet.lst \
		"$fabric_name.lfts" --engine "$engine" \
		${io:+--io "$io"} ${io_capacity:+--io-capacity "$io_capacity"} \
		--output "$fabric_name.snap" >import.log 2>&1 ||
		give_up "$(cat import.log)"
	rm -rf "$fabric_name.dump" "$fabric_name.lfts"
}

io_of () {
	cat "$1.io"
}

value () {
	wanted=$1
	shift
	"$@" --json >answer.json
	case $? in
	0|3) ;;
	*) give_up "$*" ;;
	esac
	sed -n "s/^ *\"$wanted\": //p" answer.json |
		sed '1!d; s/,$//; s/^"//; s/"$//'
}

round () {
	printf "%.$1f\n" "$2"
}

text () {
	{
		echo
		echo "$2"
		cat
	} >"$1.txt"
	echo "$1" >>pictures
}

picture () {
	picture_name=$1 picture_title=$2
	shift 2
	sfabric plot "$@" --small --output "$picture_name.svg" || give_up "plot $*"
	sfabric plot "$@" | text "$picture_name" "$picture_title"
}

chart () {
	cat >chart.rows
	for chart_type in svg text; do
		awk -f "$here/chart.awk" -v type=$chart_type -v x="$3" -v y="$4" \
			chart.rows >chart.$chart_type
	done
	mv chart.svg "$1.svg"
	text "$1" "$2" <chart.text
}

show_pictures () {
	for shown in $(cat pictures); do
		cat "$shown.txt"
		test ! -f "$shown.svg" || echo "picture: $PWD/$shown.svg"
	done
}

row () {
	printf '%s %s\n' "$1" "$4" >>figures
	printf '%s|%s|%s|%s\n' "$2" "$3" "$4" "${5-}" >>rows
}

show_table () {
	awk -F'|' -f "$here/table.awk" rows
}
