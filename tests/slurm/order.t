#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# order.t - sfabric_order.so: srun gives ranks in the order that was left
test_description='rank order by srun'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/slurm.sh"
. "$SFAB_SRCDIR/tests/slurm/launched.sh"

spank=$SFAB_BUILDDIR/plugin/spank/sfabric_order.so
skip_all=$(slurm_missing)
test -n "$skip_all" || test -f "$spank" || skip_all='built without Slurm'
test -z "$skip_all" || test_done
at_exit slurm_stop

# plugstack.conf and Slurm's keys cannot name folders with blanks
place=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-order.XXXXXX")
at_exit 'rm -rf "$place"'

# Three leaves of four hosts.  Names alone meet in two of three steps.
nodes='n[1-3,5-6,9-11]'

cat >"$place/order.conf" <<END
SFABRIC_ORDERS=$place/orders
SFABRIC_ORDER_OPTIONS='--pattern allreduce'
SFABRIC_SNAPSHOT=$place/fabric.snap SFABRIC_CONF=$place/none.conf
export SFABRIC_SNAPSHOT SFABRIC_CONF
PATH=$SFAB_BUILDDIR/tools:\$PATH
END
cat >"$place/prolog" <<END
#!/bin/sh
exec env SFABRIC_ORDER_CONF=$place/order.conf "$SFAB_SRCDIR/plugin/spank/sfabric-order-prolog"
END
chmod +x "$place/prolog"
mkdir "$place/orders" && chmod 755 "$place" "$place/orders"
echo "optional $spank dir=$place/orders" >"$place/plugstack.conf"
SLURM_EXTRA="PrologSlurmctld=$place/prolog
EpilogSlurmctld=$place/prolog"
SLURM_BESIDE=$place/plugstack.conf

test_expect_success 'a fabric whose names are no good order, a cluster' '
	"$SFAB_BUILDDIR/tests/slurm/make_snapshot" "$place/fabric.snap" 3 2 4 1 &&
	. "$place/order.conf" &&
	sfabric order --nodes "$nodes" --pattern allreduce --format slurm >ours &&
	scontrol_hosts="n1 n2 n3 n5 n6 n9 n10 n11" &&
	printf "%s\n" $scontrol_hosts >names &&
	! cmp -s ours names &&
	slurm_start order "n[1-12]"'

# as_names OPTION...: ranks are by name, and srun says why
as_names () {
	launched "$@" >actual && test_cmp names actual &&
	grep "sfabric: ranks stay as they are: $reason" srun.err
}

test_expect_success 'the order is left before the job begins' '
	salloc --no-shell -w "$nodes" -N8 --ntasks-per-node=2 2>salloc.err </dev/null &&
	job=$(sed -n "s/.*Granted job allocation \([0-9]*\).*/\1/p" salloc.err) &&
	test -n "$job" && slurm_wait test -f "$place/orders/$job" &&
	tail -n +2 "$place/orders/$job" >left && test_cmp ours left &&
	SLURM_JOB_ID=$job SLURM_JOB_NUM_NODES=8 &&
	SLURM_JOB_NODELIST=$(slurm_nodes $job) &&
	export SLURM_JOB_ID SLURM_JOB_NUM_NODES SLURM_JOB_NODELIST'

test_expect_success 'ranks are by name if nobody asks' '
	launched >actual && test_cmp names actual && ! grep sfabric srun.err'

test_expect_success 'srun --route-order: in our order' '
	launched --route-order >actual && test_cmp ours actual &&
	launched --route-order=yes >actual && test_cmp ours actual &&
	launched --route-order=no >actual && test_cmp names actual'

test_expect_success 'several tasks on a node are neighbors' '
	(
		SLURM_NTASKS=16 SLURM_TASKS_PER_NODE="2(x8)" &&
		export SLURM_NTASKS SLURM_TASKS_PER_NODE &&
		launched --overlap --route-order >actual
	) &&
	sed p ours >expected && test_cmp expected actual'

test_expect_success 'tasks know nothing of the file' '
	srun --output=none --error=none --route-order -- \
		sh -c "test -n \"\$SLURM_PROCID\" && test -z \"\$SLURM_HOSTFILE\""'

