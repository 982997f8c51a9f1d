#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/explain/global/dependence.h"
#include "glassrank/explain/importance.h"
#include "glassrank/models/forest/forest_summary.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/effect_importance.h"
#include "glassrank/models/model_kinds.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/bundle/parts.h"

namespace glassrank {
namespace {

constexpr int kDependencePoints = 48;
constexpr std::size_t kDependenceRows = 2'000;  // of the background
constexpr std::size_t kMostNodes = 150'000;     // of trees that the page may hold

bool is_additive(const Forest& forest) {
  return std::ranges::all_of(forest.trees(),
                             [](const Tree& tree) { return features_of(tree).size() <= 2; });
}

// The model's curves and surfaces, if it is the sum of such.
std::optional<Gam> gam_of(const Model& model) {
  return match(
      model, [](const Gam& gam) { return std::optional<Gam>(gam); },
      [&](const Forest& forest) {
        return is_additive(forest) && !forest.trees().empty() ? std::optional<Gam>(as_gam(model))
                                                              : std::nullopt;
      },
      [](const auto&) { return std::optional<Gam>(); });
}

std::string size_of(const Model& model) {
  return match(
      model,
      [](const Forest& forest) {
        const ForestSummary summary = summarise(forest);
        return fmt::format("{} trees of at most {} leaves; {} of {} features used",
                           summary.num_trees, summary.most_leaves, summary.used.size(),
                           forest.num_features());
      },
      [](const Gam& gam) {
        const auto num_pairs =
            static_cast<std::size_t>(std::ranges::count_if(gam.effects(), &GamEffect::is_pair));
        const std::size_t num_curves = gam.effects().size() - num_pairs;
        return fmt::format("the sum of {} curve{} and {} surface{}", num_curves,
                           num_curves == 1 ? "" : "s", num_pairs, num_pairs == 1 ? "" : "s");
      },
      [](const Linear& linear) {
        return fmt::format("{} weights other than 0", linear.num_parts());
      },
      [&](const auto&) { return fmt::format("{} {}", num_parts_of(model), parts_of(model)); });
}

std::string objective_of(const Model& model) {
  return match(model, [](const auto& body) { return std::string(body.objective()); });
}

std::vector<BundleEffect> bundle_effects(const Gam& held, const BundleSetting& setting,
                                         const Context& context) {
  const Gam gam = with_missing_weights(held, setting.background, context);
  std::vector<EffectImportance> importances;
  for (const GamEffect& effect : gam.effects()) importances.push_back(importance_of(effect));
  std::vector<BundleEffect> effects;
  for (const std::size_t e : effects_by_importance(importances)) {
    const GamEffect& effect = gam.effects()[e];
    BundleEffect bundle{.importance = importances[e].weighted.value_or(importances[e].unweighted)};
    for (const GamAxis& axis : effect.axes) {
      bundle.name += (bundle.name.empty() ? "" : " x ") + setting.names[axis.feature];
      bundle.axes.push_back(
          {.feature = axis.feature, .edges = pack(std::span<const float>(axis.edges))});
    }
    bundle.values = pack(std::span<const double>(effect.values));
    if (!effect.errors.empty()) bundle.errors = pack(std::span<const double>(effect.errors));
    if (!effect.weights.empty()) bundle.weights = pack(std::span<const double>(effect.weights));
    effects.push_back(std::move(bundle));
  }
  return effects;
}

void add_set(const CategorySet& set, std::vector<std::uint32_t>& words) {
  const std::size_t begin = words.size();
  for (const std::uint32_t code : set.codes()) {
    words.resize(std::max<std::size_t>(words.size(), begin + code / 32 + 1));
    words[begin + code / 32] |= 1U << (code % 32);
  }
}

std::optional<BundleTrees> bundle_trees(const Forest& forest) {
  std::vector<std::uint32_t> num_nodes;
  std::vector<std::uint16_t> features;
  std::vector<float> thresholds;
  std::vector<std::int16_t> left;
  std::vector<std::int16_t> right;
  std::vector<std::uint8_t> flags;
  std::vector<std::uint32_t> set_starts = {0};
  std::vector<std::uint32_t> set_words;
  std::vector<double> leaves;
  for (const Tree& tree : forest.trees()) {
    num_nodes.push_back(static_cast<std::uint32_t>(tree.nodes.size()));
    if (tree.nodes.size() > 32'767 || features.size() + tree.nodes.size() > kMostNodes) return {};
    for (const TreeNode& node : tree.nodes) {
      if (node.feature > 65'535) return {};
      features.push_back(static_cast<std::uint16_t>(node.feature));
      thresholds.push_back(node.asks_category() ? static_cast<float>(set_starts.size() - 1)
                                                : node.threshold);
      if (node.asks_category()) {
        add_set(node.categories, set_words);
        set_starts.push_back(static_cast<std::uint32_t>(set_words.size()));
      }
      left.push_back(static_cast<std::int16_t>(node.left));
      right.push_back(static_cast<std::int16_t>(node.right));
      flags.push_back(static_cast<std::uint8_t>((node.missing_left ? 1 : 0) |
                                                (node.zero_is_missing ? 2 : 0) |
                                                (node.asks_category() ? 4 : 0)));
    }
    leaves.insert(leaves.end(), tree.leaf_values.begin(), tree.leaf_values.end());
  }
  return BundleTrees{.num_nodes = pack(std::span<const std::uint32_t>(num_nodes)),
                     .features = pack(std::span<const std::uint16_t>(features)),
                     .thresholds = pack(std::span<const float>(thresholds)),
                     .left = pack(std::span<const std::int16_t>(left)),
                     .right = pack(std::span<const std::int16_t>(right)),
                     .flags = pack(std::span<const std::uint8_t>(flags)),
                     .set_starts = pack(std::span<const std::uint32_t>(set_starts)),
                     .set_words = pack(std::span<const std::uint32_t>(set_words)),
                     .leaves = pack(std::span<const double>(leaves))};
}

std::vector<BundleDependence> bundle_dependence(const Model& model, const Scorer& scorer,
                                                const BundleSetting& setting,
                                                std::span<const BundleImportance> importance,
                                                const Context& context) {
  const Dataset rows = choose_queries(setting.background, kDependenceRows).data;
  const Subject subject{.scorer = scorer, .model = &model, .background = rows};
  std::vector<std::uint32_t> order = scorer.used_features();
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::uint32_t f) { return importance[f].drop.value_or(0); });
  order.resize(
      std::min(order.size(), static_cast<std::size_t>(setting.params.dependence_features)));
  const Progress progress(context, "dependence", "features", order.size());
  std::vector<BundleDependence> result;
  for (const std::uint32_t feature : order) {
    const std::vector<std::uint32_t> features = {feature};
    const Dependence partial = dependence(
        subject, features,
        {.kind = DependenceKind::kPartial, .centre = Centring::kMean, .points = kDependencePoints},
        context);
    BundleDependence bundle{.feature = feature,
                            .points = pack(std::span<const float>(partial.axes.front().values())),
                            .weights = pack(std::span<const double>(partial.axes.front().weights)),
                            .partial = pack(std::span<const double>(partial.values))};
    const bool has_order = partial.axes.front().categories.empty();
    if (has_order && partial.axes.front().points.size() >= 2) {
      const Dependence ale = dependence(
          subject, features,
          {.kind = DependenceKind::kAle, .centre = Centring::kMean, .points = kDependencePoints},
          context);
      bundle.ale_points = pack(std::span<const float>(ale.axes.front().values()));
      bundle.ale = pack(std::span<const double>(ale.values));
    }
    result.push_back(std::move(bundle));
    context.check_stop();
  }
  return result;
}

std::vector<BundleEdit> edits_of(const Provenance& provenance) {
  std::vector<BundleEdit> edits;
  for (const auto& [key, value] : provenance) {
    if (!key.starts_with("edit.")) continue;
    if (key.ends_with(".measured")) {
      if (!edits.empty()) edits.back().effect_on_metric = value;
    } else {
      edits.push_back({.edit = value, .effect_on_metric = {}});
    }
  }
  return edits;
}

std::vector<BundleImportance> importance_of_features(const Model& model, const Scorer& scorer,
                                                     const BundleSetting& setting,
                                                     const Context& context) {
  std::vector<BundleImportance> importance(setting.names.size());
  const PermutationParams params{.metric = setting.params.metrics.front(),
                                 .repeats = setting.params.repeats};
  const PermutationResult drops =
      permutation_importance(scorer, setting.shown.data, params, Convention{}, context);
  for (std::size_t f = 0; f < drops.features.size(); ++f) {
    importance[f].drop = drops.features[f].mean;
    importance[f].drop_low = drops.features[f].interval.low;
    importance[f].drop_high = drops.features[f].interval.high;
  }
  match(
      model,
      [&](const Forest& forest) {
        const std::vector<std::uint64_t> splits = split_importance(forest);
        const std::optional<std::vector<double>> gains = gain_importance(forest);
        for (std::size_t f = 0; f < splits.size(); ++f) {
          importance[f].splits = splits[f];
          if (gains) importance[f].gain = (*gains)[f];
        }
      },
      [](const auto&) {});
  return importance;
}

}  // namespace

BundleModel bundle_model(const BundleSetting& setting, std::size_t number, const Context& context) {
  const ReportModel& given = setting.task.models[number];
  const Model& model = given.model;
  const auto scorer = make_scorer(model);
  BundleModel bundle{.name = given.name,
                     .file = given.file,
                     .format = given.format,
                     .kind = std::string(kind_of(model)),
                     .size = size_of(model),
                     .objective = objective_of(model),
                     .provenance = model.provenance,
                     .edits = edits_of(model.provenance)};
  bundle.importance = importance_of_features(model, *scorer, setting, context);
  if (const std::optional<Gam> gam = gam_of(model)) {
    bundle.effects = bundle_effects(*gam, setting, context);
    bundle.intercept = gam->intercept();
  } else {
    bundle.dependence = bundle_dependence(model, *scorer, setting, bundle.importance, context);
    match(
        model,
        [&](const Forest& forest) {
          bundle.trees = bundle_trees(forest);
          bundle.intercept = forest.base_score();
        },
        [&](const Linear& linear) {
          std::vector<float> fills;
          for (std::size_t f = 0; f < linear.num_features(); ++f) fills.push_back(linear.fill(f));
          bundle.linear = BundleLinear{.weights = pack(linear.weights()),
                                       .fills = pack(std::span<const float>(fills))};
          bundle.intercept = linear.intercept();
        },
        [](const auto&) {});
  }
  match(
      model,
      [&](const Forest& forest) {
        if (forest.trees().size() > 1) bundle.curve = quality_by_trees(forest, setting, context);
      },
      [&](const auto&) {
        if (given.record) bundle.curve = quality_by_rounds(*given.record, setting);
      });
  const Dataset& data = setting.shown.data;
  const std::vector<double> scores = score_all(*scorer, data, context);
  std::vector<std::uint32_t> ranks(scores.size());
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    std::uint32_t rank = 0;
    for (const std::uint32_t d :
         rank_documents(std::span(scores).subspan(rows.begin, rows.size()))) {
      ranks[rows.begin + d] = rank++;
    }
  }
  bundle.scores = pack(std::span<const double>(scores));
  bundle.ranks = pack(std::span<const std::uint32_t>(ranks));
  return bundle;
}

}  // namespace glassrank
