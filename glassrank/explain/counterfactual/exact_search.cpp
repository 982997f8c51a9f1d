#include "glassrank/explain/counterfactual/exact_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <utility>

#include "glassrank/explain/counterfactual/feature_sets.h"

namespace glassrank {
namespace {

using Places3 = std::array<std::uint32_t, kMostExactFeatures>;

// A leaf of a tree over the places of a set of features.
struct Term {
  std::uint32_t tree = 0;
  double gain = 0;
  Places3 first = {};
  Places3 last = {};
};

// Places of a set of features, between first and last each, and the leaves that they can be in.
struct Region {
  double cost = 0;           // of its cheapest point
  std::uint64_t number = 0;  // orders regions of equal cost
  const MovedFeatures* features = nullptr;
  bool is_whole_set = false;  // not yet divided into directions
  Places3 first = {};
  Places3 last = {};
  double constant = 0;      // of trees with one leaf left
  std::vector<Term> terms;  // by tree
};

struct Dearer {
  bool operator()(const Region& a, const Region& b) const {
    return std::pair(a.cost, a.number) > std::pair(b.cost, b.number);
  }
};

class ExactSearch {
 public:
  ExactSearch(const SearchTask& task, const LeafBoxes& boxes, std::uint64_t max_steps,
              const Context& context)
      : task_(task), boxes_(boxes), max_steps_(max_steps), context_(context) {
    own_score_ = score({});
    needed_ = task.goal.score - own_score_;
    // Sums of as many numbers as there are trees, in another order than the scorer's.
    room_ = 1e-9 * (1 + std::abs(task.goal.score) + std::abs(own_score_));
  }

  SearchResult run() {
    result_.score = own_score_;
    result_.is_proved = true;
    const std::size_t most = std::min(task_.max_features, kMostExactFeatures);
    for (std::size_t size = 1; size <= most && result_.is_proved; ++size) {
      if (result_.is_found && task_.fewest_first) break;
      search_sets_of(size);
    }
    if (result_.is_proved) result_.least_cost = result_.is_found ? result_.cost : kNoCost;
    return std::move(result_);
  }

 private:
  double score(std::span<const Move> moves) const {
    const std::vector<float> row = task_.changed(moves);
    double score = 0;
    task_.scorer.score({row.data(), 1, row.size()}, {&score, 1}, context_);
    return score;
  }
  const FeaturePlaces& places(const Region& region, std::size_t i) const {
    return task_.places[(*region.features)[i]];
  }

  void search_sets_of(std::size_t size) {
    const FeatureSets sets(boxes_, task_.places.size(), result_.cost);
    const std::vector<MovedFeatures> reaching = sets.reaching(size, needed_ - room_);
    std::vector<Region> heap;
    for (const MovedFeatures& features : reaching) {
      Region region{.number = next_number_++, .features = &features, .is_whole_set = true};
      for (const std::uint32_t f : features) region.cost += cheapest_move(task_.places[f]);
      if (region.cost < result_.cost) heap.push_back(std::move(region));
    }
    queue_ = Queue(Dearer(), std::move(heap));
    while (!queue_.empty() && queue_.top().cost < result_.cost) {
      const Region region = queue_.top();
      queue_.pop();
      if (++num_steps_ > max_steps_) {
        result_.is_proved = false;
        // Larger sets, not looked at, may be as cheap as their cheapest move.
        result_.least_cost = size < task_.max_features ? 0 : region.cost;
        return;
      }
      if (num_steps_ % 256 == 0) context_.check_stop();
      if (region.is_whole_set) {
        divide_into_directions(region);
      } else if (!try_cheapest(region)) {
        divide(region);
      }
    }
  }

  static double cheapest_move(const FeaturePlaces& places) {
    double cost = kNoCost;
    if (places.own > 0) cost = places.costs[places.own - 1];
    if (places.own + 1 < places.size()) cost = std::min(cost, places.costs[places.own + 1]);
    return cost;
  }

  // The leaves that moves of the set can lead to, tree by tree, for trees with more than one.
  std::vector<Term> terms_of(const MovedFeatures& features) const {
    std::vector<Term> terms;
    const auto add = [&](const LeafBox& box) {
      Term term{.tree = box.tree, .gain = box.gain};
      for (std::size_t i = 0; i < features.size(); ++i) {
        const PlaceRange range = box.range_of(features[i], task_.places);
        term.first[i] = range.first;
        term.last[i] = range.last;
      }
      terms.push_back(term);
    };
    for (std::size_t subset = 1; subset < (std::size_t{1} << features.size()); ++subset) {
      MovedFeatures moved;
      for (std::size_t i = 0; i < features.size(); ++i) {
        if ((subset >> i & 1) != 0) moved.push_back(features[i]);
      }
      const auto found = boxes_.moved.find(moved);
      if (found != boxes_.moved.end()) std::ranges::for_each(found->second, add);
    }
    std::vector<std::uint32_t> trees;
    for (const Term& term : terms) trees.push_back(term.tree);
    std::ranges::sort(trees);
    trees.erase(std::ranges::unique(trees).begin(), trees.end());
    for (const std::uint32_t tree : trees) add(boxes_.own[tree]);
    std::ranges::stable_sort(terms, {}, &Term::tree);
    return terms;
  }

