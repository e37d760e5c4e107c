-- sensitivity.lua - quiet nodes for jobs that feel the fabric
--
-- Applications differ: published runs of Fluent and LS-DYNA gain from 2 % to
-- 32 % by InfiniBand over Gigabit Ethernet, less as the problem per core
-- grows.  So a job gets a grade by its name, and a large problem on few nodes
-- a lower one.  A sensitive job pays for what others do to it (contention,
-- overlap); one that is not keeps out of the way: it pays for what it does to
-- others (harm) and for leaves that it breaks (broken), for itself nearly
-- nothing.

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
		return { weights = { contention = 4, overlap = 1 } }
	end
	if g < DEFAULT_GRADE then
		return {
			weights = {
				self = 0, contention = 0, overlap = 0,
				harm = 4, broken = 2,
			},
		}
	end
	return nil
end

return policy
