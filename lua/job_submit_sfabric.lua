-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- job_submit_sfabric.lua - tags jobs for sfabric at submission
--
-- For Slurm's own job_submit/lua; see sfabric.lua(5).  In job_submit.lua:
--
--     local sfabric = dofile("/usr/share/sfabric/job_submit_sfabric.lua")
--     local tag = sfabric.tagger({
--         { partition = "debug", traffic = "off" },
--         { script = "*wrf.exe*", traffic = "neighbor=0.3+io-write=0.1" },
--         { name = "*checkpoint*", account = "climate*",
--           traffic = "io-write=0.4" },
--     })
--     function slurm_job_submit(job_desc, part_list, submit_uid)
--         tag(job_desc)
--         return slurm.SUCCESS
--     end
--
-- The first rule counts of which all patterns match: partition, account, name,
-- and script, which must match one line that is no comment.  "*" is any text,
-- "?" any character, "[a-z]" one of these.  The tag "sfabric:TRAFFIC" goes
-- behind the job's comment.  A job that says sfabric: itself, in its comment
-- or network, is left alone: "sfabric:off" is the word to opt out with.
--
-- A comment or network that nearly says so, sfabirc:mpi or a mere io-write, is
-- told to the user at submission (slurm.log_user).
--
-- Runs in Lua 5.1 to 5.4; touches nothing but job_desc.comment.

local sfabric = {}

local kinds = { "partition", "account", "name", "script", "traffic" }

-- glob -> Lua pattern for a whole text
local function pattern_of(glob)
	local p = glob:gsub("[%^%$%(%)%%%.%+%-]", "%%%0")
	-- inside brackets a minus is a range
	p = p:gsub("(%[[^%]]*%])", function(class)
		return (class:gsub("%%%-", "-"):gsub("^%[!", "[^"))
	end)
	return "^" .. p:gsub("%*", ".*"):gsub("%?", ".") .. "$"
end

local function matches(text, glob)
	return text ~= nil and tostring(text):match(pattern_of(glob)) ~= nil
end

-- does a line of the script match that is no comment?
local function script_matches(script, glob)
	local pattern = pattern_of(glob)

	for line in (script or ""):gmatch("[^\r\n]+") do
		if not line:match("^%s*#") and line:match(pattern) then
			return true
		end
	end
	return false
end

local function applies(rule, job)
	return (not rule.partition or matches(job.partition, rule.partition))
	   and (not rule.account or matches(job.account, rule.account))
	   and (not rule.name or matches(job.name, rule.name))
	   and (not rule.script or script_matches(job.script, rule.script))
end

-- A mistake is an error when job_submit.lua is loaded: Slurm then keeps the one
-- that it had.  At a job it would refuse the job.
local function check(rules)
	for i, rule in ipairs(rules) do
		for key, value in pairs(rule) do
			local known = false

			for _, kind in ipairs(kinds) do
				known = known or kind == key
			end
			if not known or type(value) ~= "string" then
				error("sfabric: rule " .. i .. ": " ..
				      tostring(key) .. " (expected texts " ..
				      table.concat(kinds, "|") .. ")", 3)
			end
		end
		if not rule.traffic then
			error("sfabric: rule " .. i .. ": no traffic", 3)
		end
	end
end

local function add_tag(job, traffic)
	local comment = job.comment

	comment = comment and comment ~= "" and comment .. " " or ""
	job.comment = comment .. "sfabric:" .. traffic
end

local function speaks(text)
	return text ~= nil and
	       (" " .. text):find("[%s,;]sfabric:") ~= nil
end

-- Letters to insert, leave out, change or swap to make one word of the other.
local function distance(a, b)
	local before, row = {}, {}

	for k = 0, #b do
		row[k] = k
	end
	for i = 1, #a do
		local last = row

		row = { [0] = i }
		for k = 1, #b do
			local same = a:sub(i, i) == b:sub(k, k)

			row[k] = math.min(last[k] + 1, row[k - 1] + 1,
					  last[k - 1] + (same and 0 or 1))
			if i > 1 and k > 1 and a:sub(i, i) == b:sub(k - 1, k - 1)
			   and a:sub(i - 1, i - 1) == b:sub(k, k) then
				row[k] = math.min(row[k], before[k - 2] + 1)
			end
		end
		before = last
	end
	return row[#b]
end

local classes = { mpi = true, alltoall = true, allreduce = true, ring = true,
		  neighbor = true, ["io-write"] = true, ["io-read"] = true }

-- what was meant by a text that says nothing to sfabric; nil: nothing
local function meant(text)
	for prefix, rest in text:gmatch("([^%s,;:]+):([^%s,;]*)") do
		if distance(prefix:lower(), "sfabric") <= 2 then
			return "sfabric:" .. rest
		end
	end
	if classes[text:match("^[^%s=@+]+")] and not text:find("[%s,;]") then
		return "sfabric:" .. text
	end
	return nil
end

-- sbatch prints it: nobody else will ever say so
local function warn(job)
	for _, key in ipairs({ "comment", "network" }) do
		local hint = meant(job[key] and tostring(job[key]) or "")

		if hint and slurm and slurm.log_user then
			slurm.log_user("sfabric: --%s=%s is no hint (did you " ..
				       "mean %s?)", key, tostring(job[key]), hint)
		end
	end
end

-- A function that tags a job by these rules.  It returns the traffic of the
-- tag, nil: none.
function sfabric.tagger(rules)
	check(rules)
	return function(job)
		if speaks(job.comment) or speaks(job.network) then
			return nil
		end
		warn(job)
		for _, rule in ipairs(rules) do
			if applies(rule, job) then
				add_tag(job, rule.traffic)
				return rule.traffic
			end
		end
		return nil
	end
end

return sfabric
