// RankNet as a Method.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/methods/ranknet/net_report.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/require_numbers.h"

namespace glassrank {
namespace {

NetworkShape shape_of(const RanknetParams& params, std::size_t num_features) {
  NetworkShape shape{.sizes = {num_features}, .hidden = params.activation};
  for (const double units : params.hidden) shape.sizes.push_back(static_cast<std::size_t>(units));
  shape.sizes.push_back(1);
  if (params.preset == NetPreset::kRanklib) shape.output = Activation::kSigmoid;
  return shape;
}

// What a preset decides.
std::vector<ParamUse> preset_uses() {
  static const std::vector<std::string> names = {
      "hidden",          "activation",       "normalise",     "objective", "norm",
      "pair_truncation", "ideal_truncation", "sigma",         "target",    "peer_alpha",
      "optimiser",       "learning_rate",    "batch_queries", "l2",        "patience"};
  std::vector<ParamUse> uses;
  add_uses(uses, names, "preset", {"none"});
  return uses;
}

class RanknetMethod final : public Method {
 public:
  explicit RanknetMethod(RanknetParams params) : params_(std::move(params)) {}

  std::string name() const override { return "ranknet"; }
  MethodTraits traits() const override {
    return {.can_be_bagged = true, .needs_values = true, .calls_back = true};
  }
  std::unique_ptr<Method> clone() const override { return std::make_unique<RanknetMethod>(*this); }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  WatchParams& watch() override { return params_.training.watch; }
  ObjectiveParams* objective() override { return &params_.training.objective; }
  BinParams bin_params() const override { return {}; }

  std::vector<ParamUse> uses() const override { return preset_uses(); }
  // What is trained is what parameters, provenance and records show.
  void settle(const TrainSetting& /*setting*/) override { params_ = params_.resolved(); }
  void check(const TrainSetting& /*setting*/) const override {
    stop_metric(params_.training.watch);
    make_objective(objective_of(params_.training.objective, params_.training.watch), 0);
    for (const double units : params_.hidden) {
      if (units != std::floor(units)) {
        fail(ErrorKind::kUsage, "hidden: {} units; a layer has a whole number of them", units);
      }
    }
  }
  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.values(context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    require_numbers(task.data.table().schema, "ranknet");
    check_params(params_);
    const RanknetParams params = params_.resolved();
    const Dataset& data = task.data.values(context);
    const FeatureScaling scaling =
        find_scaling(task.data.whole().values(context), params.normalise, context);
    const NetworkShape shape = shape_of(params, data.num_features());
    const NetResult result = train_network(
        data, task.data.valid(), scaling, shape, params.training, context,
        {.name = task.name, .log_every = task.log_every, .checkpoints = task.checkpoints});
    MlpParts parts{.layers = layers_of(shape, result.parameters),
                   .fills = scaling.fills,
                   .feature_names = {data.feature_names().begin(), data.feature_names().end()},
                   .objective = params.training.objective.objective};
    parts.layers.front() = unscaled_layer(std::move(parts.layers.front()), scaling);
    TrainResult trained = network_result(result, params.training, task);
    const Mlp mlp(std::move(parts));
    trained.report.kept =
        fmt::format("{} weights in {} layers", mlp.num_weights(), mlp.num_parts());
    trained.model.body = mlp;
    return trained;
  }

  Rounds rounds() const override {
    const NetTrainingParams training = params_.resolved().training;
    return {.most = static_cast<std::size_t>(training.epochs),
            .stops_early = training.patience > 0};
  }
  void scale_rounds(double share) override {
    params_.training.epochs = static_cast<int>(std::ceil(share * params_.training.epochs));
  }
  void fix_length(const TrainingLength& length) override {
    params_.training.epochs = std::max(1, static_cast<int>(length.front().second));
  }

 private:
  RanknetParams params_;
};

}  // namespace

std::span<const std::pair<std::string_view, NetPreset>> EnumNames<NetPreset>::table() {
  static constexpr std::array<std::pair<std::string_view, NetPreset>, 2> kNames = {
      {{"none", NetPreset::kNone}, {"ranklib", NetPreset::kRanklib}}};
  return kNames;
}

RanknetParams::RanknetParams() {
  training.objective.objective = "pairwise";
  training.objective.lambdarank.pair_truncation = 0;
}

void RanknetParams::visit(ParamVisitor& visitor) {
  visitor.section("model");
  visitor.field("preset", preset,
                "ranklib trains RankLib's network as RankLib does; the options that this decides "
                "are then refused");
  visitor.field("hidden", hidden, "number of units of each hidden layer",
                Range{.low = 1, .high = 65'536}, {.value_name = "N,N"});
  visitor.field("activation", activation, "activation function of the hidden units");
  visitor.field("normalise", normalise,
                "put features on a common scale: standardise to mean 0 and deviation 1, or none");
  training.objective.visit(visitor);
  visit_net_training(visitor, training);
}

RanknetParams RanknetParams::resolved() const {
  if (preset == NetPreset::kNone) return *this;
  RanknetParams resolved = *this;
  resolved.hidden = {10};
  resolved.activation = Activation::kSigmoid;
  resolved.normalise = Normalise::kNone;
  NetTrainingParams& own = resolved.training;
  own.objective = {};
  own.objective.objective = "pairwise";
  own.objective.lambdarank.norm = false;
  own.objective.lambdarank.pair_truncation = 0;
  own.optimiser = Optimiser::kSgd;
  own.learning_rate = 5e-5;
  own.batch_queries = 1;
  own.l2 = 0;
  own.patience = 0;
  own.initial = InitialWeights::kUniform;
  return resolved;
}

std::unique_ptr<Method> make_ranknet(RanknetParams params) {
  return std::make_unique<RanknetMethod>(std::move(params));
}

}  // namespace glassrank
