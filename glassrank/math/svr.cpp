#include "glassrank/math/svr.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

// Partial sums of a product, added up in a fixed order: the compiler may use as many lanes as it
// has, the bits stay.
constexpr std::size_t kParts = 8;
// Sweeps between two looks at the objectives, which cost as much as a sweep.
constexpr int kSweepsPerCheck = 8;

class DualDescent {
 public:
  DualDescent(const LinearSample& sample, const SvrSetup& setup)
      : setup_(setup),
        num_columns_(sample.num_columns()),
        width_((num_columns_ + 1 + kParts - 1) / kParts * kParts),
        rows_(sample.num_rows() * width_),
        targets_(sample.targets.begin(), sample.targets.end()),
        limits_(sample.weights.begin(), sample.weights.end()),
        squares_(sample.num_rows()),
        betas_(sample.num_rows()),
        theta_(width_) {
    double weight_sum = 0;
    for (std::size_t r = 0; r < targets_.size(); ++r) {
      mean_ += limits_[r] * targets_[r];
      weight_sum += limits_[r];
    }
    mean_ /= weight_sum;
    for (std::size_t r = 0; r < targets_.size(); ++r) {
      targets_[r] -= mean_;
      limits_[r] *= setup.c;
      double* const row = &rows_[r * width_];
      std::ranges::copy(sample.inputs.row(r), row);
      row[num_columns_] = 1;  // of the intercept
      squares_[r] = product(row, row);
    }
  }

  SvrFit run() {
    std::vector<std::uint32_t> order(targets_.size());
    std::iota(order.begin(), order.end(), 0U);
    RandomSequence random(CounterRandom(0, "svr"));
    SvrFit fit;
    for (;;) {
      evaluate(fit);
      if (fit.primal - fit.dual <= setup_.tolerance * fit.primal) break;
      if (fit.num_sweeps >= setup_.max_sweeps) break;
      for (int i = 0; i < kSweepsPerCheck; ++i, ++fit.num_sweeps) {
        random.shuffle(order);
        for (const std::uint32_t r : order) improve(r);
      }
    }
    fit.line.intercept = mean_ + theta_[num_columns_];
    fit.line.coefficients.assign(theta_.begin(),
                                 theta_.begin() + static_cast<std::ptrdiff_t>(num_columns_));
    return fit;
  }

 private:
  double product(const double* a, const double* b) const {
    double parts[kParts] = {};
    for (std::size_t j = 0; j < width_; j += kParts) {
      for (std::size_t p = 0; p < kParts; ++p) parts[p] += a[j + p] * b[j + p];
    }
    return ((parts[0] + parts[4]) + (parts[2] + parts[6])) +
           ((parts[1] + parts[5]) + (parts[3] + parts[7]));
  }

  // The best beta of one row, the others fixed.
  void improve(std::size_t r) {
    const double* const row = &rows_[r * width_];
    const double square = squares_[r];
    const double gradient = product(theta_.data(), row) - targets_[r];
    const double beta = betas_[r];
    const double up = gradient + setup_.epsilon;  // of beta > 0
    const double down = gradient - setup_.epsilon;
    double next = 0;
    if (up < square * beta) {
      next = beta - up / square;
    } else if (down > square * beta) {
      next = beta - down / square;
    }
    next = std::clamp(next, -limits_[r], limits_[r]);
    if (next == beta) return;
    betas_[r] = next;
    const double change = next - beta;
    for (std::size_t j = 0; j < width_; ++j) theta_[j] += change * row[j];
  }

  void evaluate(SvrFit& fit) const {
    const double penalty = product(theta_.data(), theta_.data()) / 2;
    fit.primal = penalty;
    fit.dual = -penalty;
    for (std::size_t r = 0; r < targets_.size(); ++r) {
      const double error = std::abs(targets_[r] - product(theta_.data(), &rows_[r * width_]));
      fit.primal += limits_[r] * std::max(0.0, error - setup_.epsilon);
      fit.dual += targets_[r] * betas_[r] - setup_.epsilon * std::abs(betas_[r]);
    }
  }

  const SvrSetup& setup_;
  std::size_t num_columns_;
  std::size_t width_;  // with the intercept's column, filled up with zeros
  std::vector<double> rows_;
  std::vector<double> targets_;
  std::vector<double> limits_;
  std::vector<double> squares_;
  std::vector<double> betas_;
  std::vector<double> theta_;
  double mean_ = 0;
};

}  // namespace

SvrFit fit_svr(const LinearSample& sample, const SvrSetup& setup) {
  return DualDescent(sample, setup).run();
}

}  // namespace glassrank
