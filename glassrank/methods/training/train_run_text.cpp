// Cross-validation and searches for people.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/table.h"
#include "glassrank/methods/training/train_run.h"

namespace glassrank {
namespace {

Table trials_table(const SearchResult& found, int digits) {
  const bool is_short = digits > 0;
  std::vector<Column> columns = {{"trial"}, {"rung"}};
  const Trial& first = found.trials.front();
  for (const auto& [part, count] : first.length) columns.push_back({part});
  columns.push_back({found.metric, is_short ? Notation::kFixed : Notation::kShortest, digits});
  for (const auto& [name, value] : first.values) columns.push_back({name});
  Table table(std::move(columns));
  for (const Trial& trial : found.trials) {
    std::vector<Cell> row = {cell(trial.number), cell(trial.rung)};
    for (const auto& [part, count] : trial.length) row.push_back(cell(count));
    row.push_back(cell(trial.value));
    for (const auto& [name, value] : trial.values) row.push_back(cell(value));
    table.add(std::move(row));
  }
  return table;
}

std::string values_text(const NamedValues& test) {
  std::string text;
  for (const auto& [metric, value] : test) text += fmt::format("test {} {:.6f}\n", metric, value);
  return text;
}

}  // namespace

std::string trials_tsv(const SearchResult& found) { return table_tsv(trials_table(found, 0)); }

void FoldsReport::visit(ResultVisitor& visitor) const {
  found.visit(visitor);
  visitor.object("model", model, "the model trained on all data");
}

void SearchReport::visit(ResultVisitor& visitor) const {
  found.visit(visitor);
  visitor.field("model", model, "file of the best model; empty when none was written");
  visitor.field("config", config, "file with its parameters");
  visitor.field("all_trials", trials, "file with all trials");
  visitor.values("test", test, "metrics of the best model on the test data");
}

std::string folds_text(const FoldsReport& report) {
  const CrossValidation& found = report.found;
  std::vector<Column> columns = {{"fold"}};
  for (const auto& [part, count] : found.length) columns.push_back({part, Notation::kFixed, 1});
  for (const MetricSpread& metric : found.valid.metrics)
    columns.push_back({"valid " + metric.metric, Notation::kFixed, 6});
  for (const MetricSpread& metric : found.test.metrics)
    columns.push_back({"test " + metric.metric, Notation::kFixed, 6});
  Table table(std::move(columns));
  for (std::size_t f = 0; f < found.folds.size(); ++f) {
    const FoldResult& fold = found.folds[f];
    std::vector<Cell> row = {cell(fmt::to_string(f + 1))};
    for (const auto& [part, count] : fold.length) row.push_back(cell(count));
    for (const auto& [metric, value] : fold.valid) row.push_back(cell(value));
    for (const auto& [metric, value] : fold.test) row.push_back(cell(value));
    table.add(std::move(row));
  }
  for (const bool is_mean : {true, false}) {
    std::vector<Cell> row = {cell(is_mean ? "mean" : "sd")};
    for (std::size_t part = 0; part < found.length.size(); ++part) {
      std::vector<double> counts;
      for (const FoldResult& fold : found.folds) {
        counts.push_back(static_cast<double>(fold.length[part].second));
      }
      const Spread spread = spread_of(counts);
      row.push_back(cell(is_mean ? spread.mean : spread.deviation));
    }
    for (const std::vector<MetricSpread>* set : {&found.valid.metrics, &found.test.metrics}) {
      for (const MetricSpread& metric : *set) {
        row.push_back(cell(is_mean ? metric.spread.mean : metric.spread.deviation));
      }
    }
    table.add(std::move(row));
  }
  std::string text = table_text(table);
  text += fmt::format("to train on all data: {}\n", length_text(found.length));
  if (report.model) text += "on all data: " + train_text(*report.model);
  return text;
}

std::string search_text(const SearchReport& report) {
  std::string text = table_text(trials_table(report.found, 6));
  if (report.model.empty()) return text;
  return text +
         fmt::format("best model: {}\nits parameters: {}\nall trials: {}\n", report.model,
                     report.config, report.trials) +
         values_text(report.test);
}

}  // namespace glassrank
