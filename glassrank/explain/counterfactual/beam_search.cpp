#include "glassrank/explain/counterfactual/beam_search.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace glassrank {
namespace {

constexpr std::size_t kBatchRows = std::size_t{1} << 14;

struct State {
  std::vector<Move> moves;  // by feature
  double cost = 0;
  double least = 0;  // that it costs between its last place and the one before
  double score = 0;
};

// The places that are tried of a feature, ascending.
struct Tried {
  std::uint32_t feature = 0;
  std::vector<std::uint32_t> places;
};

std::vector<Move> with(std::vector<Move> moves, Move move) {
  const auto at = std::ranges::lower_bound(moves, move.feature, {}, &Move::feature);
  moves.insert(at, move);
  return moves;
}

bool has(const State& state, std::uint32_t feature) {
  return std::ranges::find(state.moves, feature, &Move::feature) != state.moves.end();
}

class BeamSearch {
 public:
  BeamSearch(const SearchTask& task, const BeamParams& params, SearchResult start,
             const Context& context)
      : task_(task), params_(params), context_(context), best_(std::move(start)) {
    best_.is_proved = false;
    for (std::uint32_t f = 0; f < task.places.size(); ++f) {
      if (task.places[f].can_move()) tried_.push_back({f, tried_places(task.places[f])});
    }
  }

  BeamResult run() {
    std::vector<State> beam(1);
    score(beam);
    own_score_ = beam[0].score;
    note(beam[0]);
    for (std::size_t level = 1; level <= task_.max_features && !beam.empty(); ++level) {
      context_.check_stop();
      if (best_.is_found && task_.fewest_first && level > best_.moves.size()) break;
      beam = next_level(beam);
    }
    if (best_.is_found) refine();
    return {.best = best_, .passing = passing_moves()};
  }

 private:
  std::vector<std::uint32_t> tried_places(const FeaturePlaces& places) const {
    std::vector<std::uint32_t> tried;
    const std::size_t wanted = std::min(places.size(), params_.max_places);
    for (std::size_t i = 0; i < wanted; ++i) {
      // The ends and evenly between them.
      const std::size_t place = wanted == 1 ? 0 : i * (places.size() - 1) / (wanted - 1);
      if (place != places.own) tried.push_back(static_cast<std::uint32_t>(place));
    }
    // The nearest ones cost least.
    for (const std::int64_t step : {-1, 1}) {
      const std::int64_t place = std::int64_t{places.own} + step;
      if (place < 0 || place >= static_cast<std::int64_t>(places.size())) continue;
      tried.push_back(static_cast<std::uint32_t>(place));
    }
    std::ranges::sort(tried);
    tried.erase(std::ranges::unique(tried).begin(), tried.end());
    return tried;
  }

  void score(std::span<State> states) const {
    const std::size_t width = task_.row.size();
    std::vector<float> rows;
    std::vector<double> scores;
    for (std::size_t begin = 0; begin < states.size(); begin += kBatchRows) {
      const std::size_t size = std::min(kBatchRows, states.size() - begin);
      rows.clear();
      for (std::size_t i = 0; i < size; ++i) {
        const std::vector<float> row = task_.changed(states[begin + i].moves);
        rows.insert(rows.end(), row.begin(), row.end());
      }
      scores.resize(size);
      task_.scorer.score({rows.data(), size, width}, scores, context_);
      for (std::size_t i = 0; i < size; ++i) states[begin + i].score = scores[i];
    }
  }

  // Keeps the cheapest that reaches the goal, or else the highest score. Returns whether it reaches
  // it.
  bool note(const State& state) {
    const bool passes = task_.goal.passes(state.score);
    const bool is_better =
        passes ? best_.is_beaten_by(state.moves.size(), state.cost, task_.fewest_first)
               : !best_.is_found && state.score > best_.score;
    if (is_better) {
      best_.is_found = passes;
      best_.moves = state.moves;
      best_.score = state.score;
      best_.cost = passes ? state.cost : kNoCost;
    }
    return passes;
  }

