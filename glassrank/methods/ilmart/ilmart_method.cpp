// ILMART as a Method: its model is the curves and surfaces that its trees add up to.

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/data/shard.h"
#include "glassrank/methods/ilmart/ilmart.h"
#include "glassrank/methods/lambdamart/boosted_runs.h"
#include "glassrank/methods/registry.h"
#include "glassrank/models/forest/forest_bags.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/gam_purify.h"

namespace glassrank {
namespace {

// What a model of curves alone does not look at.
const std::vector<std::string> kOfPairs = {"heredity",
                                           "interaction_trees",
                                           "interaction_leaves",
                                           "interaction_learning_rate",
                                           "pair_selection.method",
                                           "pair_selection.max_rounds",
                                           "pair_selection.learning_rate",
                                           "purify"};

const TrainingPhase kMainPhase{
    .name = "main", .label = "main effects", .what = "the main effects", .is_last = false};
const TrainingPhase kInteractionPhase{.what = "the interactions"};

// Step 1 of a bag, or step 3 with these pairs: a search that prolongs step 1 may choose others.
TrainingPhase bag_phase(std::size_t bag, std::span<const RankedFeaturePair> pairs) {
  const std::string name = fmt::format("bag{}", bag + 1);
  const std::string what = fmt::format("bag {}", bag + 1);
  if (pairs.empty()) {
    return {.name = name + ".main",
            .label = what + ", main effects",
            .what = "the main effects of " + what,
            .is_last = false};
  }
  std::string text;
  for (const RankedFeaturePair& pair : pairs)
    text += fmt::format("{} {},", pair.first, pair.second);
  return {.name = fmt::format("{}.{:08x}", name, hash_name(text) & 0xffffffffU),
          .label = what + ", interactions",
          .what = "the interactions of " + what,
          .is_last = false};
}

class IlmartMethod final : public Method {
 public:
  explicit IlmartMethod(IlmartParams params) : params_(std::move(params)) {}

  std::string name() const override { return "ilmart"; }
  MethodTraits traits() const override {
    return {.shows_rounds = true,
            .has_stages = true,
            .is_additive = true,
            .calls_back = true,
            .alone_because = {}};
  }
  std::unique_ptr<Method> clone() const override { return std::make_unique<IlmartMethod>(*this); }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  WatchParams& watch() override { return params_.trees.watch; }
  ObjectiveParams* objective() override { return &params_.trees.objective; }
  BinParams bin_params() const override { return params_.trees.bins; }

  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses;
    add_uses(uses, kOfPairs, "num_interactions");
    uses.push_back({"pair_selection.max_rounds",
                    "pair_selection.method",
                    {"paper", "first-seen", "contribution"}});
    uses.push_back({"pair_selection.learning_rate",
                    "pair_selection.method",
                    {"paper", "first-seen", "contribution"}});
    return uses;
  }
  void settle(const TrainSetting& setting) override {
    settle_rounds(params_.trees, setting.has_valid || params_.bagging.stop_on == StopOn::kBag);
  }
  void check(const TrainSetting& setting) const override {
    check_boosted(params_.trees, setting);
    check_bags(params_.bagging);
    if (!params_.trees.interactions.empty()) {
      fail(ErrorKind::kUsage, "interactions are for lambdamart; ilmart finds its own pairs");
    }
  }

  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.bins(params_.trees.bins, task.start, context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    check_params(params_);
    check_ilmart(params_, task.data.num_features(),
                 shard_of(task.data.queries(), *context.communicator).num_queries);
    const LambdamartData data = boosted_data(task, params_.trees, context);
    say_stop(task, context);
    const IlmartResult result = train_ilmart(data, params_, run_of(task), context);
    if (result.end == BoostingEnd::kInterrupted && result.num_rounds == 0)
      context.check_stop_anywhere();
    if (result.forest.trees().empty() && result.end == BoostingEnd::kNoSplitLeft) {
      context.warn("no tree could be grown: every document gets the same score");
    }
    warn_of_few_rows(result, params_.trees, task, context);
    TrainResult trained = boosted_result(result, params_.trees, task);
    trained.length = length_of(result);
    trained.model.body = body_of(result, task, context.finishing());
    describe(result, task, trained);
    return trained;
  }

  Rounds rounds() const override {
    return {.most = static_cast<std::size_t>(params_.trees.boosting.num_trees),
            .stops_early = params_.trees.patience > 0};
  }
  void scale_rounds(double share) override {
    for (int* count : {&params_.trees.boosting.num_trees.value, &params_.interaction_trees}) {
      *count = static_cast<int>(std::ceil(share * *count));
    }
  }
  // Bags that stop on the queries they hold out stop themselves, and have no length.
  void fix_length(const TrainingLength& length) override {
    if (length.empty()) return;
    const std::size_t num_trees = length[0].second;
    const std::size_t num_main = std::min(length[1].second, num_trees);
    params_.trees.boosting.num_trees = static_cast<int>(num_main);
    params_.interaction_trees = static_cast<int>(num_trees - num_main);
    if (num_trees == num_main) params_.num_interactions = 0;
  }

