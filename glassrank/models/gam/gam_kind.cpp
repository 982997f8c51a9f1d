// What an additive model says of itself as a kind of model (kind.h).

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/counted.h"
#include "glassrank/data/dataset.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/effect_importance.h"
#include "glassrank/models/gam/gam.h"
#include "glassrank/models/gam/gam_forest.h"
#include "glassrank/models/gam/verify_gam.h"
#include "glassrank/models/kind_report.h"

namespace glassrank {
namespace {

struct EffectReport {
  std::string name;
  std::vector<std::uint32_t> features;  // from 1
  std::size_t num_cells = 0;
  std::optional<double> mean_effect;
  double mean_cell = 0;
  std::optional<std::string> plot;

  void visit(ResultVisitor& visitor) const {
    visitor.field("name", name, "of its features");
    visitor.field("features", features, "their numbers, from 1");
    visitor.field("cells", num_cells, "of its table");
    visitor.field("mean_effect", mean_effect,
                  "by how much it moves the score of a row, with the cells' weights");
    visitor.field("mean_cell", mean_cell, "mean amount of a cell");
    visitor.field("plot", plot, "with --plots: file of its picture");
  }
};

bool has_all(const Gam& gam, std::vector<double> GamEffect::* cells) {
  return std::ranges::all_of(gam.effects(),
                             [&](const GamEffect& effect) { return !(effect.*cells).empty(); });
}

class GamReport final : public KindReport {
 public:
  // `gam` has the weights of the data, if there is one.
  GamReport(Gam gam, const ReportRequest& request)
      : gam_(std::move(gam)), has_data_(request.data != nullptr), top_(request.top) {
    std::vector<EffectImportance> importances;
    for (const GamEffect& effect : gam_.effects()) importances.push_back(importance_of(effect));
    const std::vector<std::size_t> order = effects_by_importance(importances);
    for (std::size_t place = 0; place < order.size(); ++place) {
      const std::size_t e = order[place];
      std::optional<std::string> plot;
      if (request.draw) plot = request.draw(gam_, e, place);
      if (top_ > 0 && place >= top_) continue;
      EffectReport effect{.name = gam_.effect_name(e),
                          .features = {},
                          .num_cells = gam_.effects()[e].num_cells(),
                          .mean_effect = importances[e].weighted,
                          .mean_cell = importances[e].unweighted,
                          .plot = std::move(plot)};
      for (const GamAxis& axis : gam_.effects()[e].axes) {
        effect.features.push_back(axis.feature + 1);
      }
      effects_.push_back(std::move(effect));
    }
  }

  std::string objective() const override { return gam_.objective(); }
  void visit_facts(ResultVisitor& visitor) const override {
    visitor.field("num_features", gam_.num_features(), "features");
    visitor.field("intercept", gam_.intercept(), "what every score begins with");
  }
  void visit_parts(ResultVisitor& visitor) const override {
    visitor.list("effects", effects_, "curves and surfaces, the most important first");
  }
  NamedTexts lines() const override {
    const Verification found = verify(gam_);
    const auto num_pairs =
        static_cast<std::size_t>(std::ranges::count_if(gam_.effects(), &GamEffect::is_pair));
    std::size_t num_cells = 0;
    for (const GamEffect& effect : gam_.effects()) num_cells += effect.num_cells();
    NamedTexts lines = {
        {"effects", fmt::format("{}, {} of {}", counted(gam_.effects().size() - num_pairs, "curve"),
                                counted(num_pairs, "surface"), counted(num_cells, "cell"))},
        {"features", fmt::format("{}, {} of them used", found.num_features,
                                 found.num_features - found.without_power.size())},
        {"intercept", fmt::format("{}", gam_.intercept())}};
    if (gam_.effects().empty()) return lines;
    lines.emplace_back("weights", has_data_ ? "of the rows of --data"
                                  : has_all(gam_, &GamEffect::weights)
                                      ? "in the file"
                                      : "not in the file; --data gives them");
    lines.emplace_back("errors", has_all(gam_, &GamEffect::errors) ? "over bags" : "not known");
    return lines;
  }
  std::string parts_text() const override {
    const std::string table = effect_table(gam_, top_);
    return table.empty() ? "" : '\n' + table;
  }

 private:
  Gam gam_;
  bool has_data_;
  std::size_t top_;
  std::vector<EffectReport> effects_;
};

}  // namespace

Gam mean_of(std::span<const Gam> bags) {
  std::vector<Forest> forests;
  for (const Gam& gam : bags) forests.push_back(to_forest(gam));
  return distil(mean_forest(forests));
}

std::unique_ptr<KindReport> report_of(const Gam& gam, const ReportRequest& request,
                                      const Context& context) {
  return std::make_unique<GamReport>(
      request.data != nullptr ? with_weights(gam, *request.data, context) : gam, request);
}

}  // namespace glassrank
