-- SPDX-License-Identifier: GPL-2.0-or-later
-- job_submit.lua - what job_submit_sfabric.lua does to jobs; run by lua.t
local sfabric = dofile(arg[1])

local tag = sfabric.tagger({
	{ partition = "debug*", traffic = "off" },
	{ name = "a[0-3]b", traffic = "mpi=0.1" },
	{ name = "a[!0-3]c", traffic = "mpi=0.2" },
	{ script = "*wrf.exe *", account = "climate", traffic = "mpi=0.3" },
	{ name = "100%.(x)?", traffic = "mpi=0.4" },
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
}

for i, v in ipairs(vectors) do
	tag(v[1])
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
			 { { traffic = 3 } } }) do
	local ok, text = pcall(sfabric.tagger, wrong)

	assert(not ok and text:find("sfabric: rule 1: "), text)
end
