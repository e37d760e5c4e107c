-- SPDX-License-Identifier: GPL-2.0-or-later
-- job_submit.lua - what job_submit_sfabric.lua does to jobs; run by lua.t
local sfabric = dofile(arg[1])

local tag = sfabric.tagger({
	{ partition = "debug*", traffic = "off" },
	{ name = "a[0-3]b", traffic = "mpi=0.1" },
	{ name = "a[!0-3]c", traffic = "mpi=0.2" },
	{ script = "*wrf.exe *", account = "climate", traffic = "mpi=0.3" },
	{ name = "100%.(x)?", traffic = "mpi=0.4" },
	{ name = "*xyz[]!-]", traffic = "mpi=0.5" },
	{ name = "[%-*]k[^%]", traffic = "mpi=0.6" },
	{ name = "?s*t*st*", traffic = "mpi=0.7" },
	{ script = "*mpirun*vasp*", traffic = "mpi=0.8" },
})

-- job, its comment afterwards
local vectors = {
	{ {}, nil },
	{ { partition = "debug" }, "sfabric:off" },
	{ { partition = "debug2", comment = "mine" }, "mine sfabric:off" },
	{ { partition = "mydebug" }, nil },
	{ { name = "a2b" }, "sfabric:mpi=0.1" },
	{ { name = "a4b" }, nil },
	{ { name = "a-b" }, nil },
	{ { name = "a4c" }, "sfabric:mpi=0.2" },
	{ { name = "a2c" }, nil },
	{ { name = "xa2b" }, nil },
	{ { name = "100%.(x)y" }, "sfabric:mpi=0.4" },
	{ { name = "100%a(x)y" }, nil },
	{ { account = "climate", script = "#!/bin/sh\nsrun ./wrf.exe -n\n" },
	  "sfabric:mpi=0.3" },
	{ { account = "climate", script = "#!/bin/sh\n # ./wrf.exe -n\n" }, nil },
	{ { account = "climate", script = "./wrfxexe -n" }, nil },
	{ { account = "other", script = "./wrf.exe -n" }, nil },
	{ { account = "climate" }, nil },
	{ { name = "a2b", comment = "sfabric:off" }, "sfabric:off" },
	{ { name = "a2b", comment = "my;sfabric:mpi" }, "my;sfabric:mpi" },
	{ { name = "a2b", comment = "nosfabric:off" },
	  "nosfabric:off sfabric:mpi=0.1" },
	{ { name = "a2b", comment = "", network = "sfabric:off" }, "" },
	{ { name = "a2b", comment = "" }, "sfabric:mpi=0.1" },
	{ { name = "xyzxyz!" }, "sfabric:mpi=0.5" },
	{ { name = "xyz]" }, "sfabric:mpi=0.5" },
	{ { name = "xyz-" }, "sfabric:mpi=0.5" },
	{ { name = "xyzx" }, nil },
	{ { name = "&k&" }, "sfabric:mpi=0.6" },
	{ { name = "+k&" }, nil },
	{ { name = "&k%" }, nil },
	{ { name = "xstst" }, "sfabric:mpi=0.7" },
	{ { name = "xst" }, nil },
	{ { name = ("x"):rep(1019) .. "-xyz!" }, "sfabric:mpi=0.5" },
	{ { name = ("x"):rep(1020) .. "-xyz!" }, nil },
	{ { name = "a2b", comment = ("c"):rep(1008) },
	  ("c"):rep(1008) .. " sfabric:mpi=0.1" },
	{ { name = "a2b", comment = ("c"):rep(1009) }, ("c"):rep(1009) },
	{ { script = "mpirun \\\nvasp" }, nil },
	{ { script = ("#\n"):rep(999) .. "mpirun vasp" }, "sfabric:mpi=0.8" },
	{ { script = ("#\n"):rep(1000) .. "mpirun vasp" }, nil },
	{ { script = ("\n"):rep(65536 - 11) .. "mpirun vasp" },
	  "sfabric:mpi=0.8" },
	{ { script = ("\n"):rep(65536 - 10) .. "mpirun vasp" }, nil },
}

