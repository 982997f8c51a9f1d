#include "glassrank/methods/ebm/bag_rows.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "glassrank/boosting/gradients.h"
#include "glassrank/methods/ebm/run_kernel.h"

namespace glassrank {
namespace {

// Neighbouring rows add to different copies of the sums: two additions to one place would have to
// wait for each other. Surfaces have too many cells to be in the first cache more than twice.
template <typename Code>
constexpr std::size_t kCopies = sizeof(Code) == 1 ? 8 : 2;

// values[i] += step[codes[i]]
template <typename Code>
void add_by_code(std::span<const float> step, const std::optional<StepRuns>& runs,
                 std::span<const Code> codes, std::span<float> values) {
  if constexpr (sizeof(Code) == 1) {
    if (runs) return add_runs(*runs, codes, values);
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += step[codes[i]];
}

template <typename Code>
class SquaredErrorRows final : public BagRows {
 public:
  SquaredErrorRows(const BagData& data, std::span<const TermCodes<Code>> terms,
                   const BagScores& start)
      : terms_(terms.begin(), terms.end()), weights_(data.train.weights()) {
    for (std::size_t r = 0; r < data.train.num_rows(); ++r) {
      gradients_.push_back(
          static_cast<float>((start.train[r] - data.train.grades()[r]) * data.train.weight(r)));
    }
    for (std::size_t r = 0; r < data.valid.num_rows(); ++r) {
      errors_.push_back(static_cast<float>(start.valid[r] - data.valid.grades()[r]));
    }
    valid_weights_ = data.valid.weights();
    for (std::size_t r = 0; r < data.valid.num_rows(); ++r) {
      valid_weight_ += data.valid.weight(r);
    }
    std::size_t most_cells = 0;
    for (const TermCodes<Code>& term : terms_) {
      std::vector<CellSum> fixed(term.num_cells);
      for (std::size_t r = 0; r < term.train.size(); ++r) {
        fixed[term.train[r]] += {.hessian = data.train.weight(r), .rows = 1};
      }
      fixed_.push_back(std::move(fixed));
      most_cells = std::max(most_cells, term.num_cells);
    }
    sums_.resize(most_cells * kCopies<Code>);
    measure();
  }

  void sum_cells(std::size_t term, std::span<CellSum> cells) override {
    const std::size_t n = terms_[term].num_cells;
    std::fill_n(sums_.begin(), n * kCopies<Code>, 0.0);
    if (pending_ == nullptr) {
      sum(terms_[term].train, n);
    } else {
      add_and_sum(terms_[term].train, n);
      pending_ = nullptr;
    }
    std::ranges::copy(fixed_[term], cells.begin());
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t copy = 0; copy < kCopies<Code>; ++copy) {
        cells[c].gradient += sums_[copy * n + c];
      }
    }
  }

  // The training rows get it together with the next visit's pass.
  void add_step(std::size_t term, std::span<const float> step) override {
    if (pending_ != nullptr) add_pending(0, gradients_.size());
    pending_ = &terms_[term];
    pending_step_.assign(step.begin(), step.end());
    pending_runs_ = find_runs(step);
    add_by_code(step, pending_runs_, terms_[term].valid, std::span(errors_));
    measure();
  }

  double loss() override { return loss_; }
  bool has_loss_of_visits() const override { return true; }

 private:
  // In four partial sums, so that additions need not wait for each other.
  void measure() {
    if (errors_.empty()) {
      loss_ = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    double parts[4] = {0, 0, 0, 0};
    const std::size_t n = errors_.size();
    if (valid_weights_.empty()) {
      for (std::size_t r = 0; r < n; ++r) parts[r % 4] += double{errors_[r]} * errors_[r];
    } else {
      for (std::size_t r = 0; r < n; ++r) {
        parts[r % 4] += double{errors_[r]} * errors_[r] * valid_weights_[r];
      }
    }
    loss_ = (parts[0] + parts[1] + parts[2] + parts[3]) / valid_weight_;
  }

  void add_pending(std::size_t begin, std::size_t end) {
    const std::span<const Code> codes = pending_->train.subspan(begin, end - begin);
    const std::span<float> gradients = std::span(gradients_).subspan(begin, end - begin);
    if (weights_.empty()) {
      add_by_code(std::span<const float>(pending_step_), pending_runs_, codes, gradients);
      return;
    }
    for (std::size_t i = 0; i < codes.size(); ++i) {
      gradients[i] += weights_[begin + i] * pending_step_[codes[i]];
    }
  }

  void sum_range(std::span<const Code> codes, std::size_t num_cells, RowRange rows) {
    double* sums = sums_.data();
    const float* gradients = gradients_.data();
    std::size_t r = rows.begin;
    for (; r + kCopies<Code> <= rows.end; r += kCopies<Code>) {
      for (std::size_t copy = 0; copy < kCopies<Code>; ++copy) {
        sums[copy * num_cells + codes[r + copy]] += double{gradients[r + copy]};
      }
    }
    for (; r < rows.end; ++r) sums[codes[r]] += double{gradients[r]};
  }

  void sum(std::span<const Code> codes, std::size_t num_cells) {
    sum_range(codes, num_cells, {0, gradients_.size()});
  }

  // Block by block: a block's gradients are still in the first cache when they are summed.
  void add_and_sum(std::span<const Code> codes, std::size_t num_cells) {
    constexpr std::size_t kBlock = 1024;
    for (std::size_t begin = 0; begin < gradients_.size(); begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, gradients_.size());
      add_pending(begin, end);
      sum_range(codes, num_cells, {begin, end});
    }
  }

