// glassrank train --search: the table of trials, the best parameters, the best model.

#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/train/train_modes.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/json.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

// Columns of the table of trials, header first; the same for people and for the TSV file.
std::vector<std::vector<std::string>> table_of(const SearchResult& found, bool full_precision) {
  std::vector<std::vector<std::string>> table = {{"trial", "rung", "trees", found.metric}};
  for (const auto& [name, value] : found.trials.front().values) table.front().push_back(name);
  for (const Trial& trial : found.trials) {
    table.push_back(
        {fmt::format("{}", trial.number), fmt::format("{}", trial.rung),
         fmt::format("{}", trial.num_trees),
         full_precision ? fmt::format("{}", trial.value) : fmt::format("{:.6f}", trial.value)});
    for (const auto& [name, value] : trial.values) table.back().push_back(value);
  }
  return table;
}

std::string tsv_text(const SearchResult& found) {
  std::string text;
  for (const auto& row : table_of(found, true)) {
    text += fmt::format("{}\n", fmt::join(row, "\t"));
  }
  return text;
}

void print_table(const SearchResult& found, Output& output) {
  TextColumns columns;
  auto table = table_of(found, false);
  for (std::size_t c = 0; c < table.front().size(); ++c) columns.align_right(c);
  for (auto& row : table) columns.add(std::move(row));
  output.out << columns.text();
}

Json json_of(const SearchResult& found) {
  Json trials = Json::array();
  for (const Trial& trial : found.trials) {
    Json values = Json::object();
    for (const auto& [name, value] : trial.values) values[name] = value;
    trials.push_back({{"trial", trial.number},
                      {"rung", trial.rung},
                      {"trees", trial.num_trees},
                      {found.metric, trial.value},
                      {"values", values}});
  }
  return {{"trials", trials}};
}

std::string config_text(const SearchResult& found, const LambdamartParams& params) {
  const Trial& best = found.trials.front();
  return fmt::format("# Trial {} of {}: {} {}\n{}{}", best.number, found.trials.size(),
                     found.metric, best.value, params.ilmart ? "method = \"ilmart\"\n" : "",
                     toml_text(list_params(params)));
}

std::vector<SearchSplit> splits_of(const TrainOptions& options, const TrainData& data,
                                   const Context& context) {
  if (options.folds > 0) return fold_splits(data.train, options.folds, context);
  return {{.train = data.train, .valid = *data.valid}};
}

// The config makes `glassrank train` write the very model that stands beside it.
std::vector<NamedValue> write_best(const TrainOptions& options, const TrainData& data,
                                   const SearchResult& found, const Context& context) {
  const Trial& best = found.trials.front();
  LambdamartParams chosen = best.params;
  // A share without bags means nothing, and `train` would refuse it.
  if (chosen.ilmart && !chosen.ilmart->is_bagged()) {
    chosen.ilmart->valid_share = IlmartParams{}.valid_share;
  }
  LambdamartParams params = chosen;
  if (options.folds > 0) params = with_trees(params, best.num_trees, best.num_main_trees);
  write_text_file(options.config_file(), config_text(found, params));
  write_text_file(options.trials_file(), tsv_text(found));
  if (options.folds > 0) {
    return train_on_all(options, data, chosen, {best.num_trees, best.num_main_trees}, context).test;
  }
  Provenance lines = run_provenance(data, params, context);
  if (!found.cleaning.empty()) lines.emplace_back("cleaning", found.cleaning);
  const Model model =
      trained_model({found.forest, found.bags}, std::move(lines), options, data, context);
  save_model(options.out, model, options.model_format, context);
  return test_values(model, options, context);
}

}  // namespace

void train_search(const TrainOptions& options, const Context& context, Output& output) {
  const TrainData data = load_train_data(options, context);
  const SearchResult found =
      random_search(splits_of(options, data, context), options.params, options.search, context);
  std::vector<NamedValue> test;
  if (!options.out.empty()) test = write_best(options, data, found, context);
  if (output.json) {
    Json json = json_of(found);
    if (!options.out.empty()) json["model"] = options.out;
    for (const NamedValue& value : test) json[value.name] = value.value;
    output.out << json.dump(2) << '\n';
    return;
  }
  print_table(found, output);
  if (options.out.empty()) return;
  fmt::print(output.out, "best model: {}\nits parameters: {}\nall trials: {}\n", options.out,
             options.config_file(), options.trials_file());
  for (const NamedValue& value : test) {
    fmt::print(output.out, "{} {:.6f}\n", value.name, value.value);
  }
}

}  // namespace glassrank::cli
