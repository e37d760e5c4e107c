-- lustre-lnet.lua - Lustre behind LNET routers that serve groups of racks
--
-- Hosts are r<rack>n<node>; routers lnet1, lnet2, ...  Each pair of racks has
-- its own four routers, and only those: racks 1 and 2 lnet1-4, racks 3 and 4
-- lnet5-8.  A router carries 2.5 GB/s.  Login and service hosts are not nodes.

local ROUTERS_A_GROUP = 4
local RACKS_A_GROUP = 2

-- What applications send, by job name; the first pattern that fits counts.
local applications = {
	{ "*checkpoint*", "mpi=0.2+io-write@scratch=0.4" },
	{ "wrf*", "neighbor=0.3+io-write@scratch=0.1" },
	{ "*post*", "io-read@scratch=0.4" },
}

local policy = {
	io_sets = { scratch = { map = "group", gbs = 2.5 } },
}

-- h: name, desc, role, ports, leaf
function policy.host(h)
	if glob(h.name, "lnet[0-9]*") then
		local router = number(h.name) - 1
		return {
			io = "scratch",
			group = math.floor(router / ROUTERS_A_GROUP),
		}
	end
	if glob(h.name, "r[0-9]*n[0-9]*") then
		local rack = number(h.name, 1) - 1
		return { group = math.floor(rack / RACKS_A_GROUP) }
	end
	return { role = "other" }
end

-- j: partition, account, qos, name, hint, user, nodes, minutes
function policy.job(j)
	if j.hint then
		return nil		-- the job knows better
	end
	for _, application in ipairs(applications) do
		if glob(j.name or "", application[1]) then
			return { traffic = application[2] }
		end
	end
	if j.partition == "transfer" then
		return { traffic = "io-read@scratch=0.5+io-write@scratch=0.5" }
	end
	return nil			-- DefaultTraffic of sfabric.conf
end

return policy