  std::vector<TermCodes<Code>> terms_;
  std::vector<std::vector<CellSum>> fixed_;  // hessians and rows: the same in every visit
  std::vector<float> gradients_;
  std::span<const float> weights_;
  std::vector<float> errors_;  // of the held-out rows
  std::span<const float> valid_weights_;
  double valid_weight_ = 0;
  double loss_ = 0;
  const TermCodes<Code>* pending_ = nullptr;
  std::vector<float> pending_step_;
  std::optional<StepRuns> pending_runs_;
  std::vector<double> sums_;
};

template <typename Code>
class ObjectiveRows final : public BagRows {
 public:
  ObjectiveRows(const BagData& data, std::span<const TermCodes<Code>> terms, BagScores start,
                const BagTarget& target)
      : data_(data),
        terms_(terms.begin(), terms.end()),
        scores_(std::move(start)),
        target_(target),
        gradients_(data.train.num_rows()),
        hessians_(data.train.num_rows()) {}

  void sum_cells(std::size_t term, std::span<CellSum> cells) override {
    if (num_visits_ == 0) ask_objective();
    ++num_visits_;
    if (num_visits_ == target_.gradients_every) num_visits_ = 0;
    std::ranges::fill(cells, CellSum{});
    const std::span<const Code> codes = terms_[term].train;
    for (std::size_t r = 0; r < codes.size(); ++r) {
      cells[codes[r]] += {.gradient = gradients_[r], .hessian = hessians_[r], .rows = 1};
    }
  }

  void add_step(std::size_t term, std::span<const float> step) override {
    const TermCodes<Code>& codes = terms_[term];
    for (std::size_t r = 0; r < codes.train.size(); ++r) {
      const float added = step[codes.train[r]];
      scores_.train[r] += added;
      gradients_[r] += hessians_[r] * added;
    }
    for (std::size_t r = 0; r < codes.valid.size(); ++r) scores_.valid[r] += step[codes.valid[r]];
  }

  void end_round() override {
    num_visits_ = 0;
    ++round_;
  }

  double loss() override {
    if (data_.valid.num_rows() == 0) return std::numeric_limits<double>::quiet_NaN();
    return -target_.metric(data_.valid, scores_.valid, target_.context);
  }
  bool has_loss_of_visits() const override { return false; }

 private:
  void ask_objective() {
    compute_gradients({.data = data_.train,
                       .objective = *target_.objective,
                       .scores = scores_.train,
                       .round = round_},
                      {.gradient = gradients_, .hessian = hessians_}, target_.context);
  }

  const BagData& data_;
  std::vector<TermCodes<Code>> terms_;
  BagScores scores_;
  BagTarget target_;
  std::vector<float> gradients_;
  std::vector<float> hessians_;
  std::size_t num_visits_ = 0;  // since the objective was asked
  std::size_t round_ = 0;
};

template <typename Code>
std::unique_ptr<BagRows> make_rows(const BagData& data, std::span<const TermCodes<Code>> terms,
                                   const BagScores& start, const BagTarget& target) {
  if (target.objective == nullptr) {
    return std::make_unique<SquaredErrorRows<Code>>(data, terms, start);
  }
  return std::make_unique<ObjectiveRows<Code>>(data, terms, start, target);
}

}  // namespace

std::unique_ptr<BagRows> make_bag_rows(const BagData& data,
                                       std::span<const TermCodes<std::uint8_t>> terms,
                                       const BagScores& start, const BagTarget& target) {
  return make_rows(data, terms, start, target);
}

std::unique_ptr<BagRows> make_bag_rows(const BagData& data,
                                       std::span<const TermCodes<std::uint16_t>> terms,
                                       const BagScores& start, const BagTarget& target) {
  return make_rows(data, terms, start, target);
}

}  // namespace glassrank
