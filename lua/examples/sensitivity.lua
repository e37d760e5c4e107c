-- sensitivity.lua - what jobs wait for, by their names
--
-- Applications differ: published runs of Fluent and LS-DYNA gain from 2 % to
-- 32 % by InfiniBand over Gigabit Ethernet, less as the problem per core
-- grows.  So a job gets a grade by its name: the part of its time in which it
-- exchanges.  What it would lose on a bad set counts by that part, so a sensitive
-- job gets the better nodes, and an insensitive one takes the rest.
--
-- tests/cli/replay_policy.t: where every leaf of ten hosts shares two uplinks,
-- sensitive jobs lose a tenth less than by tree placement, and nobody waits longer.
-- Without the script, all jobs taken alike, they lose a fifth more than by tree.
-- Replay your own log before you use it (sfabric-replay(1)).

-- name pattern -> part of its time in which a job exchanges, 0..1
local grades = {
	{ "fluent*", 0.30 },
	{ "lsdyna*", 0.20 },
	{ "namd*", 0.30 },
	{ "*montecarlo*", 0.02 },
	{ "*render*", 0.02 },
}
local DEFAULT_GRADE = 0.10

local function grade(j)
	for _, g in ipairs(grades) do
		if glob(j.name or "", g[1]) then
			return g[2]
		end
	end
	return DEFAULT_GRADE
end

local policy = {}

function policy.job(j)
	return { traffic = "mpi=" .. grade(j) }
end

return policy