  BoostingResult train_base(const TrainTask& task, const BaseTask& base,
                            const Context& context) const override {
    return glassrank::train_base(boosted_data(task, params_.trees, context), params_.trees,
                                 phase_run(task, kBasePhase), base, context);
  }

 private:
  IlmartRun run_of(const TrainTask& task) const {
    if (!params_.is_bagged()) {
      return {.main = phase_run(task, kMainPhase),
              .interactions = phase_run(task, kInteractionPhase),
              .stages = task.stages};
    }
    return {.stages = task.stages,
            .of_bag = [&task](std::size_t bag, std::span<const RankedFeaturePair> pairs) {
              return phase_run(task, bag_phase(bag, pairs));
            }};
  }

  void say_stop(const TrainTask& task, const Context& context) const {
    if (params_.bagging.stop_on == StopOn::kBag && params_.trees.patience > 0) {
      context.info(fmt::format("training until {} has not risen for {} rounds",
                               stopping_name(params_.trees.watch, "held-out"),
                               params_.trees.patience));
    } else if (params_.is_bagged() && task.data.valid() == nullptr) {
      context.info(
          "without validation data nothing stops a bag: each grows all trees; stop_on bag stops it "
          "on the queries it holds out");
    } else {
      say_what_stops(params_.trees, task, context);
    }
  }

  TrainingLength length_of(const IlmartResult& result) const {
    if (params_.bagging.stop_on == StopOn::kBag) return {};
    return {{"trees", result.best_round}, {"main_trees", result.steps.main_trees}};
  }

  // What is written: curves and surfaces with the weight of all training rows in each cell, also
  // of those a cleaner dropped, and errors over bags; or the trees.
  decltype(Model::body) body_of(const IlmartResult& result, const TrainTask& task,
                                const Context& context) const {
    if (!params_.tables) return result.forest;
    try {
      Gam gam =
          with_weights(distil(result.forest),
                       task.data.whole().bins(params_.trees.bins, task.start, context), context);
      if (params_.centre) gam = centred(gam);
      if (params_.centre && params_.purify && !result.steps.bags) gam = purified(gam);
      if (result.steps.bags) gam = with_bag_errors(gam, result.steps.bags->forests);
      return gam;
    } catch (const Error& error) {  // tables beyond every limit: the training is not to be lost
      context.warn(fmt::format("{}; written as trees", error.what()));
      return result.forest;
    }
  }

  void describe(const IlmartResult& result, const TrainTask& task, TrainResult& trained) const {
    const IlmartSteps& steps = result.steps;
    const auto names = task.data.feature_names();
    TrainReport& report = trained.report;
    report.main_effects =
        MainEffectsReport{.num_features = features_of(steps.main_effects.trees()).size(),
                          .num_trees = steps.main_effects.trees().size(),
                          .num_rounds = steps.main_rounds,
                          .value = known(steps.main_metric)};
    report.num_interaction_rounds = steps.interaction_rounds;
    for (const RankedFeaturePair& pair : steps.selected) {
      const bool is_used =
          std::ranges::binary_search(steps.used, std::pair(pair.first, pair.second));
      report.pairs.push_back({.features = {names[pair.first], names[pair.second]},
                              .statistic = pair.statistic,
                              .is_used = is_used});
    }
    if (steps.bags) describe_bags(*steps.bags, trained);
  }

  void describe_bags(const IlmartBags& bags, TrainResult& trained) const {
    TrainReport& report = trained.report;
    report.is_round_chosen = false;
    report.kept += fmt::format(" of {} of {} bags", bags.reports.size(), params_.bagging.bags);
    const bool is_by_bag = params_.bagging.stop_on == StopOn::kBag;
    report.stop_metric = is_by_bag ? stopping_name(params_.trees.watch, "held-out") : "";
    report.train.clear();
    report.valid.clear();
    for (const IlmartBag& bag : bags.reports) {
      report.bags.push_back({.num_rows = bag.num_rows,
                             .num_held_out_rows = bag.num_held_out_rows,
                             .num_rounds = bag.num_rounds,
                             .num_trees = bag.main_trees + bag.pair_trees,
                             .num_main_trees = bag.main_trees,
                             .value = known(bag.metric)});
    }
    for (const auto& [name, value] : bags.metrics) {  // "valid ndcg@10", of the mean model
      const std::size_t space = name.find(' ');
      NamedValues& values = name.starts_with("train") ? report.train : report.valid;
      values.emplace_back(name.substr(space + 1), value);
    }
    for (const BagRound& place : bag_rounds(bags)) {
      trained.curve.places.push_back({.bag = place.bag, .round = place.round});
    }
  }

  IlmartParams params_;
};

}  // namespace

std::unique_ptr<Method> make_ilmart(IlmartParams params) {
  return std::make_unique<IlmartMethod>(std::move(params));
}

}  // namespace glassrank
