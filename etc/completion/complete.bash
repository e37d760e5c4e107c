# SPDX-License-Identifier: GPL-2.0-or-later
# complete.bash - the end of the completion, below the tables
# what may follow: files, or words that begin as the one at hand does
_sfabric_reply () {
	local at=$2

	if [[ $1 == '<file>' ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$at")
	elif [[ $1 == '<host>' ]]; then
		_sfabric_reply "$(sfabric show hosts -hP -o host 2>/dev/null)" "$at"
	else
		mapfile -t COMPREPLY < <(compgen -W "$1" -- "$at")
		# a job's id, or a share, follows at once
		[[ ${COMPREPLY[*]} != *[:=] ]] || compopt -o nospace 2>/dev/null
	fi
}

_sfabric () {
	local at=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} values

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		_sfabric_reply "$_sfabric_commands" "$at"
		return
	fi
	if [[ $command == help ]]; then
		_sfabric_reply "$_sfabric_commands" "$at"
		return
	fi
	# bash takes "--value=ro" for three words
	if [[ $at == '=' ]]; then
		at=
	elif [[ $before == '=' ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [[ $before == -* ]]; then
		values=$(_sfabric_table "$command,$before")
		if [[ $values ]]; then
			_sfabric_reply "$values" "$at"
			return
		fi
	fi
	values=$(_sfabric_table "$command,verbs")
	if [[ $values && $at != -* ]] && ((COMP_CWORD == 2)); then
		_sfabric_reply "$values" "$at"
		return
	fi
	if [[ $at == -* ]]; then
		_sfabric_reply "$(_sfabric_table "$command,options")" "$at"
	else
		_sfabric_reply "$(_sfabric_table "$command,words")" "$at"
	fi
}

complete -F _sfabric sfabric
