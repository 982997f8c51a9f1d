#include "glassrank/models/gam/monotone.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

namespace glassrank {
namespace {

constexpr double kRounding = 1e-13;  // of the sum of the effects' largest values
constexpr double kClose = 1e-12;     // as much: projections that move less have come to their end
constexpr int kMostSweeps = 20'000;
constexpr double kVanishing = 1e-9;  // weight of a cell without rows, of the smallest there is

// The cells of one effect on both sides of an edge, by the other feature's cell.
struct Step {
  std::size_t effect = 0;
  std::vector<std::size_t> below;
  std::vector<std::size_t> above;
};
using Edges = std::map<float, std::vector<Step>>;

Step step_at(const GamEffect& effect, std::size_t axis, std::size_t cell) {
  Step step;
  const bool is_last = axis + 1 == effect.axes.size();
  const std::size_t stride = is_last ? 1 : effect.axes.back().num_cells();
  const std::size_t num_others = effect.is_pair() ? effect.axes[1 - axis].num_cells() : 1;
  const std::size_t other_stride = is_last ? effect.axes.back().num_cells() : 1;
  for (std::size_t z = 0; z < num_others; ++z) {
    step.below.push_back(cell * stride + z * other_stride);
    step.above.push_back((cell + 1) * stride + z * other_stride);
  }
  return step;
}

Edges edges_of(std::span<const GamEffect> effects, std::uint32_t feature) {
  Edges edges;
  for (std::size_t e = 0; e < effects.size(); ++e) {
    for (std::size_t a = 0; a < effects[e].axes.size(); ++a) {
      const GamAxis& axis = effects[e].axes[a];
      if (axis.feature != feature) continue;
      for (std::size_t i = 0; i < axis.edges.size(); ++i) {
        if (std::isinf(axis.edges[i])) continue;  // no value is beyond
        edges[axis.edges[i]].push_back(step_at(effects[e], a, i));
        edges[axis.edges[i]].back().effect = e;
      }
    }
  }
  return edges;
}

double size_of(std::span<const GamEffect> effects) {
  double size = 0;
  for (const GamEffect& effect : effects) {
    double largest = 0;
    for (const double value : effect.values) largest = std::max(largest, std::abs(value));
    size += largest;
  }
  return size;
}

double smallest_rise(std::span<const GamEffect> effects, const std::vector<Step>& steps,
                     double sign) {
  double rise = 0;
  for (const Step& step : steps) {
    const std::vector<double>& values = effects[step.effect].values;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t z = 0; z < step.below.size(); ++z) {
      least = std::min(least, sign * (values[step.above[z]] - values[step.below[z]]));
    }
    rise += least;
  }
  return rise;
}

// One effect at one edge: how far cells are moved apart. t(load) is the smallest rise that the
// effect has when moving its cells costs `load`: sum over z of weight * (t - rise)+ = load.
struct Part {
  std::vector<double> rises;    // before
  std::vector<double> weights;  // of moving apart by one
  std::vector<std::size_t> order = {};

  struct Level {
    double rise = 0;
    double slope = 0;  // of the rise, by load
  };
  Level level(double load) const {
    double weight = 0;
    double weighted = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      weight += weights[order[i]];
      weighted += weights[order[i]] * rises[order[i]];
      const double rise = (load + weighted) / weight;
      if (i + 1 == order.size() || rise < rises[order[i + 1]]) return {rise, 1 / weight};
    }
    return {};
  }
  void sort() {
    order.resize(rises.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(rises[i], i); });
  }
};

// The load at which the smallest rises add up to 0. Their sum is concave and grows with the load:
// Newton's steps never go too far, and end at the piece that holds the solution.
double load_for_no_fall(std::span<const Part> parts) {
  double load = 0;
  for (int i = 0; i < 200; ++i) {
    double rise = 0;
    double slope = 0;
    for (const Part& part : parts) {
      const Part::Level level = part.level(load);
      rise += level.rise;
      slope += level.slope;
    }
    const double next = load - rise / slope;
    if (!(next > load)) break;
    load = next;
  }
  return load;
}

class Projection {
 public:
  Projection(std::vector<GamEffect>& effects, const MonotoneRule& rule)
      : effects_(effects), sign_(rule.sign), scale_(size_of(effects)) {
    for (const GamEffect& effect : effects) start_.push_back(effect.values);
    set_weights();
    for (auto& [edge, steps] : edges_of(effects, rule.feature)) {
      if (edge < rule.low || edge >= rule.high) continue;
      Condition condition{.steps = std::move(steps), .moves = {}};
      for (const Step& step : condition.steps) condition.moves.emplace_back(step.below.size(), 0.0);
      conditions_.push_back(std::move(condition));
    }
  }

