#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rules.t - each rule of sbatch and slurmctld that the preview imitates
#
# Each row of tests/slurm/rules is a job on a cluster that is idle but for the jobs
# that the row names.  Slurm must give it the outcome of the row, or the rule is not
# Slurm's; `sfabric place --slurm` must have foretold it, node by node.
# SFAB_TEST_RULES=TEXT: only the rows with TEXT.
test_description='rules of sbatch that the preview imitates'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/kinds.sh"

place_ready

kinds_conf 10

# holds VERSIONS: is the controller's version among them?
holds () {
	case $1 in
	all) ;;
	*) later_than "${1%%-*}" && ! later_than "${1#*-}" 1 ;;
	esac
}

# later_than 23.02 [MORE]: is it that release or a later one?  Without a release:
# yes, or with MORE, no.
later_than () {
	minor=${1#*.}
	test -n "$1" || { test -z "${2-}"; return; }
	slurm_at_least "${1%.*}" $((${minor#0} + ${2-0}))
}

# The scheduler has looked at the job.
looked_at () {
	scontrol show job "$1" |
		grep -Eq 'JobState=RUNNING|Reason=[A-Z][A-Za-z_]*(Resources|Limit|Avail)|Reason=(Resources|Priority|ReqNode|Reserv|Licenses|Partition|BadConstr|Nodes_required)'
}

# what_slurm_does JOB: "nodes LIST", "waits" or "refused"
what_slurm_does () {
	id=$(slurm_submit $1 2>refusal) || { cat refusal >&2; echo refused; return; }
	slurm_wait looked_at "$id" || return 1
	if slurm_job_is "$id" RUNNING; then
		echo "nodes $(slurm_nodes "$id")"
	else
		squeue -h -j "$id" -o 'waits: %r' >&2
		echo waits
	fi
	scancel "$id"
}

# what_preview_says JOB: the same
what_preview_says () {
	"$sfabric" place --slurm --json $1 >preview.json 2>preview.err || {
		cat preview.err >&2
		echo refused
		return
	}
	list=$(python3 "$field" data.nodes <preview.json) || return 1
	echo "${list:+nodes $list}" | sed 's/^$/waits/'
}

# fits OUTCOME FOUND: is what was found as the row says?
fits () {
	case $1 in
	[0-9]*)
		scontrol show hostnames "${2#nodes }" >found 2>/dev/null
		test "$(wc -l <found)" = "${1%% node*}" || return 1
		case $1 in
		*' in '*)
			scontrol show hostnames "${1##* in }" >among
			! grep -vxFf among found ;;
		esac ;;
	never) test "$2" = waits || test "$2" = refused ;;
	*) test "$1" = "$2" ;;
	esac
}

is_gone () {
	test -z "$(squeue -h -j "$1")"
}

start_beside () {
	echo "$1" | tr + '\n' >others
	while read -r other; do
		test -n "$other" || continue
		id=$(place_run ${other% (*}) || return 1
		case $other in
		*'(suspended)') scontrol suspend "$id" || return 1 ;;
		*'(ended)') scancel "$id" && slurm_wait is_gone "$id" || return 1 ;;
		esac
	done <others
}

# prove BESIDE JOB OUTCOME: Slurm does so, and the preview said so
prove () {
	place_cancel && start_beside "$1" || return 1
	outcome=${3% (warned)}
	said=$(what_preview_says "$2") && did=$(what_slurm_does "$2") || return 1
	echo "preview: $said"
	echo "Slurm:   $did"
	fits "$outcome" "$did" || { echo "expected of Slurm: $outcome"; return 1; }
	case $3 in
	*'(warned)') python3 "$field" warnings <preview.json | grep '[a-z]' ;;
	*)
		# what can never start waits for Slurm, or is refused at once
		test "$said" = "$did" || test "$said $did" = 'waits refused' ;;
	esac
}

test_expect_success 'the cluster starts' 'kinds_start rules'

test_expect_success 'a node is drained, others are reserved' '
	scontrol update nodename=n5 state=drain reason=test &&
	scontrol create reservation reservationname=now starttime=now \
		duration=1000 users=daemon nodes="n[9-10]" &&
	scontrol create reservation reservationname=later starttime=now+3hours \
		duration=1000 users=daemon nodes="n[29-32]" &&
	scontrol create reservation reservationname=ours starttime=now \
		duration=1000 users="$(id -un)" nodes="n[15-16]" &&
	scontrol create reservation reservationname=soon starttime=now+3hours \
		duration=1000 users="$(id -un)" nodes="n[49-50]"'

grep -v '^#\|^$' "$SFAB_SRCDIR/tests/slurm/rules" |
	grep -F -e "${SFAB_TEST_RULES:-|}" | sed 's/ *| /;/g' >rows
while IFS=';' read -r rule versions beside job outcome; do
	holds "$versions" || continue
	test_expect_success "$rule" 'prove "$beside" "$job" "$outcome" </dev/null'
done <rows

test_expect_success 'slurmctld logged no error of ours' '
	! grep "error: sfabric" "$slurm_dir/slurmctld.log"'

test_done
