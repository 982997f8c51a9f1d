#include <array>
#include <memory>

#include "glassrank/base/error.h"
#include "glassrank/explain/tree_shap/gam_shap.h"
#include "glassrank/explain/tree_shap/interventional_shap.h"
#include "glassrank/explain/tree_shap/linear_shap.h"
#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/explain/tree_shap/tree_shap.h"

namespace glassrank {

std::span<const std::pair<std::string_view, ShapGame>> EnumNames<ShapGame>::table() {
  static constexpr std::array kTable = {
      std::pair<std::string_view, ShapGame>{"path-dependent", ShapGame::kPathDependent},
      std::pair<std::string_view, ShapGame>{"interventional", ShapGame::kInterventional},
  };
  return kTable;
}

bool has_shap_engine(const Model& model) {
  return match(
      model, [](const Forest&) { return true; }, [](const Gam&) { return true; },
      [](const Linear&) { return true; }, [](const auto&) { return false; });
}

std::unique_ptr<const ShapEngine> make_shap_engine(const Model& model, const ShapSetup& setup,
                                                   const Context& context) {
  using Engine = std::unique_ptr<const ShapEngine>;
  const bool path_dependent = setup.game == ShapGame::kPathDependent;
  return match(
      model,
      [&](const Forest& forest) -> Engine {
        if (path_dependent) return std::make_unique<TreeShap>(forest, setup.cover);
        return std::make_unique<InterventionalTreeShap>(forest, setup.background, context);
      },
      [&](const Gam& gam) -> Engine {
        if (path_dependent) return std::make_unique<GamShap>(gam);
        return std::make_unique<GamShap>(gam, setup.background);
      },
      [&](const Linear& linear) -> Engine {
        if (path_dependent) return std::make_unique<LinearShap>(linear);
        return std::make_unique<LinearShap>(linear, setup.background);
      },
      []<typename Body>(const Body&) -> Engine {
        fail(ErrorKind::kUsage,
             "exact Shapley values are read off trees, tables or weights, and a {} has none of "
             "them; kernel-shap works for every model",
             Body::kKind);
      });
}

}  // namespace glassrank
