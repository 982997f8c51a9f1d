// glassrank data stats: what a data file looks like and what is odd about it.

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/registry.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/stats_report.h"

namespace glassrank::cli {
namespace {

constexpr std::size_t kExamples = 5;  // of long lists, in text

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

class StatsText {
 public:
  StatsText(const DataStats& stats, const Dataset& data, std::ostream& out)
      : stats_(stats), data_(data), out_(out) {}

  void print_summary() const {
    line("rows", stats_.num_rows);
    line("queries", stats_.num_queries);
    line("features", stats_.num_features);
    const SizeStats& sizes = stats_.documents_per_query;
    line("documents per query", fmt::format("min {}, median {:.1f}, mean {:.1f}, max {}", sizes.min,
                                            sizes.median, sizes.mean, sizes.max));
    for (const auto& [grade, count] : stats_.grades) {
      line(fmt::format("grade {}", grade),
           fmt::format("{} ({:.1f} %)", count, percent(count, stats_.num_rows)));
    }
    line("missing values",
         fmt::format("{} ({:.2f} %)", stats_.missing,
                     percent(stats_.missing, stats_.num_rows * stats_.num_features)));
  }

  void print_oddities() const {
    const auto names = data_.feature_names();
    list("constant features", stats_.constant_features.size(),
         [&](std::size_t i) { return names[stats_.constant_features[i]]; });
    list("duplicate features", stats_.duplicate_features.size(), [&](std::size_t i) {
      const auto& [copy, original] = stats_.duplicate_features[i];
      return fmt::format("{} = {}", names[copy], names[original]);
    });
    line("queries without a relevant document", stats_.queries_without_relevant);
    line("queries with one grade only", stats_.queries_with_one_grade);
    line("queries with one document", stats_.queries_with_one_document);
    line("documents equal to another", stats_.duplicates.rows);
    line("  of the same query", stats_.duplicates.rows_within_query);
    const auto& conflicts = stats_.duplicates.conflicts;
    list("equal documents, different grades", conflicts.size(), [&](std::size_t i) {
      return fmt::format("{}: {} and {}", data_.queries().id(conflicts[i].query),
                         data_.document_name(conflicts[i].rows[0]),
                         data_.document_name(conflicts[i].rows[1]));
    });
  }

  void print_features() const {
    fmt::print(out_, "\n{:<28}{:>12}{:>12}{:>12}{:>11}{:>9}{:>10}\n", "feature", "min", "mean",
               "max", "missing %", "zero %", "distinct");
    for (std::size_t f = 0; f < stats_.num_features; ++f) {
      const FeatureStats& feature = stats_.features[f];
      fmt::print(out_, "{:<28}{:>12.5g}{:>12.5g}{:>12.5g}{:>11.2f}{:>9.1f}{:>10}\n",
                 data_.feature_names()[f], feature.min, feature.mean, feature.max,
                 percent(feature.missing, stats_.num_rows), percent(feature.zeros, stats_.num_rows),
                 fmt::format("{}{}", feature.distinct_capped ? ">" : "", feature.distinct));
    }
  }

 private:
  template <typename Value>
  void line(std::string_view what, const Value& value) const {
    fmt::print(out_, "{:<37}{}\n", what, value);
  }
  // How many, and the first few of them.
  template <typename Name>
  void list(std::string_view what, std::size_t count, Name&& name) const {
    std::string text = fmt::format("{}", count);
    for (std::size_t i = 0; i < std::min(count, kExamples); ++i) {
      text += fmt::format("{}{}", i == 0 ? " (" : ", ", name(i));
    }
    if (count > 0) text += count > kExamples ? ", ...)" : ")";
    line(what, text);
  }

  const DataStats& stats_;
  const Dataset& data_;
  std::ostream& out_;
};

class DataStatsCommand final : public Command {
 public:
  std::string name() const override { return "data stats"; }
  std::string summary() const override { return "Describe a data file and what is odd about it"; }
  std::vector<std::string> examples() const override {
    return {"glassrank data stats train.txt", "glassrank data stats train.txt --features --json"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("data", data_, "data file",
                  ParamStyle{.required = true, .positional = true, .file = FileUse::kInput});
    visitor.field("features", features_, "add a table with a line per feature");
    read_.visit(visitor);
  }

  std::string results() const override { return results_markdown<StatsReport>(); }
  void run(const Context& context, Output& output) override {
    const Dataset data = load_dataset(data_, read_, context);
    const DataStats stats = data_stats(data, {.count_distinct = features_}, context);
    if (output.json) {
      output.out << json_text(stats_report(stats, data, features_));
      return;
    }
    const StatsText text(stats, data, output.out);
    text.print_summary();
    text.print_oddities();
    if (features_) text.print_features();
  }

 private:
  std::string data_;
  bool features_ = false;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_data_stats_command() { return std::make_unique<DataStatsCommand>(); }

}  // namespace glassrank::cli
