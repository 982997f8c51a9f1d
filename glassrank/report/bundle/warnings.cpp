#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/data/digest.h"
#include "glassrank/report/bundle/parts.h"

namespace glassrank {
namespace {

constexpr const char* kTrainingData = "training data";
constexpr const char* kValidationData = "validation data";
constexpr std::size_t kNamedTexts = 3;  // of unknown categories

std::string plural(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

bool has_line(const Model& model, std::string_view key, std::string_view value) {
  return std::ranges::any_of(model.provenance, [&](const auto& line) {
    return line.first == key && line.second == value;
  });
}

// "the training data of trees": the numbers below are then no forecast.
void warn_of_seen(const ReportTask& task, const ReportBundle& bundle,
                  std::vector<std::string>& warnings) {
  for (const BundleModel& model : bundle.models) {
    if (model.seen.empty()) continue;
    warnings.push_back(
        model.seen == kTrainingData
            ? fmt::format("{} is measured on the data it was trained on ({}): it may have learnt "
                          "these documents by heart, and new ones will be ranked less well.",
                          model.name, task.data_file)
            : fmt::format("{} is measured on its validation data ({}), by which its training was "
                          "ended or chosen: new documents will be ranked less well.",
                          model.name, task.data_file));
  }
}

// Of every feature: how many documents, and what the categories are called.
void warn_of_unknown(const BundleSetting& setting, std::vector<std::string>& warnings) {
  for (std::uint32_t f = 0; f < setting.names.size(); ++f) {
    std::size_t num_rows = 0;
    std::set<std::string> texts;
    for (const UnknownCategory& unknown : setting.task.unknown) {
      if (unknown.feature != f) continue;
      ++num_rows;
      texts.insert(fmt::format("'{}'", unknown.text));
    }
    if (num_rows == 0) continue;
    const std::size_t num_more = texts.size() - std::min(texts.size(), kNamedTexts);
    while (texts.size() > kNamedTexts) texts.erase(std::prev(texts.end()));
    warnings.push_back(fmt::format(
        "{} {} of {} that training did not see: {}{}.", plural(num_rows, "document"),
        num_rows == 1 ? "has a category" : "have categories", setting.names[f],
        fmt::join(texts, ", "), num_more == 0 ? "" : fmt::format(" and {} more", num_more)));
  }
}

void warn_of_data(const BundleData& data, const char* name, std::vector<std::string>& warnings) {
  const DataStats& stats = data.stats.stats;
  if (!stats.duplicates.conflicts.empty()) {
    warnings.push_back(fmt::format(
        "The {} has {} in which documents with the same features have different grades.", name,
        plural(stats.duplicates.conflicts.size(), "group")));
  }
  if (stats.queries_with_one_grade > 0) {
    warnings.push_back(
        fmt::format("In {} of {} queries of the {} all documents have the same "
                    "grade: no order is better than another there.",
                    stats.queries_with_one_grade, stats.num_queries, name));
  }
  if (!stats.constant_features.empty()) {
    const std::size_t count = stats.constant_features.size();
    warnings.push_back(fmt::format("{} of the {} {} the same in all documents.",
                                   plural(count, "feature"), name, count == 1 ? "is" : "are"));
  }
  if (!stats.duplicate_features.empty()) {
    const std::size_t count = stats.duplicate_features.size();
    warnings.push_back(
        fmt::format("{} of the {} {} equal to another one in every document: importances are "
                    "shared between such twins.",
                    plural(count, "feature"), name, count == 1 ? "is" : "are"));
  }
}

}  // namespace

std::vector<std::string> seen_by_models(const ReportTask& task, const Context& context) {
  const std::string digest = dataset_digest(task.data, context);
  const bool is_given = task.train.num_rows() > 0 && dataset_digest(task.train, context) == digest;
  std::vector<std::string> seen;
  for (const ReportModel& model : task.models) {
    const bool is_trained_on = is_given || has_line(model.model, "train.digest", digest);
    const bool is_validated_on = has_line(model.model, "valid.digest", digest);
    seen.emplace_back(is_trained_on ? kTrainingData : is_validated_on ? kValidationData : "");
  }
  return seen;
}

std::vector<std::string> warnings_of(const BundleSetting& setting, const ReportBundle& bundle) {
  std::vector<std::string> warnings;
  warn_of_seen(setting.task, bundle, warnings);
  for (const std::string& notice : setting.task.notices) warnings.push_back(notice + ".");
  warn_of_unknown(setting, warnings);
  warn_of_data(*bundle.data, "data", warnings);
  if (bundle.train) {
    warn_of_data(*bundle.train, "training data", warnings);
  } else {
    warnings.push_back(
        "No training data was given: the ranked data itself stands for what is usual, and single "
        "features were chosen on it.");
  }
  if (bundle.documents.num_left_out > 0) {
    warnings.push_back(
        fmt::format("{} of {} documents can be looked at one by one here, those of queries spread "
                    "evenly over the "
                    "file; metrics are over all.",
                    setting.shown.data.num_rows(), setting.task.data.num_rows()));
  }
  if (bundle.documents.is_rounded) {
    warnings.push_back("Feature values are rounded to three digits to keep this file small.");
  }
  if (bundle.outliers && bundle.outliers->num_negative + bundle.outliers->num_positive > 0) {
    warnings.push_back(fmt::format(
        "{} of {} documents of the {} stay on the wrong side of the top {} however many trees rank "
        "them: some of them may be judged wrongly, see Data.",
        bundle.outliers->num_negative + bundle.outliers->num_positive, bundle.outliers->num_rows,
        bundle.outliers->data, bundle.outliers->cutoff));
  }
  return warnings;
}

}  // namespace glassrank
