#include "glassrank/math/lars.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "glassrank/math/cholesky.h"

namespace glassrank {
namespace {

// A column whose part outside the active ones is below this share of it says nothing new.
constexpr double kNewShare = 1e-10;
// Of the first correlation: what is left of it is rounding.
constexpr double kLeastCorrelation = 1e-12;

class Lars {
 public:
  explicit Lars(const LarsSetup& setup)
      : setup_(setup),
        size_(setup.moments.size()),
        theta_(size_),
        correlations_(setup.moments.begin(), setup.moments.end()),
        may_enter_(size_, 1) {}

  LarsPath run() {
    LarsPath path;
    path.corners.push_back(theta_);
    double first = 0;
    for (const double c : correlations_) first = std::max(first, std::abs(c));
    bool has_left = false;  // a step after a column left lets none enter
    // Columns may leave and come again; each step is finite, and so is their number, but for
    // rounding.
    for (std::size_t step = 0; step < std::min(setup_.max_steps, 8 * size_ + 8); ++step) {
      if (!has_left && !enter_next()) break;
      const double level = largest_active_correlation();
      if (!(level > kLeastCorrelation * first)) break;
      has_left = move(level);
      path.corners.push_back(theta_);
    }
    path.active = active_;
    return path;
  }

 private:
  double gram(std::size_t i, std::size_t j) const { return setup_.gram[i * size_ + j]; }

  double largest_active_correlation() const {
    double level = 0;
    for (const std::uint32_t j : active_) level = std::max(level, std::abs(correlations_[j]));
    return level;
  }

  // The inactive column with the largest correlation; ties go to the lower one. False: there is
  // none that says anything.
  bool enter_next() {
    for (;;) {
      std::size_t best = size_;
      for (std::size_t j = 0; j < size_; ++j) {
        if (may_enter_[j] == 0 || gram(j, j) <= 0) continue;
        if (best == size_ || std::abs(correlations_[j]) > std::abs(correlations_[best])) best = j;
      }
      if (best == size_ || correlations_[best] == 0) return false;
      may_enter_[best] = 0;
      if (take_in(static_cast<std::uint32_t>(best))) return true;
    }
  }

  // Whether the column says anything that the active ones do not.
  bool take_in(std::uint32_t column) {
    std::vector<double> products;
    for (const std::uint32_t i : active_) products.push_back(gram(i, column));
    products.push_back(gram(column, column));
    if (active_.empty()) factor_ = Cholesky::of(products, 1, kNewShare);
    if (!factor_ || (!active_.empty() && !factor_->append(products, kNewShare))) return false;
    active_.push_back(column);
    return true;
  }

  std::vector<double> active_gram() const {
    std::vector<double> matrix;
    for (const std::uint32_t i : active_) {
      for (const std::uint32_t j : active_) matrix.push_back(gram(i, j));
    }
    return matrix;
  }

  // Along the direction in which all active correlations fall alike, to the next corner. Returns
  // whether a column left there.
  bool move(double level) {
    std::vector<double> direction;
    for (const std::uint32_t j : active_) direction.push_back(correlations_[j] > 0 ? 1 : -1);
    if (!factor_) return false;
    factor_->solve(direction);
    // Correlations of active columns fall by 1 per unit of length, others by fall[j].
    std::vector<double> fall(size_);
    for (std::size_t a = 0; a < active_.size(); ++a) {
      for (std::size_t j = 0; j < size_; ++j) fall[j] += direction[a] * gram(active_[a], j);
    }
    double length = level;
    for (std::size_t j = 0; j < size_; ++j) {
      if (may_enter_[j] == 0) continue;
      for (const double sign : {1.0, -1.0}) {
        const double meets = (level - sign * correlations_[j]) / (1 - sign * fall[j]);
        if (meets > 0 && meets < length) length = meets;
      }
    }
    std::size_t leaves = active_.size();
    if (setup_.lasso) {
      for (std::size_t a = 0; a < active_.size(); ++a) {
        const double crosses = -theta_[active_[a]] / direction[a];
        if (crosses > 0 && crosses < length) {
          length = crosses;
          leaves = a;
        }
      }
    }
    for (std::size_t a = 0; a < active_.size(); ++a) theta_[active_[a]] += length * direction[a];
    for (std::size_t j = 0; j < size_; ++j) correlations_[j] -= length * fall[j];
    if (leaves == active_.size()) return false;
    theta_[active_[leaves]] = 0;
    may_enter_[active_[leaves]] = 1;
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(leaves));
    factor_.reset();
    if (!active_.empty()) factor_ = Cholesky::of(active_gram(), active_.size(), kNewShare);
    return true;
  }

  const LarsSetup& setup_;
  std::size_t size_;
  std::vector<double> theta_;
  std::vector<double> correlations_;  // of every column with the residual
  std::vector<std::uint8_t> may_enter_;
  std::vector<std::uint32_t> active_;
  std::optional<Cholesky> factor_;  // of the active columns' gram
};

}  // namespace

LarsPath least_angle_path(const LarsSetup& setup) { return Lars(setup).run(); }

}  // namespace glassrank
