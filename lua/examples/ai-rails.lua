-- ai-rails.lua - an AI cluster: GPU hosts with eight rails, storage hosts
--
-- gpu<n> have eight ports, one in each rail; sfabric finds rails by itself
-- (sfabric.conf(5), RAILS).  Collectives of training go around a ring on every
-- rail, so the order of nodes and whole leaves matter more than anything else.
-- Inference jobs do not communicate: they fill the nodes that training leaves.

local policy = {
	io_sets = {
		weka = { map = "all", gbs = 40 },
	},
}

function policy.host(h)
	if glob(h.name, "weka*") then
		return { io = "weka" }
	end
	if not glob(h.name, "gpu*") then
		return { role = "other" }
	end
	return nil
end

function policy.job(j)
	if j.partition == "inference" or glob(j.name or "", "*serve*") then
		-- prefers nodes of leaves that are already in use
		return { traffic = "mpi=0.01", weights = { later = 4 } }
	end
	if j.nodes >= 16 then
		return {
			traffic = "neighbor=0.6+io-read@weka=0.05",
			weights = { later = 2 },
		}
	end
	return { traffic = "neighbor=0.4+io-read@weka=0.1" }
end

return policy
