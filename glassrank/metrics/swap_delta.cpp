#include "glassrank/metrics/swap_delta.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace glassrank {
namespace {

class SlowSwapDeltas final : public SwapDeltas {
 public:
  SlowSwapDeltas(const Metric& metric, const Ranking& ranking)
      : metric_(metric),
        grades_(ranking.grades.begin(), ranking.grades.end()),
        judged_(ranking.judged.begin(), ranking.judged.end()),
        ranking_(ranking) {
    ranking_.grades = grades_;
    ranking_.judged = judged_;
    now_ = value();
  }

 private:
  double change_below(std::size_t above, std::size_t below) override {
    exchange(above, below);
    const double then = value();
    exchange(above, below);
    return then - now_;
  }

  void exchange(std::size_t above, std::size_t below) {
    std::swap(grades_[above], grades_[below]);
    if (!judged_.empty()) std::swap(judged_[above], judged_[below]);
  }

  double value() const {
    const double value = metric_.evaluate(ranking_);
    return std::isnan(value) ? metric_.empty().value : value;
  }

  const Metric& metric_;
  std::vector<float> grades_;
  std::vector<char> judged_;
  Ranking ranking_;  // looks at both
  double now_ = 0;
};

class NoSwapDeltas final : public SwapDeltas {
  double change_below(std::size_t /*above*/, std::size_t /*below*/) override { return 0; }
};

}  // namespace

std::unique_ptr<SwapDeltas> slow_swap_deltas(const Metric& metric, const Ranking& ranking) {
  assert(ranking.grades.size() == ranking.listed.size() && !ranking.average_ties);
  return std::make_unique<SlowSwapDeltas>(metric, ranking);
}

std::unique_ptr<SwapDeltas> no_swap_deltas() { return std::make_unique<NoSwapDeltas>(); }

std::unique_ptr<SwapDeltas> Metric::swap_deltas(const Ranking& ranking) const {
  return slow_swap_deltas(*this, ranking);
}

}  // namespace glassrank
