#include "glassrank/methods/ebm/cyclic_bag.h"

#include <cmath>
#include <utility>

namespace glassrank {

CyclicBag::CyclicBag(std::span<const EffectShape> effects, const CyclicRules& rules,
                     double start_loss)
    : rules_(rules), is_changed_(effects.size()) {
  for (const EffectShape& effect : effects) now_.emplace_back(effect.num_cells());
  result_.tables = now_;
  result_.start_loss = start_loss;
  result_.best_loss = start_loss;
}

template <typename Value>
void CyclicBag::add_to(std::size_t effect, std::span<const Value> step, double unit,
                       std::size_t stride) {
  std::vector<double>& table = now_[effect];
  for (std::size_t c = 0; c < table.size(); ++c) {
    table[c] += unit * static_cast<double>(step[c * stride]);
  }
  if (!is_changed_[effect]) changed_.push_back(effect);
  is_changed_[effect] = true;
}
template void CyclicBag::add_to(std::size_t, std::span<const float>, double, std::size_t);
template void CyclicBag::add_to(std::size_t, std::span<const std::int32_t>, double, std::size_t);

bool CyclicBag::has_loss() const { return !std::isnan(result_.start_loss); }

void CyclicBag::measure(double loss) {
  if (has_loss() && !(loss < result_.best_loss)) return;
  for (const std::size_t effect : changed_) {
    result_.tables[effect] = now_[effect];
    is_changed_[effect] = false;
  }
  changed_.clear();
  result_.best_loss = loss;
  result_.best_visit = num_visits_;
}

bool CyclicBag::end_round(double last_loss) {
  ++result_.num_rounds;
  result_.has_diverged = has_loss() && std::isnan(last_loss);
  if (result_.has_diverged) return true;
  if (result_.num_rounds >= rules_.max_rounds) return true;
  if (rules_.patience == 0 || !has_loss()) return false;
  if (run_ == 0) mark_ = result_.best_loss;
  run_ = last_loss + rules_.tolerance < mark_ ? 0 : run_ + 1;
  return run_ >= rules_.patience;
}

CyclicResult CyclicBag::take_result() { return std::move(result_); }

}  // namespace glassrank
