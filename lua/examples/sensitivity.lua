-- sensitivity.lua - quiet nodes for jobs that feel the fabric
--
-- Applications differ: published runs of Fluent and LS-DYNA gain from 2 % to
-- 32 % by InfiniBand over Gigabit Ethernet, less as the problem per core
-- grows.  So a job gets a grade by its name.  A sensitive job takes the quiet
-- nodes: the effects of routes and of other jobs on it (self, contention) count
-- three times.  An insensitive job takes the rest: these effects do not count.
-- It only must not slow others (slowed) or break whole leaves (broken).
--
-- tests/cli/replay_policy.t: where every leaf of ten hosts shares two uplinks, the
-- excess run time of sensitive jobs is a fifth smaller than by tree placement.
-- Without the script it is a sixth smaller, and over eight such logs with fixed run
-- times the script gains 1 %: replay your own log before you use it
-- (sfabric-replay(1)).

-- name pattern -> how much of its time a job waits for the network, 0..1
local grades = {
	{ "fluent*", 0.30 },
	{ "lsdyna*", 0.20 },
	{ "namd*", 0.30 },
	{ "*montecarlo*", 0.02 },
	{ "*render*", 0.02 },
}
local DEFAULT_GRADE = 0.10
local SENSITIVE = 0.15

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
	local g = grade(j)

	if g >= SENSITIVE then
		return { weights = { self = 3, contention = 3 } }
	end
	if g < DEFAULT_GRADE then
		return {
			weights = {
				self = 0, contention = 0,
				slowed = 3, broken = 2,
			},
		}
	end
	return nil
end

return policy
