-- two-planes.lua - a plane for MPI and one for storage
--
-- Every host has a port in both; storage servers stas<n> only in the storage
-- plane.  Fabric= of sfabric.conf names both snapshots.  There
-- is no need to say which traffic takes which plane: IO goes where the servers
-- are.
-- Accounts without a contract for IO are not placed for it.

local io_accounts = { climate = true, genomics = true }

local policy = {
	io_sets = { home = { map = "nearest" }, work = { gbs = 6 } },
}

function policy.host(h)
	if glob(h.name, "stas[0-9]*") then
		-- the first four serve home, too
		if number(h.name) <= 4 then
			return { io = { "work", "home" } }
		end
		return { io = "work" }
	end
	if glob(h.name, "login*") then
		return { role = "other" }
	end
	return nil
end

function policy.job(j)
	if j.partition == "debug" then
		return { mode = "off" }
	end
	if io_accounts[j.account or ""] then
		return { traffic = "mpi=0.3+io-write@work=0.3" }
	end
	return nil
end

return policy
