/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simgrid_oracle.cpp - do flows get the rates in SimGrid that we predict?
 *
 * Reads what export_flows prints, starts all flows at once on SimGrid's links,
 * and compares what each has sent after one simulated second.  The options
 * leave nothing of SimGrid's TCP model but max-min sharing.  Prints the number
 * of flows, both sums in GB/s and the largest relative difference of a flow;
 * fails if that is above TOLERANCE.
 */
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

static const double TOLERANCE = 1e-6;
static const double ENDLESS = 1e13;	/* bytes; nothing ends in a second */

struct Flow {
	double rate;
	unsigned from, to;
	std::vector<unsigned> resources;
};

struct Case {
	std::map<unsigned, double> capacity;
	std::vector<Flow> flows;
};

static Case read_case(std::istream &in)
{
	Case c;
	std::string line;

	while (std::getline(in, line)) {
		std::istringstream words(line);
		char kind;
		words >> kind;
		if (kind == 'r') {
			unsigned id;
			words >> id;
			words >> c.capacity[id];
			continue;
		}
		Flow f;
		words >> f.rate >> f.from >> f.to;
		for (unsigned id; words >> id;)
			f.resources.push_back(id);
		c.flows.push_back(f);
	}
	return c;
}

/* Hosts and links with the ids of the case; a route for each pair that talks. */
static void build(const Case &c)
{
	auto *zone = sg4::create_full_zone("fabric");
	std::map<unsigned, sg4::Link *> link;
	std::map<unsigned, sg4::Host *> host;

	for (const auto &f : c.flows) {
		std::vector<sg4::LinkInRoute> route;

		for (unsigned id : {f.from, f.to})
			if (!host[id])
				host[id] = zone->create_host(std::to_string(id), 1e9);
		for (unsigned id : f.resources) {
			if (!link[id])
				link[id] = zone->create_link(std::to_string(id),
							     c.capacity.at(id));
			link[id]->set_latency(0);
			route.emplace_back(link[id]);
		}
		zone->add_route(host[f.from]->get_netpoint(),
				host[f.to]->get_netpoint(), nullptr, nullptr,
				route, false);
	}
	zone->seal();
}

static void run_flows(const Case &c, std::vector<double> &sent)
{
	std::vector<sg4::CommPtr> comms;

	for (const auto &f : c.flows)
		comms.push_back(sg4::Comm::sendto_async(
			sg4::Host::by_name(std::to_string(f.from)),
			sg4::Host::by_name(std::to_string(f.to)), ENDLESS));
	sg4::this_actor::sleep_for(1);
	for (const auto &comm : comms)
		sent.push_back(ENDLESS - comm->get_remaining());
	for (const auto &comm : comms)
		comm->cancel();
}

static int compare(const Case &c, const std::vector<double> &sent)
{
	double ours = 0, theirs = 0, worst = 0;

	for (size_t i = 0; i < c.flows.size(); i++) {
		double rate = c.flows[i].rate;

		ours += rate;
		theirs += sent[i];
		worst = std::max(worst, std::fabs(rate - sent[i]) / sent[i]);
	}
	std::printf("%zu flows, %.6f GB/s, SimGrid %.6f GB/s, "
		    "largest difference %.2g\n", sent.size(), ours / 1e9,
		    theirs / 1e9, worst);
	return !c.flows.empty() && worst <= TOLERANCE ? 0 : 1;
}

int main(int argc, char **argv)
{
	sg4::Engine engine(&argc, argv);
	Case c = read_case(std::cin);
	std::vector<double> sent;

	for (const char *option :
	     {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
	      "network/weight-S:0"})
		sg4::Engine::set_config(option);
	build(c);
	sg4::Actor::create("flows", sg4::Host::by_name(std::to_string(
			   c.flows.at(0).from)), [&] { run_flows(c, sent); });
	engine.run();
	return compare(c, sent);
}