-- A job as Slurm gives it: a field cannot be set to nil.
local function job_of_slurm(fields)
	return setmetatable({}, {
		__index = fields,
		__newindex = function(_, key, value)
			assert(type(value) == "string", key .. " is no string")
			fields[key] = value
		end,
	})
end

for i, v in ipairs(vectors) do
	tag(job_of_slurm(v[1]))
	if v[1].comment ~= v[2] then
		error("vector " .. i .. ": " .. tostring(v[1].comment) ..
		      " (expected " .. tostring(v[2]) .. ")")
	end
end

-- what the user is told at submission; job, what was meant
local told
slurm = {
	log_user = function(...) told = string.format(...) end,
}
for i, v in ipairs({
	{ { comment = "io-write" }, "sfabric:io-write" },
	{ { comment = "alltoall=0.6" }, "sfabric:alltoall=0.6" },
	{ { comment = "allreduce+io-read" }, "sfabric:allreduce+io-read" },
	{ { comment = "mpi=0.5+io-read" }, "sfabric:mpi=0.5+io-read" },
	{ { network = "sfabirc:mpi" }, "sfabric:mpi" },
	{ { comment = "mine,Sfabric:off" }, "sfabric:off" },
	{ { comment = "sfabri:io-write@a=0.2 x" }, "sfabric:io-write@a=0.2" },
	{ { comment = "sfabric:mpi" } },
	{ { comment = "an mpi job" } },
	{ { comment = "url=https://x" } },
	{ { comment = "" } },
	{ {} },
}) do
	told = nil
	tag(v[1])
	local is = told and told:match("%(did you mean (.*)%?%)$")

	if is ~= v[2] then
		error("told " .. i .. ": " .. tostring(told) .. " (expected " ..
		      tostring(v[2]) .. ")")
	end
end

for _, wrong in ipairs({ { {} }, { { name = "a" } }, { { nam = "a" } },
			 { { traffic = 3 } },
			 { { traffic = "mpi", name = "a[b" } },
			 { { traffic = "mpi", name = "[z-a]" } } }) do
	local ok, text = pcall(sfabric.tagger, wrong)

	assert(not ok and text:find("sfabric: rule 1: "), text)
end

-- What users send cannot stall slurmctld, whatever the rules.  CPU time, since other
-- programs have the machine, too; the best of several tries, since they also have its
-- caches.
local function cpu_ms(f, ...)
	local best = math.huge

	for _ = 1, 5 do
		local from = os.clock()

		f(...)
		best = math.min(best, (os.clock() - from) * 1000)
	end
	return best
end

local hostile = sfabric.tagger({
	{ script = "*mpirun*wrf*", traffic = "mpi" },
	{ script = "*srun*python*train*", traffic = "mpi" },
	{ script = "*a*a*a*a*a*a*a*a*b", traffic = "mpi" },
	{ script = "*aaaaaaaaaaaaaaab*", traffic = "mpi" },
	{ script = "*[a-z]??[!0-9]*[0-9]*", traffic = "mpi" },
	{ name = "*a*a*a*b", traffic = "mpi" },
})

-- All limits and what is just below them: 1,024 bytes of a text, 4 MB of a script.
for _, size in ipairs({ 1024, 4 * 1024 * 1024 }) do
	for _, text in ipairs({ "mpirun ", "srun python ", "a", "aaaaaaaaaaaaaaa\n",
				"a\n", "\n", "#\n", " ", "mpirun wr\n", "a:",
				"a:a ", "sfabXXXXX: " }) do
		for _, key in ipairs({ "script", "name", "comment", "network" }) do
			local job = { partition = "p" }
			local ms

			job[key] = text:rep(math.floor(size / #text))
			ms = cpu_ms(hostile, job)
			if ms > 10 then
				error(("%s, %d bytes of %q: %.1f ms of CPU (expected " ..
				       "at most 10)"):format(key, size, text, ms))
			end
		end
	end
end

-- Slurm copies the script each time it is asked for
local asked = 0

hostile(setmetatable({}, { __index = function(_, key)
	asked = asked + (key == "script" and 1 or 0)
	return key == "script" and "true" or nil
end }))
assert(asked == 1, asked .. " copies of the script (expected 1)")
