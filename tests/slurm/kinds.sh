# SPDX-License-Identifier: GPL-2.0-or-later
# kinds.sh - a cluster with nodes and partitions of many kinds
#
#	. "$SFAB_SRCDIR/tests/slurm/kinds.sh"
#	kinds_conf MINUTES
#	kinds_start NAME [WEIGHT WEIGHT]
#
# 64 nodes: n1 to n20 with 8 cores, n21 to n36 with 8 cores of two threads, n37 to
# n52 with 16 cores and two devices, n53 to n64 with 4 cores of two threads.  The
# WEIGHTs are of n21 to n52, and of n53 to n64.  Partitions whose jobs share cores,
# have whole nodes, few nodes, few CPUs of each, little time; MINUTES is the time of
# jobs that name none.
. "$SFAB_SRCDIR/tests/slurm/place.sh"

kinds_conf () {
	place_snapshot 11 6 6 6 >/dev/null
	place_conf Mode=on DefaultTraffic=mpi
	SFABRIC_SNAPSHOT=$place_dir/fabric.snap
	export SFABRIC_SNAPSHOT
	SLURM_NODE_KEYS=' '
	SLURM_EXTRA="SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=200
GresTypes=gpu
Licenses=tool:3,disk:2
SchedulerParameters=$place_scheduler"
	SLURM_BESIDE=$place_dir/gres.conf
	cat >"$SLURM_BESIDE" <<-END
	NodeName=n[37-52] Name=gpu File=/dev/null
	NodeName=n[37-52] Name=gpu File=/dev/zero
	END
	SLURM_PARTITIONS="PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP DefaultTime=$1
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP DefaultTime=$1
PartitionName=small Nodes=n[1-40] OverSubscribe=NO MaxNodes=4 State=UP DefaultTime=$1
PartitionName=few Nodes=ALL OverSubscribe=NO MaxCPUsPerNode=4 State=UP DefaultTime=$1
PartitionName=force Nodes=n[1-44] OverSubscribe=FORCE:2 State=UP DefaultTime=$1
PartitionName=yes Nodes=n[13-64] OverSubscribe=YES:2 State=UP DefaultTime=$1
PartitionName=short Nodes=ALL OverSubscribe=NO MinNodes=2 MaxTime=10 State=UP"
}

kinds_start () {
	place_start "$1" \
		"n[1-20] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=8000 Feature=fast" \
		"n[21-36] CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Feature=fast,big Weight=${2-1}" \
		"n[37-52] CPUs=16 Sockets=2 CoresPerSocket=8 RealMemory=12000 Feature=gpu Gres=gpu:2 Weight=${2-1}" \
		"n[53-64] CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=6000 Feature=old Weight=${3-1}" &&
	place_warm
}
