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
-- The first rule whose patterns all match is used.  Patterns are partition, account, name,
-- and script, which must match one line that is no comment.  "*" is any text,
-- "?" any character, "[a-z]" one of these.  Of a script the first 64 kB and 1,000
-- lines are looked at.  The tag "sfabric:TRAFFIC" is appended to the job's comment, if
-- there is room.  A job that says sfabric: itself, in its comment or network, is left
-- alone: "sfabric:off" is the word to opt out with.
--
-- A comment or network that nearly says so, sfabirc:mpi or a mere io-write, is
-- told to the user at submission (slurm.log_user).
--
-- Runs in Lua 5.1 to 5.4; touches nothing but job_desc.comment.

local sfabric = {}

local kinds = { partition = true, account = true, name = true, script = true,
		traffic = true }

-- Users send these texts, and slurmctld waits for the answer: what is looked at is
-- limited.  Slurm itself refuses longer names and comments, but only afterwards.
local script_bytes, script_lines, text_bytes = 65536, 1000, 1024

-- a character of a glob as Lua pattern
local function literal(c)
	return c:find("^[%w%s]") and c or "%" .. c
end

-- "a-z" inside brackets, each character by itself: the ends of a Lua range may be no
-- punctuation.  nil: there is none.
local function range(lo, hi)
	local set = {}

	for byte = lo:byte(), hi:byte() do
		set[#set + 1] = literal(string.char(byte))
	end
	return set[1] and table.concat(set)
end

-- The class that begins behind the bracket at @at: its Lua pattern and where it ends.
-- nil: it does not end, or has a range without characters.
local function class(glob, at)
	local set = glob:find("^[!^]", at) and "[^" or "["
	local from = at + #set - 1
	local k = from

	while k == from or glob:sub(k, k) ~= "]" do
		local lo, hi = glob:match("^(.)%-([^%]])", k)
		local part = lo and range(lo, hi) or
			     not lo and k <= #glob and literal(glob:sub(k, k))

		if not part then
			return nil
		end
		set = set .. part
		k = k + (lo and 3 or 1)
	end
	return set .. "]", k
end

-- What stands between the stars of a glob: Lua patterns for so many characters each.
-- None of them can backtrack.  nil: a bad class.
local function pieces_of(glob)
	local pieces, k = { { pattern = "", width = 0 } }, 1

	while k <= #glob do
		local c, last = glob:sub(k, k), pieces[#pieces]

		if c == "*" then
			pieces[#pieces + 1] = { pattern = "", width = 0 }
		else
			local one = c == "?" and "." or literal(c)

			if c == "[" then
				one, k = class(glob, k + 1)
			end
			if not one then
				return nil
			end
			last.pattern = last.pattern .. one
			last.width = last.width + 1
		end
		k = k + 1
	end
	return pieces
end

local function is_at(text, at, piece)
	return piece.width == 0 or text:find("^" .. piece.pattern, at) ~= nil
end

-- The first piece is at the begin, the last at the end, and each between at the first
-- place behind the one before: text x glob steps at most.
local function matches(text, pieces)
	local first, last = pieces[1], pieces[#pieces]
	local at, stop = first.width + 1, #text - last.width

	if #pieces == 1 then
		return #text == first.width and is_at(text, 1, first)
	end
	if at > stop + 1 or not is_at(text, 1, first) or
	   not is_at(text, stop + 1, last) then
		return false
	end
	for i = 2, #pieces - 1 do
		local _, to = text:find(pieces[i].pattern, at)

		if not to or to > stop then
			return false
		end
		at = to + 1
	end
	return true
end

-- lines of a script that are no comments
local function lines_of(script)
	local lines, seen = {}, 0

	for line in script:sub(1, script_bytes):gmatch("[^\r\n]+") do
		seen = seen + 1
		if seen > script_lines then
			break
		end
		if not line:find("^%s*#") then
			lines[#lines + 1] = line
		end
	end
	return lines
end

-- A field as text, "" for none.  nil: Slurm will refuse the job for its length.
local function short_text(field)
	local text = field == nil and "" or tostring(field)

	return #text <= text_bytes and text or nil
end

-- What a rule may ask for.  Slurm copies a field each time it is read, and a script may
-- have megabytes: each is read once.
local function texts_of(job)
	local texts = { script = lines_of(job.script or "") }

	for _, key in ipairs({ "partition", "account", "name" }) do
		local field = job[key]

		texts[key] = { field ~= nil and short_text(field) or nil }
	end
	return texts
end

local function any_matches(texts, pieces)
	for _, text in ipairs(texts) do
		if matches(text, pieces) then
			return true
		end
	end
	return false
end

local function applies(rule, texts)
	for key, pieces in pairs(rule.globs) do
		if not any_matches(texts[key], pieces) then
			return false
		end
	end
	return true
end

-- Rules with their globs read.  A mistake is an error when job_submit.lua is loaded:
-- Slurm then keeps the one that it had.  At a job it would refuse the job.
local function read_rules(rules)
	local list = {}

	for i, rule in ipairs(rules) do
		local globs = {}

		for key, value in pairs(rule) do
			if not kinds[key] or type(value) ~= "string" then
				error("sfabric: rule " .. i .. ": " .. tostring(key) ..
				      " (expected texts partition|account|name|script|" ..
				      "traffic)", 3)
			end
			globs[key] = key ~= "traffic" and pieces_of(value) or nil
			if key ~= "traffic" and not globs[key] then
				error("sfabric: rule " .. i .. ": " .. key .. "=" ..
				      value .. " (expected brackets as in [a-z])", 3)
			end
		end
		if not rule.traffic then
			error("sfabric: rule " .. i .. ": no traffic", 3)
		end
		list[i] = { globs = globs, traffic = rule.traffic }
	end
	return list
end

-- nil: the comment has no room for it
local function with_tag(comment, traffic)
	return short_text(comment .. (comment ~= "" and " " or "") .. "sfabric:" ..
			  traffic)
end

local function speaks(text)
	return (" " .. text):find("[%s,;]sfabric:") ~= nil
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
	for word in text:gmatch("[^%s,;]+") do
		local prefix, rest = word:match("^([^:]+):(.*)")

		if prefix and #prefix <= #"sfabric" + 2 and
		   distance(prefix:lower(), "sfabric") <= 2 then
			return "sfabric:" .. rest
		end
	end
	if classes[text:match("^[^%s=@+]+")] and not text:find("[%s,;]") then
		return "sfabric:" .. text
	end
	return nil
end

-- sbatch prints it: nobody else will ever say so
local function warn(key, text)
	local hint = meant(text)

	if hint and slurm and slurm.log_user then
		slurm.log_user("sfabric: --%s=%s is no hint (did you mean %s?)", key,
			       text, hint)
	end
end

local function first_that_applies(rules, job)
	local texts = texts_of(job)

	for _, rule in ipairs(rules) do
		if applies(rule, texts) then
			return rule
		end
	end
	return nil
end

-- A function that tags a job by these rules.  It returns the traffic of the
-- tag, nil: none.
function sfabric.tagger(rules)
	local list = read_rules(rules)

	return function(job)
		local comment, network = short_text(job.comment), short_text(job.network)

		if not comment or not network or speaks(comment) or speaks(network) then
			return nil
		end
		warn("comment", comment)
		warn("network", network)

		local rule = first_that_applies(list, job)
		local tagged = rule and with_tag(comment, rule.traffic)

		if not tagged then
			return nil
		end
		-- Slurm refuses to set a field to nil.
		job.comment = tagged
		return rule.traffic
	end
end

return sfabric