  // Every feature of a set must move, up or down: past the first place that makes a difference.
  void divide_into_directions(const Region& set) {
    const std::size_t size = set.features->size();
    const std::vector<Term> terms = terms_of(*set.features);
    for (std::size_t directions = 0; directions < (std::size_t{1} << size); ++directions) {
      Region region{.features = set.features};
      bool is_empty = false;
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t own = places(set, i).own;
        const auto end = static_cast<std::uint32_t>(places(set, i).size() - 1);
        region.first[i] = 0;
        region.last[i] = end;
        std::uint32_t up = end + 1;
        std::uint32_t down = 0;
        for (const std::uint32_t cut : cuts_of(terms, i, 0, end)) {
          if (cut > own) up = std::min(up, cut);
          if (cut <= own) down = std::max(down, cut);
        }
        const bool is_up = (directions >> i & 1) != 0;
        is_empty = is_empty || (is_up ? up > end : down == 0);
        if (is_up) region.first[i] = up;
        if (!is_up && down > 0) region.last[i] = down - 1;
      }
      if (!is_empty) push(std::move(region), terms, 0);
    }
  }

  // Places at which a feature comes from one leaf to another: the first ones behind.
  static std::vector<std::uint32_t> cuts_of(std::span<const Term> terms, std::size_t i,
                                            std::uint32_t first, std::uint32_t last) {
    std::vector<std::uint32_t> cuts;
    for (const Term& term : terms) {
      if (term.first[i] > first && term.first[i] <= last) cuts.push_back(term.first[i]);
      if (term.last[i] >= first && term.last[i] < last) cuts.push_back(term.last[i] + 1);
    }
    std::ranges::sort(cuts);
    cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
    return cuts;
  }

  // Takes over the leaves that touch the region; drops it when they cannot reach the goal.
  void push(Region region, std::span<const Term> terms, double constant) {
    const std::size_t size = region.features->size();
    region.constant = constant;
    double most = 0;
    for (std::size_t t = 0; t < terms.size();) {
      const std::size_t begin = region.terms.size();
      const std::uint32_t tree = terms[t].tree;
      double best = -kNoCost;
      for (; t < terms.size() && terms[t].tree == tree; ++t) {
        bool touches = true;
        for (std::size_t i = 0; i < size; ++i) {
          touches =
              touches && terms[t].first[i] <= region.last[i] && terms[t].last[i] >= region.first[i];
        }
        if (!touches) continue;
        region.terms.push_back(terms[t]);
        best = std::max(best, terms[t].gain);
      }
      if (region.terms.size() == begin + 1) {
        region.constant += best;
        region.terms.pop_back();
      } else {
        most += best;
      }
    }
    if (region.constant + most < needed_ - room_) return;
    region.cost = 0;
    for (std::size_t i = 0; i < size; ++i) {
      region.cost += places(region, i).costs[nearest_place(region, i)];
    }
    if (region.cost >= result_.cost) return;
    region.number = next_number_++;
    queue_.push(std::move(region));
  }

  std::uint32_t nearest_place(const Region& region, std::size_t i) const {
    return std::clamp(places(region, i).own, region.first[i], region.last[i]);
  }

  // Whether the cheapest point of the region reaches the goal; it is the result then.
  bool try_cheapest(const Region& region) {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < region.features->size(); ++i) {
      moves.push_back({(*region.features)[i], nearest_place(region, i)});
    }
    double gain = region.constant;
    for (const Term& term : region.terms) {
      bool is_in = true;
      for (std::size_t i = 0; i < moves.size(); ++i) {
        is_in = is_in && term.first[i] <= moves[i].place && moves[i].place <= term.last[i];
      }
      if (is_in) gain += term.gain;
    }
    if (gain < needed_ - room_) return false;
    const double exact = score(moves);
    if (!task_.goal.passes(exact)) return false;
    result_.is_found = true;
    result_.moves = std::move(moves);
    result_.cost = region.cost;
    result_.score = exact;
    return true;
  }

  // In two, at the middle edge of the feature with the most; nothing when there is no edge left.
  void divide(const Region& region) {
    std::size_t along = 0;
    std::vector<std::uint32_t> most;
    for (std::size_t i = 0; i < region.features->size(); ++i) {
      std::vector<std::uint32_t> cuts = cuts_of(region.terms, i, region.first[i], region.last[i]);
      if (cuts.size() <= most.size()) continue;
      most = std::move(cuts);
      along = i;
    }
    if (most.empty()) return;
    const std::uint32_t cut = most[most.size() / 2];
    Region lower{.features = region.features, .first = region.first, .last = region.last};
    Region upper = lower;
    lower.last[along] = cut - 1;
    upper.first[along] = cut;
    push(std::move(lower), region.terms, region.constant);
    push(std::move(upper), region.terms, region.constant);
  }

  using Queue = std::priority_queue<Region, std::vector<Region>, Dearer>;
  const SearchTask& task_;
  const LeafBoxes& boxes_;
  const std::uint64_t max_steps_;
  const Context& context_;
  double own_score_ = 0;
  double needed_ = 0;  // gain
  double room_ = 0;
  std::uint64_t next_number_ = 0;
  std::uint64_t num_steps_ = 0;
  Queue queue_;
  SearchResult result_;
};

}  // namespace

SearchResult exact_search(const SearchTask& task, const LeafBoxes& boxes, std::uint64_t max_steps,
                          const Context& context) {
  return ExactSearch(task, boxes, max_steps, context).run();
}

}  // namespace glassrank