  void run() {
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      double largest = 0;
      for (Condition& condition : conditions_) largest = std::max(largest, project(condition));
      if (largest <= kClose * scale_) break;
    }
    // Once more from the beginning, without what came and went: cells at rest keep their bits.
    for (std::size_t e = 0; e < effects_.size(); ++e) effects_[e].values = start_[e];
    for (const Condition& condition : conditions_) {
      for (std::size_t s = 0; s < condition.steps.size(); ++s) {
        for (std::size_t z = 0; z < condition.moves[s].size(); ++z) {
          move(condition.steps[s], z, condition.moves[s][z]);
        }
      }
    }
    for (const Condition& condition : conditions_) repair(condition);
  }

 private:
  struct Condition {
    std::vector<Step> steps;
    std::vector<std::vector<double>> moves;  // by step and other cell: how far apart so far
  };

  void set_weights() {
    double least = std::numeric_limits<double>::infinity();
    double total = 0;
    for (const GamEffect& effect : effects_) {
      double sum = 0;
      for (const double weight : effect.weights) {
        if (weight > 0) least = std::min(least, weight);
        sum += weight;
      }
      total = std::max(total, sum);
    }
    for (const GamEffect& effect : effects_) {
      const bool is_known = std::ranges::any_of(effect.weights, [](double w) { return w > 0; });
      const double alike = total > 0 ? total / static_cast<double>(effect.num_cells()) : 1;
      std::vector<double>& weights = weights_.emplace_back(effect.num_cells(), alike);
      if (!is_known) continue;
      for (std::size_t c = 0; c < weights.size(); ++c) {
        weights[c] = effect.weights[c] > 0 ? effect.weights[c] : kVanishing * least;
      }
    }
  }

  // Moves the cells at an edge apart by `amount` more: the lighter one goes further.
  void move(const Step& step, std::size_t z, double amount) {
    if (amount == 0) return;
    std::vector<double>& values = effects_[step.effect].values;
    const double below = weights_[step.effect][step.below[z]];
    const double above = weights_[step.effect][step.above[z]];
    values[step.below[z]] -= sign_ * amount * above / (below + above);
    values[step.above[z]] += sign_ * amount * below / (below + above);
  }

  // Takes the last projection on this condition back and projects again. Returns the largest
  // change of a move.
  double project(Condition& condition) {
    std::vector<Part> parts;
    double rise = 0;
    for (std::size_t s = 0; s < condition.steps.size(); ++s) {
      const Step& step = condition.steps[s];
      const std::vector<double>& values = effects_[step.effect].values;
      const std::vector<double>& weights = weights_[step.effect];
      Part& part = parts.emplace_back();
      for (std::size_t z = 0; z < step.below.size(); ++z) {
        const double below = weights[step.below[z]];
        const double above = weights[step.above[z]];
        part.rises.push_back(sign_ * (values[step.above[z]] - values[step.below[z]]) -
                             condition.moves[s][z]);
        part.weights.push_back(below * above / (below + above));
      }
      rise += *std::ranges::min_element(part.rises);
    }
    double load = 0;
    if (rise < 0) {
      for (Part& part : parts) part.sort();
      load = load_for_no_fall(parts);
    }
    double largest = 0;
    for (std::size_t s = 0; s < parts.size(); ++s) {
      const double level = load > 0 ? parts[s].level(load).rise : 0;
      for (std::size_t z = 0; z < parts[s].rises.size(); ++z) {
        const double wanted = load > 0 ? std::max(level - parts[s].rises[z], 0.0) : 0;
        double& done = condition.moves[s][z];
        largest = std::max(largest, std::abs(wanted - done));
        move(condition.steps[s], z, wanted - done);
        done = wanted;
      }
    }
    return largest;
  }

  // What still falls, by rounding: everything above the edge rises by as much.
  void repair(const Condition& condition) {
    const double rise = smallest_rise(effects_, condition.steps, sign_);
    if (rise >= 0) return;
    const double lift = -rise + kRounding * scale_;
    const Step& step = condition.steps.front();
    GamEffect& effect = effects_[step.effect];
    const std::size_t stride = step.above.front() - step.below.front();  // to the next cell along x
    const std::size_t num_cells = axis_of(effect, stride).num_cells();
    for (const std::size_t first : step.above) {
      const std::size_t along = first / stride % num_cells;
      for (std::size_t i = along; i + 1 < num_cells; ++i) {
        effect.values[first + (i - along) * stride] += sign_ * lift;
      }
    }
  }
  static const GamAxis& axis_of(const GamEffect& effect, std::size_t stride) {
    return effect.is_pair() && stride != 1 ? effect.axes.front() : effect.axes.back();
  }

  std::vector<GamEffect>& effects_;
  std::vector<std::vector<double>> start_;  // values
  double sign_;
  double scale_;
  std::vector<std::vector<double>> weights_;
  std::vector<Condition> conditions_;
};

}  // namespace

Monotonicity monotonicity(const Gam& gam, std::uint32_t feature) {
  Monotonicity found;
  const double rounding = kRounding * size_of(gam.effects());
  for (const auto& [edge, steps] : edges_of(gam.effects(), feature)) {
    const double fall = -smallest_rise(gam.effects(), steps, 1);
    const double rise = -smallest_rise(gam.effects(), steps, -1);
    if (fall > rounding && fall > found.largest_fall) {
      found.largest_fall = fall;
      found.fall_edge = edge;
    }
    if (rise > rounding && rise > found.largest_rise) {
      found.largest_rise = rise;
      found.rise_edge = edge;
    }
  }
  return found;
}

std::vector<GamEffect> nearest_monotone(const Gam& gam, const MonotoneRule& rule) {
  std::vector<GamEffect> effects(gam.effects().begin(), gam.effects().end());
  Projection(effects, rule).run();
  for (std::size_t e = 0; e < effects.size(); ++e) {
    for (std::size_t c = 0; c < effects[e].errors.size(); ++c) {
      if (effects[e].values[c] != gam.effects()[e].values[c]) effects[e].errors[c] = 0;
    }
  }
  return effects;
}

}  // namespace glassrank
