// What a linear model says of itself as a kind of model (kind.h).

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/kind_report.h"
#include "glassrank/models/linear/linear.h"

namespace glassrank {
namespace {

struct WeightReport {
  std::string name;
  std::uint32_t feature = 0;  // from 1
  double weight = 0;
  float fill = 0;

  void visit(ResultVisitor& visitor) const {
    visitor.field("name", name, "of the feature");
    visitor.field("feature", feature, "its number, from 1");
    visitor.field("weight", weight, "of its values");
    visitor.field("fill", fill, "what a missing value counts as");
  }
};

class LinearReport final : public KindReport {
 public:
  LinearReport(const Linear& linear, const ReportRequest& request) : linear_(linear) {
    std::vector<std::uint32_t> order = linear.used_features();
    num_used_ = order.size();
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::abs(linear.weights()[a]) > std::abs(linear.weights()[b]);
    });
    if (request.top > 0 && order.size() > request.top) order.resize(request.top);
    for (const std::uint32_t f : order) {
      weights_.push_back({request.names[f], f + 1, linear.weights()[f], linear.fill(f)});
    }
  }

  std::string objective() const override { return linear_.objective(); }
  void visit_facts(ResultVisitor& visitor) const override {
    visitor.field("num_features", linear_.num_features(), "features");
    visitor.field("intercept", linear_.intercept(), "what every score begins with");
  }
  void visit_parts(ResultVisitor& visitor) const override {
    visitor.list("weights", weights_, "other than 0, the largest amount first");
  }
  NamedTexts lines() const override {
    return {{"features", fmt::format("{}, {} of them used", linear_.num_features(), num_used_)},
            {"intercept", fmt::format("{}", linear_.intercept())}};
  }
  std::string parts_text() const override {
    if (weights_.empty()) return "";
    TextColumns table;
    for (const std::size_t column : {1, 2}) table.align_right(column);
    table.add({"feature", "weight", "missing counts as"});
    for (const WeightReport& weight : weights_) {
      table.add(
          {weight.name, fmt::format("{:.6g}", weight.weight), fmt::format("{:.6g}", weight.fill)});
    }
    return '\n' + table.text();
  }

 private:
  Linear linear_;
  std::size_t num_used_ = 0;
  std::vector<WeightReport> weights_;
};

}  // namespace

Verification verify(const Linear& linear) {
  Verification found{.num_features = linear.num_features()};
  found.has_lines = true;
  for (std::uint32_t f = 0; f < linear.num_features(); ++f) {
    if (linear.weights()[f] != 0) {
      found.effects.push_back({.features = {f}, .num_trees = 1});
    } else {
      found.without_power.push_back(f);
    }
  }
  return found;
}

Linear mean_of(std::span<const Linear> bags) {
  LinearParts mean = bags.front().parts();
  const auto share = 1 / static_cast<double>(bags.size());
  mean.intercept = 0;
  std::ranges::fill(mean.weights, 0.0);
  for (const Linear& bag : bags) {
    check_same_fills(mean.fills, bag.parts().fills);
    mean.intercept += share * bag.intercept();
    for (std::size_t f = 0; f < mean.weights.size(); ++f) {
      mean.weights[f] += share * bag.weights()[f];
    }
  }
  return Linear(std::move(mean));
}

std::unique_ptr<KindReport> report_of(const Linear& linear, const ReportRequest& request,
                                      const Context& /*context*/) {
  return std::make_unique<LinearReport>(linear, request);
}

}  // namespace glassrank
