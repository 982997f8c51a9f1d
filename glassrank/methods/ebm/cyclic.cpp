#include "glassrank/methods/ebm/cyclic.h"

#include <vector>

namespace glassrank {
namespace {

class CyclicRun {
 public:
  CyclicRun(BagRows& rows, std::span<const EffectShape> effects, const CyclicRules& rules)
      : rows_(rows), effects_(effects), rules_(rules), bag_(effects, rules, rows.loss()) {}

  CyclicResult run(const OnRound& on_round, const Context& context) {
    const bool by_visit = rows_.has_loss_of_visits();
    bool is_over = rules_.max_rounds == 0;
    while (!is_over) {
      if (context.is_stopped_anywhere()) {
        bag_.interrupt();
        break;
      }
      for (std::size_t effect = 0; effect < effects_.size(); ++effect) {
        visit(effect);
        if (by_visit) bag_.measure(rows_.loss());
      }
      rows_.end_round();
      const double last = rows_.loss();
      if (!by_visit) bag_.measure(last);
      is_over = bag_.end_round(last);
      if (on_round && !on_round(bag_.num_rounds(), last)) is_over = true;
    }
    return bag_.take_result();
  }

 private:
  void visit(std::size_t effect) {
    const EffectShape& shape = effects_[effect];
    cells_.resize(shape.num_cells());
    step_.resize(shape.num_cells());
    rows_.sum_cells(effect, cells_);
    const bool has_step =
        shape.is_surface()
            ? fit_surface({.cells = cells_, .height = shape.height, .width = shape.width},
                          rules_.step, scratch_, step_)
            : fit_curve(cells_, rules_.step, scratch_, step_);
    if (has_step) {
      rows_.add_step(effect, step_);
      bag_.add(effect, step_);
    }
    bag_.end_visit();
  }

  BagRows& rows_;
  std::span<const EffectShape> effects_;
  const CyclicRules& rules_;
  CyclicBag bag_;
  std::vector<CellSum> cells_;
  std::vector<float> step_;
  StepScratch scratch_;
};

}  // namespace

CyclicResult boost_cyclically(BagRows& rows, std::span<const EffectShape> effects,
                              const CyclicRules& rules, const OnRound& on_round,
                              const Context& context) {
  return CyclicRun(rows, effects, rules).run(on_round, context);
}

}  // namespace glassrank
