#include "glassrank/methods/ebm/cyclic.h"

#include <algorithm>
#include <cmath>

namespace glassrank {
namespace {

// Tables as they grow and as they were at the best visit. Only what changed since is copied.
class Tables {
 public:
  explicit Tables(std::span<const TermShape> terms) {
    for (const TermShape& term : terms) now_.emplace_back(term.num_cells());
    best_ = now_;
    is_changed_.resize(terms.size());
  }

  void add(std::size_t term, std::span<const float> step) {
    for (std::size_t c = 0; c < step.size(); ++c) now_[term][c] += double{step[c]};
    if (!is_changed_[term]) changed_.push_back(term);
    is_changed_[term] = true;
  }
  void keep() {
    for (const std::size_t term : changed_) {
      best_[term] = now_[term];
      is_changed_[term] = false;
    }
    changed_.clear();
  }
  std::vector<std::vector<double>> take_best() { return std::move(best_); }

 private:
  std::vector<std::vector<double>> now_;
  std::vector<std::vector<double>> best_;
  std::vector<std::size_t> changed_;
  std::vector<bool> is_changed_;
};

// interpret's rule: see the header.
class Stopping {
 public:
  explicit Stopping(const CyclicRules& rules) : rules_(rules) {}

  // After a round that ended with `last`, `smallest` being the smallest loss of all visits.
  bool is_over(double last, double smallest) {
    if (rules_.patience == 0 || std::isnan(last)) return false;
    if (run_ == 0) mark_ = smallest;
    run_ = last + rules_.tolerance < mark_ ? 0 : run_ + 1;
    return run_ >= rules_.patience;
  }

 private:
  const CyclicRules& rules_;
  double mark_ = 0;
  std::size_t run_ = 0;
};

class CyclicRun {
 public:
  CyclicRun(BagRows& rows, std::span<const TermShape> terms, const CyclicRules& rules)
      : rows_(rows), terms_(terms), rules_(rules), tables_(terms), smallest_(rows.loss()) {
    result_.start_loss = smallest_;
  }

  CyclicResult run(const OnRound& on_round, const Context& context) {
    Stopping stopping(rules_);
    const bool by_visit = rows_.has_loss_of_visits();
    double last = smallest_;
    while (result_.num_rounds < rules_.max_rounds) {
      result_.is_interrupted = context.is_stopped();
      if (result_.is_interrupted) break;
      for (std::size_t term = 0; term < terms_.size(); ++term) {
        visit(term);
        if (by_visit) last = measure();
      }
      rows_.end_round();
      if (!by_visit) last = measure();
      ++result_.num_rounds;
      if (on_round) on_round(result_.num_rounds, last);
      if (stopping.is_over(last, smallest_)) break;
    }
    result_.best_loss = smallest_;
    result_.tables = tables_.take_best();
    return std::move(result_);
  }

 private:
  void visit(std::size_t term) {
    const TermShape& shape = terms_[term];
    cells_.resize(shape.num_cells());
    step_.resize(shape.num_cells());
    rows_.sum_cells(term, cells_);
    const bool has_step =
        shape.is_surface()
            ? fit_surface({.cells = cells_, .height = shape.height, .width = shape.width},
                          rules_.step, scratch_, step_)
            : fit_curve(cells_, rules_.step, scratch_, step_);
    if (has_step) {
      rows_.add_step(term, step_);
      tables_.add(term, step_);
    }
    ++num_visits_;
  }

  double measure() {
    const double loss = rows_.loss();
    if (std::isnan(loss) || loss < smallest_) {
      tables_.keep();
      smallest_ = loss;
      result_.best_visit = num_visits_;
    }
    return loss;
  }

  BagRows& rows_;
  std::span<const TermShape> terms_;
  const CyclicRules& rules_;
  Tables tables_;
  double smallest_;
  CyclicResult result_;
  std::size_t num_visits_ = 0;
  std::vector<CellSum> cells_;
  std::vector<float> step_;
  StepScratch scratch_;
};

}  // namespace

CyclicResult boost_cyclically(BagRows& rows, std::span<const TermShape> terms,
                              const CyclicRules& rules, const OnRound& on_round,
                              const Context& context) {
  return CyclicRun(rows, terms, rules).run(on_round, context);
}

}  // namespace glassrank
