#include "glassrank/methods/ebm/lane_boosting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "glassrank/base/agree.h"
#include "glassrank/base/buffer.h"
#include "glassrank/base/parallel.h"
#include "glassrank/methods/ebm/lane_pass_kernel.h"
#include "glassrank/methods/ebm/lane_step.h"

namespace glassrank {
namespace {

constexpr int kFirstErrorBits = 26;
constexpr double kMostError = std::numeric_limits<std::int32_t>::max();

using ByLane = std::array<double, kBagLanes>;

template <typename Code>
class LaneRun {
 public:
  LaneRun(LaneRows<Code> rows, std::size_t num_bags, const CyclicRules& rules,
          const Context& context, std::size_t num_parts)
      : rows_(std::move(rows)),
        rules_(rules),
        context_(context),
        no_codes_(rows_.errors.values.size() / kBagLanes) {
    find_units();
    std::size_t most_cells = 0;
    std::size_t most_sums = 0;
    std::vector<EffectShape> shapes;
    for (const LaneCodes<Code>& effect : rows_.effects) {
      effects_.push_back(fixed_sums(effect));
      shapes.push_back(effect.shape);
      most_cells = std::max(most_cells, effect.shape.num_cells());
      most_sums = std::max(most_sums, effects_.back().num_sums());
    }
    for (std::vector<LaneSegment>& segments : cut_segments(rows_.segments, num_parts)) {
      parts_.push_back({.segments = std::move(segments),
                        .sums = Buffer<std::int64_t>(kSumCopies * most_cells * kBagLanes)});
    }
    totals_.resize((most_cells + 1) * kBagLanes);
    gradients_.resize(most_cells * kBagLanes);
    scratch_ = Buffer<double>(most_sums);
    find_judging();
    bounds_ = greatest_errors();
    pass({}, 0);
    for (std::size_t lane = 0; lane < num_bags; ++lane) {
      bags_.emplace_back(std::span<const EffectShape>(shapes), rules_, losses_[lane]);
    }
    is_active_.assign(num_bags, rules_.max_rounds > 0);
  }

  std::vector<CyclicResult> run(const OnLaneRound& on_round) {
    while (std::ranges::count(is_active_, true) > 0) {
      if (context_.is_stopped_anywhere()) {
        on_active([&](std::size_t lane) { bags_[lane].interrupt(); });
        break;
      }
      one_round();
      on_active([&](std::size_t lane) {
        bags_[lane].measure(losses_[lane]);
        is_active_[lane] = !bags_[lane].end_round(losses_[lane]);
        if (on_round && !on_round(lane, bags_[lane].num_rounds(), losses_[lane])) {
          is_active_[lane] = false;
        }
      });
    }
    std::vector<CyclicResult> results;
    for (std::size_t lane = 0; lane < bags_.size(); ++lane) {
      results.push_back(bags_[lane].take_result());
      // No loss tells.
      if (std::isnan(results.back().start_loss)) results.back().has_diverged = is_lost_[lane];
    }
    return results;
  }

 private:
  // What one thread passes over, and what it finds.
  struct Part {
    std::vector<LaneSegment> segments;
    Buffer<std::int64_t> sums;
    LaneLosses losses{};
  };

  void one_round() {
    // Where all threads work for this group, its many short steps should find them awake.
    std::optional<Threads::Awake> awake;
    if (2 * parts_.size() > static_cast<std::size_t>(context_.threads->count())) {
      awake.emplace(*context_.threads);
    }
    for (std::size_t effect = 0; effect < effects_.size(); ++effect) visit(effect);
    pass({}, 0);
  }

  // A machine without rows has no weights to show.
  void find_units() {
    has_weights_ = any_machine(*context_.communicator, !rows_.weights.empty());
    std::uint64_t num_rows = rows_.errors.values.size() / kBagLanes;
    context_.communicator->sum({&num_rows, 1});
    num_rows = std::max(num_rows, FixedPoint::kQuickCount);
    double greatest[] = {has_weights_ ? 0.0 : 1.0};
    for (const float weight : rows_.weights) greatest[0] = std::max<double>(greatest[0], weight);
    context_.communicator->max(greatest);
    if (has_weights_) {
      weight_unit_ = FixedPoint(greatest[0], num_rows);
      units_.sums = FixedPoint(greatest[0] * kMostError, num_rows);
    }
    units_.losses = FixedPoint(greatest[0] * kMostError * kMostError, num_rows);
  }

