// glassrank train --folds: cross-validation, and the model it leads to.

#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/train/train_modes.h"
#include "glassrank/base/json.h"
#include "glassrank/methods/lambdamart/cleaned_lambdamart.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

void print_row(Output& output, const std::string& first, const std::string& trees,
               const std::vector<double>& values) {
  fmt::print(output.out, "{:<6}{:>8}", first, trees);
  for (const double value : values) fmt::print(output.out, "  {:>16.6f}", value);
  fmt::print(output.out, "\n");
}

std::vector<double> means(const std::vector<Spread>& spreads, double Spread::* member) {
  std::vector<double> values;
  for (const Spread& spread : spreads) values.push_back(spread.*member);
  return values;
}

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// How many trees a model of all data has, as far as folds say.
std::string trees_text(const CrossValidation& found, const LambdamartParams& params) {
  if (!params.ilmart || !params.ilmart->is_bagged()) {
    return fmt::format("trees to use on all data: {}", found.num_trees);
  }
  if (params.ilmart->stop_on == StopOn::kValid) {
    return fmt::format("trees to use on all data: {} a bag", found.num_trees);
  }
  return fmt::format("trees of a bag: {}; on all data bags stop themselves", found.num_trees);
}

void print_text(const CrossValidation& found, const LambdamartParams& params, Output& output) {
  fmt::print(output.out, "{:<6}{:>8}", "fold", "trees");
  for (const char* part : {"valid", "test"}) {
    for (const std::string& metric : found.metrics) {
      fmt::print(output.out, "  {:>16}", fmt::format("{} {}", part, metric));
    }
  }
  fmt::print(output.out, "\n");
  std::vector<double> counts;
  for (std::size_t f = 0; f < found.folds.size(); ++f) {
    const FoldResult& fold = found.folds[f];
    counts.push_back(static_cast<double>(fold.num_trees));
    print_row(output, fmt::format("{}", f + 1), fmt::format("{}", fold.num_trees),
              joined(fold.valid, fold.test));
  }
  const Spread trees = spread_of(counts);
  print_row(output, "mean", fmt::format("{:.1f}", trees.mean),
            joined(means(found.valid, &Spread::mean), means(found.test, &Spread::mean)));
  print_row(output, "sd", fmt::format("{:.1f}", trees.deviation),
            joined(means(found.valid, &Spread::deviation), means(found.test, &Spread::deviation)));
  fmt::print(output.out, "{}\n", trees_text(found, params));
}

Json spread_json(const std::vector<std::string>& metrics, const std::vector<Spread>& spreads) {
  Json json = Json::object();
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    json[metrics[m]] = {{"mean", spreads[m].mean}, {"sd", spreads[m].deviation}};
  }
  return json;
}

Json values_json(const std::vector<std::string>& metrics, const std::vector<double>& values) {
  Json json = Json::object();
  for (std::size_t m = 0; m < metrics.size(); ++m) json[metrics[m]] = values[m];
  return json;
}

Json json_of(const CrossValidation& found) {
  Json folds = Json::array();
  for (const FoldResult& fold : found.folds) {
    folds.push_back({{"trees", fold.num_trees},
                     {"rounds", fold.num_rounds},
                     {"valid", values_json(found.metrics, fold.valid)},
                     {"test", values_json(found.metrics, fold.test)}});
  }
  return {{"folds", folds},
          {"valid", spread_json(found.metrics, found.valid)},
          {"test", spread_json(found.metrics, found.test)},
          {"trees", found.num_trees}};
}

}  // namespace

ModelOnAll train_on_all(const TrainOptions& options, const TrainData& data, LambdamartParams params,
                        const TreeCounts& trees, const Context& context) {
  const int before = params.boosting.num_trees;
  params = with_trees(std::move(params), trees.all, trees.main);
  // The base model stays as long as it was in the folds.
  if (options.has_clean() && params.clean.method != CleanMethod::kCurrSour &&
      params.clean.end == 0) {
    params.clean.end = before;
  }
  const CleanedResult cleaned = train_cleaned(data.train, nullptr, params, context);
  const LambdamartResult& result = cleaned.result;
  if (result.end == BoostingEnd::kInterrupted) context.check_stop();
  Provenance lines = run_provenance(data, params, context);
  if (options.has_clean()) lines.emplace_back("cleaning", cleaned.cleaning.summary);
  const Model model =
      trained_model({result.forest, bags_of(result)}, std::move(lines), options, data, context);
  save_model(options.out, model, options.model_format, context);
  return {.num_trees = result.forest.trees().size(), .test = test_values(model, options, context)};
}

void train_folds(const TrainOptions& options, const Context& context, Output& output) {
  const TrainData data = load_train_data(options, context);
  const CrossValidation found = cross_validate(data.train, options.params, options.folds, context);
  ModelOnAll model;
  if (!options.out.empty()) {
    model = train_on_all(options, data, options.params, {found.num_trees, found.num_main_trees},
                         context);
  }
  if (output.json) {
    Json json = json_of(found);
    if (!options.out.empty()) {
      json["model"] = options.out;
      json["model_trees"] = model.num_trees;
    }
    for (const NamedValue& value : model.test) json[value.name] = value.value;
    output.out << json.dump(2) << '\n';
    return;
  }
  print_text(found, options.params, output);
  if (options.out.empty()) return;
  fmt::print(output.out, "{} trees on all data: {}\n", model.num_trees, options.out);
  for (const NamedValue& value : model.test) {
    fmt::print(output.out, "{} {:.6f}\n", value.name, value.value);
  }
}

}  // namespace glassrank::cli