test_expect_success 'what users say about nodes and tasks holds' '
	srun -v --output=none --error=none --route-order -n4 true 2>srun.err &&
	grep "sfabric: ranks stay.*command line" srun.err &&
	reason="the command line" && as_names --route-order --distribution=block &&
	(SLURM_DISTRIBUTION=block && export SLURM_DISTRIBUTION &&
		reason="the environment" && as_names --route-order) &&
	(SLURM_NTASKS=9 && export SLURM_NTASKS &&
		srun --output=none --error=none --overlap --route-order -- true \
			2>srun.err && grep "different numbers of tasks" srun.err)'

test_expect_success 'an order for other nodes, a damaged one or none: by name' '
	cp "$place/orders/$job" good && reason="no order was left" &&
	sed "1s/11/12/" good >"$place/orders/$job" && as_names --route-order &&
	sed "\$d" good >"$place/orders/$job" && as_names --route-order &&
	{ cat good && echo "n1 n2"; } >"$place/orders/$job" && as_names --route-order &&
	: >"$place/orders/$job" && as_names --route-order &&
	cp good "$place/orders/$job" && chmod 666 "$place/orders/$job" &&
	as_names --route-order &&
	rm "$place/orders/$job" && as_names --route-order &&
	ln -s "$PWD/good" "$place/orders/$job" && as_names --route-order &&
	rm "$place/orders/$job" && cp good "$place/orders/$job" &&
	chmod 644 "$place/orders/$job" &&
	launched --route-order >actual && test_cmp ours actual'

test_expect_success 'a wrong word is refused; outside of a job nothing changes' '
	! srun --route-order=x true 2>srun.err && grep "expected yes or no" srun.err &&
	(unset SLURM_JOB_ID && srun -N1 --output=none --route-order true 2>srun.err &&
		grep "only within a job" srun.err)'

test_expect_success 'default=yes: for steps that say nothing' '
	echo "optional $spank dir=$place/orders default=yes" \
		>"$slurm_dir/plugstack.conf" &&
	launched >actual && test_cmp ours actual &&
	launched --route-order=no >actual && test_cmp names actual &&
	srun -v --output=none --error=none -n4 true 2>srun.err &&
	! grep sfabric srun.err'

# A file for another Slurm is skipped: its option is unknown then.
test_expect_success 'the environment, and default=yes, survive an upgrade of Slurm' '
	cp "$spank" "$place/sfabric_order.so" &&
	offset=$(nm -D "$spank" | awk "\$3 == \"plugin_version\" { print \"0x\" \$1 }") &&
	printf "\376" | dd of="$place/sfabric_order.so" bs=1 conv=notrunc \
		seek=$((offset + 1)) &&
	echo "optional $spank dir=$place/orders" >"$slurm_dir/plugstack.conf" &&
	(
		SLURM_SPANK__SLURM_SPANK_OPTION_sfabric_order_route_order=yes &&
		export SLURM_SPANK__SLURM_SPANK_OPTION_sfabric_order_route_order &&
		launched >actual && test_cmp ours actual &&
		echo "optional $place/sfabric_order.so dir=$place/orders default=yes" \
			>"$slurm_dir/plugstack.conf" &&
		launched >actual && test_cmp names actual
	) &&
	! srun --route-order --output=none true 2>srun.err &&
	grep "route-order" srun.err &&
	echo "optional $spank dir=$place/orders default=yes" \
		>"$slurm_dir/plugstack.conf"'

test_expect_success 'a batch job; the order goes with the job' '
	scancel $job && slurm_wait test ! -e "$place/orders/$job" &&
	(unset SLURM_JOB_ID SLURM_JOB_NUM_NODES SLURM_JOB_NODELIST &&
		slurm_wait_idle && sbatch --parsable -w "$nodes" -N8 -o "$PWD/batch.out" \
			-W --wrap="srun -v -o none -- true" >/dev/null) &&
	sed -n "s/^.*on host \([^,]*\), 1 tasks: \([0-9]*\)\$/\2 \1/p" batch.out |
		sort -n | cut -d" " -f2 >actual && test_cmp ours actual'

test_done
