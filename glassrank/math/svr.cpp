#include "glassrank/math/svr.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "glassrank/math/cholesky.h"
#include "glassrank/math/gram.h"

namespace glassrank {
namespace {

using Values = std::vector<double>;

constexpr double kLeastWeight = 1e-12;  // of the heaviest row
constexpr double kFirstExcess = 0.3;    // of the targets' deviation: room to start in
constexpr double kShareOfWay = 0.99;    // to the nearest border

// The rows that count, with a column of ones for the intercept and targets without their mean.
struct Problem {
  Problem(const LinearSample& sample, double c) : rows(sample.num_columns() + 1) {
    const double heaviest = *std::ranges::max_element(sample.weights);
    double weight_sum = 0;
    Values row(sample.num_columns() + 1, 1.0);
    for (std::size_t r = 0; r < sample.num_rows(); ++r) {
      if (!(sample.weights[r] >= kLeastWeight * heaviest)) continue;
      std::ranges::copy(sample.inputs.row(r), row.begin());
      rows.add(row);
      targets.push_back(sample.targets[r]);
      limits.push_back(c * sample.weights[r]);
      mean += limits.back() * targets.back();
      weight_sum += limits.back();
    }
    mean /= weight_sum;
    for (std::size_t r = 0; r < size(); ++r) {
      targets[r] -= mean;
      deviation += limits[r] * targets[r] * targets[r] / weight_sum;
    }
    deviation = std::sqrt(deviation);
  }

  std::size_t size() const { return targets.size(); }

  GramRows rows;
  Values targets;
  Values limits;  // C w
  double mean = 0;
  double deviation = 0;
};

// One of the two constraints of each row: sign * residual <= epsilon + excess, with
//   slack = epsilon + excess - sign * residual >= 0 whose multiplier is in [0, limit],
//   excess >= 0 whose multiplier is limit - multiplier.
// At the optimum slack * multiplier = 0 and excess * (limit - multiplier) = 0; on the way both
// products are near a common level that falls.
struct Side {
  double sign;
  Values excess, slack, multiplier;
  Values excess_step, slack_step, multiplier_step;
  Values curvature, pull;  // multiplier_step = (pull - sign * X theta_step) / curvature

  Side(double side_sign, const Problem& problem, double epsilon) : sign(side_sign) {
    for (std::size_t r = 0; r < problem.size(); ++r) {
      const double over = sign * problem.targets[r] - epsilon;
      excess.push_back(std::max(over, 0.0) + kFirstExcess * problem.deviation);
      slack.push_back(excess.back() - over);
      multiplier.push_back(problem.limits[r] / 2);
    }
    for (Values* v : {&excess_step, &slack_step, &multiplier_step, &curvature, &pull}) {
      v->resize(problem.size());
    }
  }

  double gap(const Values& limits) const {
    double sum = 0;
    for (std::size_t r = 0; r < slack.size(); ++r) {
      sum += slack[r] * multiplier[r] + excess[r] * (limits[r] - multiplier[r]);
    }
    return sum;
  }
  // The same after a share of the step.
  double gap_after(double share, const Values& limits) const {
    double sum = 0;
    for (std::size_t r = 0; r < slack.size(); ++r) {
      const double m = multiplier[r] + share * multiplier_step[r];
      sum += (slack[r] + share * slack_step[r]) * m +
             (excess[r] + share * excess_step[r]) * (limits[r] - m);
    }
    return sum;
  }

  // Aims at products of `level`; with `corrects`, less what the last step's own products were.
  void aim(double level, bool corrects, const Values& residuals, double epsilon,
           const Values& limits) {
    for (std::size_t r = 0; r < slack.size(); ++r) {
      const double room = limits[r] - multiplier[r];
      const double of_slack = corrects ? slack_step[r] * multiplier_step[r] : 0;
      const double of_excess = corrects ? -excess_step[r] * multiplier_step[r] : 0;
      const double missing = epsilon + excess[r] - sign * residuals[r] - slack[r];
      const double slack_aim = (level - slack[r] * multiplier[r] - of_slack) / multiplier[r];
      excess_step[r] = (level - excess[r] * room - of_excess) / room;  // completed by step()
      curvature[r] = slack[r] / multiplier[r] + excess[r] / room;
      pull[r] = slack_aim - excess_step[r] - missing;
    }
  }
  // The steps that follow from theta's; `products` = X theta_step.
  void step(const Values& products, const Values& residuals, double epsilon, const Values& limits) {
    for (std::size_t r = 0; r < slack.size(); ++r) {
      const double missing = epsilon + excess[r] - sign * residuals[r] - slack[r];
      multiplier_step[r] = (pull[r] - sign * products[r]) / curvature[r];
      excess_step[r] += excess[r] / (limits[r] - multiplier[r]) * multiplier_step[r];
      slack_step[r] = excess_step[r] + sign * products[r] + missing;
    }
  }
  // The largest share of the step, up to 1, that stays within the borders.
  double room(const Values& limits) const {
    double share = 1;
    const auto keep = [&](double value, double change) {
      if (change < 0) share = std::min(share, -value / change);
    };
    for (std::size_t r = 0; r < slack.size(); ++r) {
      keep(slack[r], slack_step[r]);
      keep(excess[r], excess_step[r]);
      keep(multiplier[r], multiplier_step[r]);
      keep(limits[r] - multiplier[r], -multiplier_step[r]);
    }
    return share;
  }
  void move(double share) {
    for (std::size_t r = 0; r < slack.size(); ++r) {
      slack[r] += share * slack_step[r];
      excess[r] += share * excess_step[r];
      multiplier[r] += share * multiplier_step[r];
    }
  }
};

class InteriorPoint {
 public:
  InteriorPoint(const LinearSample& sample, const SvrSetup& setup, const Context& context)
      : setup_(setup),
        context_(context),
        num_columns_(sample.num_columns()),
        problem_(sample, setup.c),
        sides_{Side(1, problem_, setup.epsilon), Side(-1, problem_, setup.epsilon)},
        theta_(num_columns_ + 1),
        residuals_(problem_.targets) {}