  // In units.
  std::int64_t weight(std::size_t row) const {
    return has_weights_ ? weight_unit_.to_units(rows_.weights[row]) : 1;
  }

  void find_judging() {
    std::array<std::int64_t, kBagLanes> units{};
    for (const LaneSegment& segment : rows_.segments) {
      std::int64_t sum = 0;
      for (std::size_t r = segment.begin; r < segment.end; ++r) sum += weight(r);
      for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
        if (segment.judges[lane]) units[lane] += sum;
      }
    }
    context_.communicator->sum(units);
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      judging_[lane] = weight_unit_.to_real(units[lane]);
    }
  }

  LaneEffect fixed_sums(const LaneCodes<Code>& effect) const {
    const std::size_t n = effect.shape.num_cells() * kBagLanes;
    std::vector<std::int64_t> sums(has_weights_ ? 2 * n : n);  // hessians, then rows
    for (const LaneSegment& segment : rows_.segments) {
      for (std::size_t r = segment.begin; r < segment.end; ++r) {
        const std::int64_t added = weight(r);
        std::int64_t* cell = sums.data() + effect.codes[r] * kBagLanes;
        for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
          if (!segment.trains[lane]) continue;
          cell[lane] += added;
          if (has_weights_) cell[n + lane] += 1;
        }
      }
    }
    context_.communicator->sum(sums);
    std::vector<double> hessians(n);
    for (std::size_t i = 0; i < n; ++i) hessians[i] = weight_unit_.to_real(sums[i]);
    const std::vector<double> rows(sums.begin() + static_cast<std::ptrdiff_t>(n), sums.end());
    return LaneEffect(effect.shape, hessians, rows);
  }

  template <typename Body>
  void on_active(Body&& body) {
    for (std::size_t lane = 0; lane < bags_.size(); ++lane) {
      if (is_active_[lane]) body(lane);
    }
  }

  // Adds the step of the visit before, if there is one, and measures; with codes it sums by cell,
  // too. All machines.
  void pass(std::span<const Code> codes, std::size_t num_cells) {
    parallel_for(context_, parts_.size(), 1,
                 [&](std::size_t i, std::size_t) { pass_part(parts_[i], codes, num_cells); });
    has_step_ = false;
    const std::size_t n = num_cells * kBagLanes;
    const std::span<std::int64_t> totals = std::span(totals_).first(n + kBagLanes);
    std::ranges::fill(totals, 0);
    for (const Part& part : parts_) add_part(part, totals);
    context_.communicator->sum(totals);
    for (std::size_t i = 0; i < n; ++i) gradients_[i] = units_.sums.to_real(totals[i]);
    const double square = rows_.errors.unit * rows_.errors.unit;
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      losses_[lane] = is_lost_[lane]
                          ? std::numeric_limits<double>::quiet_NaN()
                          : units_.losses.to_real(totals[n + lane]) * square / judging_[lane];
    }
  }

  void pass_part(Part& part, std::span<const Code> codes, std::size_t num_cells) {
    static constexpr std::array<std::int32_t, kBagLanes> kNothing{};
    const std::span<std::int64_t> sums = part.sums.span().first(kSumCopies * num_cells * kBagLanes);
    std::ranges::fill(sums, 0);
    LanePass<Code> pass{.segments = part.segments,
                        .units = units_,
                        .errors = rows_.errors.values,
                        .weights = rows_.weights,
                        .step_codes = no_codes_,
                        .step = kNothing,
                        .codes = codes,
                        .sums = sums};
    if (has_step_) {
      pass.step_codes = rows_.effects[step_effect_].codes;
      pass.step = step_.values;
    }
    part.losses = pass_lanes(pass);
  }

  static void add_part(const Part& part, std::span<std::int64_t> totals) {
    static_assert(kSumCopies == 2);
    const std::size_t n = totals.size() - kBagLanes;
    for (std::size_t first = 0; first < n; first += kBagLanes) {
      const std::int64_t* copies = part.sums.data() + kSumCopies * first;
      for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
        totals[first + lane] += copies[lane] + copies[kBagLanes + lane];
      }
    }
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) totals[n + lane] += part.losses[lane];
  }

  void visit(std::size_t effect) {
    const std::size_t num_cells = effects_[effect].shape().num_cells();
    pass(rows_.effects[effect].codes, num_cells);
    if (effect > 0) on_active([&](std::size_t lane) { bags_[lane].measure(losses_[lane]); });
    effects_[effect].fit(gradients_, rules_.step, scratch_.span(), step_);
    make_room();
    step_effect_ = effect;
    has_step_ = true;
    on_active([&](std::size_t lane) {
      if (step_.has_step[lane]) {
        bags_[lane].add(effect, std::span<const std::int32_t>(step_.values).subspan(lane),
                        rows_.errors.unit, kBagLanes);
      }
      bags_[lane].end_visit();
    });
  }

  // No error may outgrow its 32 bits: once the steps could have made one so large, all are looked
  // at. A lane without room loses its step, for good.
  void make_room() {
    const auto has_room = [&](std::size_t lane) {
      return bounds_[lane] + step_.greatest[lane] <= kMostError;
    };
    bool is_tight = false;
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      is_tight |= !is_lost_[lane] && !has_room(lane);
    }
    if (is_tight) bounds_ = greatest_errors();
    for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
      is_lost_[lane] = is_lost_[lane] || !has_room(lane);
      if (is_lost_[lane]) {
        step_.has_step[lane] = false;
        for (std::size_t i = lane; i < step_.values.size(); i += kBagLanes) step_.values[i] = 0;
      } else {
        bounds_[lane] += step_.greatest[lane];
      }
    }
  }

  ByLane greatest_errors() const {
    ByLane greatest{};
    const std::vector<std::int32_t>& errors = rows_.errors.values;
    for (std::size_t i = 0; i < errors.size(); i += kBagLanes) {
      for (std::size_t lane = 0; lane < kBagLanes; ++lane) {
        greatest[lane] = std::max(greatest[lane], std::abs(static_cast<double>(errors[i + lane])));
      }
    }
    context_.communicator->max(greatest);
    return greatest;
  }

  LaneRows<Code> rows_;
  const CyclicRules& rules_;
  const Context& context_;
  bool has_weights_ = false;  // any machine
  FixedPoint weight_unit_;
  LaneUnits units_;
  std::vector<LaneEffect> effects_;
  std::vector<CyclicBag> bags_;
  std::vector<bool> is_active_;
  ByLane judging_{};                       // weight of the rows that judge a lane
  ByLane losses_{};                        // after the last pass
  ByLane bounds_{};                        // of the errors with all steps
  std::array<bool, kBagLanes> is_lost_{};  // beyond all bounds
  LaneStep step_;                          // of the last visit
  std::size_t step_effect_ = 0;
  bool has_step_ = false;       // which no pass has added yet
  std::vector<Code> no_codes_;  // all of one cell, for passes without a step
  std::vector<Part> parts_;
  std::vector<std::int64_t> totals_;  // [cell][lane], then a loss a lane
  std::vector<double> gradients_;
  Buffer<double> scratch_;
};

}  // namespace

double unit_of_errors(double greatest) {
  if (!(greatest > 0)) return 1;
  int bits = 0;
  std::frexp(greatest, &bits);
  return std::ldexp(1.0, bits - kFirstErrorBits);
}

std::vector<CyclicResult> boost_lanes(LaneRows<std::uint8_t> rows, std::size_t num_bags,
                                      const CyclicRules& rules, const OnLaneRound& on_round,
                                      const Context& context, std::size_t num_parts) {
  return LaneRun(std::move(rows), num_bags, rules, context, num_parts).run(on_round);
}

std::vector<CyclicResult> boost_lanes(LaneRows<std::uint16_t> rows, std::size_t num_bags,
                                      const CyclicRules& rules, const OnLaneRound& on_round,
                                      const Context& context, std::size_t num_parts) {
  return LaneRun(std::move(rows), num_bags, rules, context, num_parts).run(on_round);
}

}  // namespace glassrank