  std::vector<State> next_level(const std::vector<State>& beam) {
    std::vector<State> states;
    std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>> met;
    for (const State& from : beam) {
      for (const auto& [feature, places] : tried_) {
        if (has(from, feature)) continue;
        for (const std::uint32_t place : places) {
          State next{.moves = with(from.moves, {feature, place})};
          next.cost = task_.cost(next.moves);
          next.least = task_.has_steps ? next.cost : from.cost + cost_before(feature, place);
          // What costs more than a solution leads nowhere.
          if (!task_.fewest_first && next.least >= best_.cost) continue;
          std::vector<std::pair<std::uint32_t, std::uint32_t>> key;
          for (const Move& move : next.moves) key.emplace_back(move.feature, move.place);
          if (met.insert(std::move(key)).second) states.push_back(std::move(next));
        }
      }
    }
    score(states);
    std::vector<State> left;
    for (State& state : states) {
      if (!note(state)) {
        left.push_back(std::move(state));
      } else if (!task_.has_steps) {
        note_passing(state);
      }
    }
    return kept(std::move(left));
  }

  // Of the tried place next to this one, towards the present value.
  double cost_before(std::uint32_t feature, std::uint32_t place) const {
    const FeaturePlaces& places = task_.places[feature];
    const auto of_feature = std::ranges::find(tried_, feature, &Tried::feature);
    double cost = 0;
    for (const std::uint32_t other : of_feature->places) {
      const bool is_between = place > places.own ? other > places.own && other < place
                                                 : other < places.own && other > place;
      if (is_between) cost = std::max(cost, places.costs[other]);
    }
    return cost;
  }

  void note_passing(const State& state) {
    std::vector<std::uint32_t> features;
    for (const Move& move : state.moves) features.push_back(move.feature);
    State& known = passing_.try_emplace(std::move(features), state).first->second;
    if (state.cost < known.cost) known = state;
  }

  // As many as the beam is wide, those first that may become the cheapest.
  std::vector<std::vector<Move>> passing_moves() const {
    std::vector<std::vector<Move>> moves;
    if (task_.has_steps || !best_.is_found) return moves;
    std::vector<State> states;
    for (const auto& [features, state] : passing_) states.push_back(state);
    std::ranges::stable_sort(states, {}, [&](const State& state) {
      return std::pair(task_.fewest_first ? state.moves.size() : 0, state.least);
    });
    moves.push_back(best_.moves);
    for (const State& state : states) {
      if (moves.size() < params_.beam) moves.push_back(state.moves);
    }
    return moves;
  }

  std::vector<State> kept(std::vector<State> states) const {
    const std::size_t half = std::max<std::size_t>(params_.beam / 2, 1);
    std::vector<State> result;
    const auto take_best = [&](auto&& key) {
      std::ranges::stable_sort(states, std::greater<>(), key);
      const std::size_t size = std::min(half, states.size());
      std::move(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(size),
                std::back_inserter(result));
      states.erase(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(size));
    };
    take_best([](const State& state) { return state.score; });
    take_best([&](const State& state) {
      return (state.score - own_score_) / std::max(state.cost, 1e-12);
    });
    return result;
  }

  // Every feature back as far as the goal allows, the dearest first, until none can.
  void refine() {
    for (bool is_better = true; is_better;) {
      is_better = false;
      std::vector<Move> order = best_.moves;
      std::ranges::stable_sort(order, std::greater<>(), [&](const Move& move) {
        return task_.places[move.feature].costs[move.place];
      });
      for (const Move& move : order) is_better = bring_back(move) || is_better;
    }
  }

  bool bring_back(const Move& move) {
    const FeaturePlaces& places = task_.places[move.feature];
    std::vector<Move> others = best_.moves;
    std::erase(others, move);
    std::vector<State> states;
    for (std::uint32_t place = 0; place < places.size(); ++place) {
      if (places.costs[place] >= places.costs[move.place]) continue;
      State state{.moves = place == places.own ? others : with(others, {move.feature, place})};
      state.cost = task_.cost(state.moves);
      states.push_back(std::move(state));
    }
    score(states);
    bool is_better = false;
    for (const State& state : states) {
      const double before = best_.cost;
      note(state);
      is_better = is_better || best_.cost < before;
    }
    return is_better;
  }

  const SearchTask& task_;
  const BeamParams params_;
  const Context& context_;
  std::vector<Tried> tried_;
  std::map<std::vector<std::uint32_t>, State> passing_;  // the cheapest of a set of features
  double own_score_ = 0;
  SearchResult best_;
};

}  // namespace

BeamResult beam_search(const SearchTask& task, const BeamParams& params, const SearchResult& start,
                       const Context& context) {
  return BeamSearch(task, params, start, context).run();
}

}  // namespace glassrank
