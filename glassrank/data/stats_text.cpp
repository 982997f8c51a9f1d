#include "glassrank/data/stats_text.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glassrank {
namespace {

constexpr std::size_t kExamples = 5;  // of long lists, in text

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

class StatsText {
 public:
  StatsText(const DataStats& stats, const Dataset& data) : stats_(stats), data_(data) {}

  std::string take() { return std::move(text_); }

  void add_summary() {
    line("rows", stats_.num_rows);
    line("queries", stats_.num_queries);
    line("features", stats_.num_features);
    const SizeStats& sizes = stats_.documents_per_query;
    line("documents per query", fmt::format("min {}, median {:.1f}, mean {:.1f}, max {}", sizes.min,
                                            sizes.median, sizes.mean, sizes.max));
    if (!stats_.has_grades) line("grades", "none");
    for (const auto& [grade, count] : stats_.grades) {
      line(fmt::format("grade {}", grade),
           fmt::format("{} ({:.1f} %)", count, percent(count, stats_.num_rows)));
    }
    line("missing values",
         fmt::format("{} ({:.2f} %)", stats_.missing,
                     percent(stats_.missing, stats_.num_rows * stats_.num_features)));
  }

  void add_oddities() {
    const auto names = data_.feature_names();
    list("constant features", stats_.constant_features.size(),
         [&](std::size_t i) { return names[stats_.constant_features[i]]; });
    list("duplicate features", stats_.duplicate_features.size(), [&](std::size_t i) {
      const auto& [copy, original] = stats_.duplicate_features[i];
      return fmt::format("{} = {}", names[copy], names[original]);
    });
    if (stats_.has_grades) {
      line("queries without a relevant document", stats_.queries_without_relevant);
      line("queries with one grade only", stats_.queries_with_one_grade);
    }
    line("queries with one document", stats_.queries_with_one_document);
    line("documents equal to another", stats_.duplicates.rows);
    line("  of the same query", stats_.duplicates.rows_within_query);
    if (!stats_.has_grades) return;
    const auto& conflicts = stats_.duplicates.conflicts;
    list("equal documents, different grades", conflicts.size(), [&](std::size_t i) {
      return fmt::format("{}: {} and {}", data_.queries().id(conflicts[i].query),
                         data_.document_name(conflicts[i].rows[0]),
                         data_.document_name(conflicts[i].rows[1]));
    });
  }

  void add_features() {
    print("\n{:<28}{:>12}{:>12}{:>12}{:>11}{:>9}{:>10}\n", "feature", "min", "mean", "max",
          "missing %", "zero %", "distinct");
    for (std::size_t f = 0; f < stats_.num_features; ++f) {
      const FeatureStats& feature = stats_.features[f];
      print("{:<28}{:>12.5g}{:>12.5g}{:>12.5g}{:>11.2f}{:>9.1f}{:>10}\n", data_.feature_names()[f],
            feature.min, feature.mean, feature.max, percent(feature.missing, stats_.num_rows),
            percent(feature.zeros, stats_.num_rows),
            fmt::format("{}{}", feature.distinct_capped ? ">" : "", feature.distinct));
    }
  }

 private:
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  template <typename Value>
  void line(std::string_view what, const Value& value) {
    print("{:<37}{}\n", what, value);
  }
  // How many, and the first few of them.
  template <typename Name>
  void list(std::string_view what, std::size_t count, Name&& name) {
    std::string text = fmt::format("{}", count);
    for (std::size_t i = 0; i < std::min(count, kExamples); ++i) {
      text += fmt::format("{}{}", i == 0 ? " (" : ", ", name(i));
    }
    if (count > 0) text += count > kExamples ? ", ...)" : ")";
    line(what, text);
  }

  const DataStats& stats_;
  const Dataset& data_;
  std::string text_;
};

}  // namespace

std::string stats_text(const DataStats& stats, const Dataset& data, bool with_features) {
  StatsText text(stats, data);
  text.add_summary();
  text.add_oddities();
  if (with_features) text.add_features();
  return text.take();
}

}  // namespace glassrank
