# SPDX-License-Identifier: GPL-2.0-or-later
# complete.zsh - the end of the completion, below the tables
# what may follow: files, hosts, or words; a job's id or a share follows at once
_sfabric_reply () {
	local -a whole begun

	case $1 in
	'<file>')
		_files
		return ;;
	'<host>')
		compadd -- ${(f)"$(sfabric show hosts -hP -o host 2>/dev/null)"}
		return ;;
	esac
	whole=(${${=1}:#*[:=]})
	begun=(${(M)${=1}:#*[:=]})
	compadd -a whole
	compadd -S '' -a begun
}

_sfabric () {
	local command=$words[2] before=$words[CURRENT-1] values

	if ((CURRENT == 2)) || [[ $command == help ]]; then
		_sfabric_reply $_sfabric_commands
		return
	fi
	if [[ $PREFIX == --*=* ]]; then
		before=${PREFIX%%=*}
		compset -P '*='
	fi
	if [[ $before == -* ]]; then
		values=$(_sfabric_table $command,$before)
	elif ((CURRENT == 3)) && [[ $PREFIX != -* ]]; then
		values=$(_sfabric_table $command,verbs)
	fi
	if [[ -z $values && $PREFIX == -* ]]; then
		values=$(_sfabric_table $command,options)
	elif [[ -z $values ]]; then
		values=$(_sfabric_table $command,words)
	fi
	_sfabric_reply $values
}

compdef _sfabric sfabric
