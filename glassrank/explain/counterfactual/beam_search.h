#pragma once
// Moves of any number of features that reach a goal, for any scorer: beam search, then refinement.
//
// Level by level one feature more is moved, to each of its places. Of the results that do not reach
// the goal the beam keeps those with the highest scores and those with the most score for their
// cost, half and half. Of those that do, the cheapest is kept and refined: each of its features in
// turn goes back as far as it can, all its places tried, until none can. The answer is good, not
// proved; if the goal is not reached it is the highest score met.
//
// Between the places of a ranker without steps there are cheaper values (contraction.h), and what
// passes at the lowest cost of places need not be the cheapest there. So of every set of features
// the cheapest moves that pass are noted, and only what costs more than a solution even at the
// places before is left out.
//
// Cost: levels x beam x features x places scorings, in batches. Features with more than
// `max_places` places have that many of them tried, evenly, before the refinement.

#include <cstddef>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/explain/counterfactual/search_task.h"

namespace glassrank {

struct BeamParams {
  std::size_t beam = 16;
  std::size_t max_places = 24;
};

struct BeamResult {
  SearchResult best;
  // Of a ranker without steps, if the goal is reached: moves to be brought back, the best included.
  std::vector<std::vector<Move>> passing = {};
};

// `start`: what another search has found; the result is at least as good.
BeamResult beam_search(const SearchTask& task, const BeamParams& params, const SearchResult& start,
                       const Context& context);

}  // namespace glassrank