  SvrFit run() {
    SvrFit fit;
    // Where no target is beyond epsilon of the mean, the flat line is the best.
    if (std::ranges::any_of(problem_.targets,
                            [&](double y) { return std::abs(y) > setup_.epsilon; })) {
      for (evaluate(fit); fit.primal - fit.dual > setup_.tolerance * fit.primal; evaluate(fit)) {
        if (fit.num_steps == setup_.max_steps || !step()) break;
        ++fit.num_steps;
      }
    }
    fit.line.intercept = problem_.mean + theta_[num_columns_];
    fit.line.coefficients.assign(theta_.begin(),
                                 theta_.begin() + static_cast<std::ptrdiff_t>(num_columns_));
    return fit;
  }

 private:
  void evaluate(SvrFit& fit) const {
    Values betas(problem_.size());
    fit.primal = 0;
    fit.dual = 0;
    for (std::size_t r = 0; r < betas.size(); ++r) {
      betas[r] = sides_[0].multiplier[r] - sides_[1].multiplier[r];
      fit.primal += problem_.limits[r] * std::max(0.0, std::abs(residuals_[r]) - setup_.epsilon);
      fit.dual += problem_.targets[r] * betas[r] - setup_.epsilon * std::abs(betas[r]);
    }
    const Values dual_theta = problem_.rows.transposed_times(betas);
    for (std::size_t j = 0; j < theta_.size(); ++j) {
      fit.primal += theta_[j] * theta_[j] / 2;
      fit.dual -= dual_theta[j] * dual_theta[j] / 2;
    }
  }

  // Predicts with level 0, then corrects and keeps away from the borders. False: rounding has won.
  bool step() {
    const double num_products = 4 * static_cast<double>(problem_.size());
    const double level = total_gap() / num_products;
    aim(0, false);
    Values weights(problem_.size());
    for (std::size_t r = 0; r < weights.size(); ++r) {
      weights[r] = 1 / sides_[0].curvature[r] + 1 / sides_[1].curvature[r];
    }
    Values matrix = problem_.rows.weighted(weights, context_);
    for (std::size_t j = 0; j < theta_.size(); ++j) matrix[j * theta_.size() + j] += 1;
    const auto factor = Cholesky::of(matrix, theta_.size(), 0);
    if (!factor) return false;
    solve(*factor);
    const double share = room();
    double predicted = 0;
    for (const Side& side : sides_) predicted += side.gap_after(share, problem_.limits);
    const double ratio = predicted / num_products / level;
    aim(ratio * ratio * ratio * level, true);
    const Values theta_step = solve(*factor);
    const double way = kShareOfWay * room();
    for (Side& side : sides_) side.move(way);
    for (std::size_t j = 0; j < theta_.size(); ++j) theta_[j] += way * theta_step[j];
    const Values products = problem_.rows.times(theta_);
    for (std::size_t r = 0; r < products.size(); ++r) {
      residuals_[r] = problem_.targets[r] - products[r];
    }
    return way > 0;
  }

  double total_gap() const {
    return sides_[0].gap(problem_.limits) + sides_[1].gap(problem_.limits);
  }
  void aim(double level, bool corrects) {
    for (Side& side : sides_) {
      side.aim(level, corrects, residuals_, setup_.epsilon, problem_.limits);
    }
  }
  double room() const {
    return std::min(sides_[0].room(problem_.limits), sides_[1].room(problem_.limits));
  }
  // Theta's step, and with it those of both sides.
  Values solve(const Cholesky& factor) {
    Values forces(problem_.size());
    for (std::size_t r = 0; r < forces.size(); ++r) {
      // The multipliers themselves are in it: theta - X' beta is what theta lacks.
      for (const Side& side : sides_) {
        forces[r] += side.sign * (side.multiplier[r] + side.pull[r] / side.curvature[r]);
      }
    }
    Values theta_step = problem_.rows.transposed_times(forces);
    for (std::size_t j = 0; j < theta_.size(); ++j) theta_step[j] -= theta_[j];
    factor.solve(theta_step);
    const Values products = problem_.rows.times(theta_step);
    for (Side& side : sides_) side.step(products, residuals_, setup_.epsilon, problem_.limits);
    return theta_step;
  }

  const SvrSetup& setup_;
  const Context& context_;
  std::size_t num_columns_;
  Problem problem_;
  std::array<Side, 2> sides_;
  Values theta_;
  Values residuals_;
};

}  // namespace

SvrFit fit_svr(const LinearSample& sample, const SvrSetup& setup, const Context& context) {
  return InteriorPoint(sample, setup, context).run();
}

}  // namespace glassrank
