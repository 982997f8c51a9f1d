#include "glassrank/report/demo/demo_glassbox.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/methods/registry.h"
#include "glassrank/models/gam/effect_importance.h"
#include "glassrank/models/gam/gam_purify.h"
#include "glassrank/report/plots/effect_plot.h"

namespace glassrank {
namespace {

constexpr std::size_t kShownCurves = 4;
constexpr std::size_t kShownSurfaces = 2;

// The most important effects of either kind, curves first.
std::vector<DemoEffect> draw_effects(const Gam& gam, std::span<const FeatureRange> ranges) {
  std::vector<EffectImportance> importances;
  for (const GamEffect& effect : gam.effects()) importances.push_back(importance_of(effect));
  std::vector<DemoEffect> drawn;
  for (const bool is_pair : {false, true}) {
    std::size_t room = is_pair ? kShownSurfaces : kShownCurves;
    for (const std::size_t e : effects_by_importance(importances)) {
      if (gam.effects()[e].is_pair() != is_pair || room == 0) continue;
      --room;
      std::string file = fmt::format("effect_{}.svg", gam.effect_name(e));
      std::ranges::replace(file, ' ', '_');
      drawn.push_back({.name = gam.effect_name(e),
                       .file = std::move(file),
                       .picture = draw_effect(gam, e, gam.feature_names(), ranges)});
    }
  }
  return drawn;
}

}  // namespace

DemoGlassbox train_glassbox(const TrainInputs& inputs, LambdamartParams params,
                            const Context& context) {
  params.boosting.num_trees = kGlassboxTrees;
  params.boosting.num_leaves = kGlassboxLeaves;
  const auto method = make_ilmart({.trees = std::move(params), .num_interactions = kGlassboxPairs});
  const Model model = train_model(*method, inputs, {}, context).model;
  DemoGlassbox glassbox{.gam = purified(require_gam(model, "the demo")),
                        .provenance = model.provenance};
  for (const GamEffect& effect : glassbox.gam.effects()) {
    ++(effect.is_pair() ? glassbox.num_surfaces : glassbox.num_curves);
  }
  glassbox.effects = draw_effects(glassbox.gam, ranges_of(inputs.data.values(context)));
  return glassbox;
}

}  // namespace glassrank
