/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin_mark.h - how the files that Slurm loads say what they are
 *
 * `sfabric check` looks for this text in a file before slurmctld -V loads it.  The SPANK
 * plugin, which knows no header of ours, has the same text.
 */
#ifndef SFAB_PLUGIN_MARK_H
#define SFAB_PLUGIN_MARK_H

/* "sfabric plugin 0.1.0 for Slurm 0x160508": release, SLURM_VERSION_NUMBER */
#define SFAB_PLUGIN_MARK "sfabric plugin "
#define SFAB_PLUGIN_MARK_OF(release, slurm) SFAB_PLUGIN_MARK_TEXT(release, slurm)
#define SFAB_PLUGIN_MARK_TEXT(release, slurm) SFAB_PLUGIN_MARK release " for Slurm " #slurm

#endif
