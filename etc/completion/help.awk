# SPDX-License-Identifier: GPL-2.0-or-later
# help.awk - the --help of a command -> "COMMAND KEY WORD..."
/^Usage: /, !/^(Usage:| )/ {
	if (/^(Usage:| )/) {
		n = split($0, word, " ")
		if (word[n] != "[NAME...]")
			last = word[n]
		else if (n > 1)
			last = word[n - 1]
		for (i = 2; i < n && word[i] != "[OPTION...]"; i++)
			;
		if (word[i + 1] ~ /^[a-z]+$/)
			verbs = verbs " " word[i + 1]
	}
}
/^ +-/ {
	line = $0
	sub(/^ +/, "", line)
	if (match(line, /^-., /)) {
		short = substr(line, 1, 2)
		line = substr(line, 5)
	} else {
		short = ""
	}
	split(line, part, " ")
	name = part[1]
	argument = ""
	if (i = index(name, "=")) {
		argument = substr(name, i + 1)
		name = substr(name, 1, i - 1)
		sub(/\[$/, "", name)
	}
	options = options " " name (short ? " " short : "")
	if (argument ~ /^[a-z0-9-]+(\|[a-z0-9-]+)+/)
		value[name] = argument
	else if (argument == "SET")
		value[name] = "all|compute|io|job:"
	else if (argument == "HOSTLIST")
		value[name] = "<host>"
	else if (argument ~ /^TRAFFIC/)
		value[name] = "mpi= alltoall= allreduce= ring= uniform= neighbor= " \
			"io-write= io-read="
	else if (name == "--engine" || name == "--route")
		value[name] = "minhop updn dnup ftree lash dor torus-2QoS nue sssp dfsssp"
	else if (argument ~ /^(FILE|SNAP|NET|MAP|DIR|PATH)/)
		value[name] = "<file>"
	if (short && name in value)
		value[short] = value[name]
}
/^With --format / {
	gsub(/With --format|\([^)]*\)?|,| or /, " ")
	value["--format"] = $0
}
END {
	print command, "options" options
	if (last ~ /^[a-z-]+(\|[a-z-]+)+$/)
		print command, "words", spaced(last)
	else if (last ~ /(FILE|SCRIPT|LOG|SNAP)[].]*$/)
		print command, "words <file>"
	if (verbs)
		print command, "verbs" verbs
	for (name in value)
		print command, name, spaced(value[name]) | "sort"
}

function spaced(list) {
	gsub(/[| ]+/, " ", list)
	sub(/^ /, "", list)
	return list
}
