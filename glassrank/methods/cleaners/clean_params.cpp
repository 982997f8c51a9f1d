#include "glassrank/methods/cleaners/clean_params.h"

#include <algorithm>
#include <array>

#include "glassrank/methods/cleaners/cleaner.h"
#include "glassrank/methods/cleaners/isolation_cleaner.h"
#include "glassrank/methods/cleaners/outlier_tracker.h"
#include "glassrank/methods/cleaners/sour.h"

namespace glassrank {

std::span<const std::pair<std::string_view, DocumentType>> EnumNames<DocumentType>::table() {
  static constexpr std::array<std::pair<std::string_view, DocumentType>, 3> kNames = {
      {{"neg", DocumentType::kNeg}, {"pos", DocumentType::kPos}, {"all", DocumentType::kAll}}};
  return kNames;
}

std::span<const std::pair<std::string_view, CleanMethod>> EnumNames<CleanMethod>::table() {
  static const std::vector<std::pair<std::string_view, CleanMethod>> names = [] {
    std::vector<std::pair<std::string_view, CleanMethod>> all = {{"none", CleanMethod::kNone}};
    for (const CleanerInfo& info : cleaner_table()) all.emplace_back(info.name, info.method);
    return all;
  }();
  return names;
}

std::span<const std::pair<std::string_view, OutlierDefinition>>
EnumNames<OutlierDefinition>::table() {
  static constexpr std::array<std::pair<std::string_view, OutlierDefinition>, 2> kNames = {
      {{"paper", OutlierDefinition::kPaper}, {"released", OutlierDefinition::kReleased}}};
  return kNames;
}

std::span<const CleanerInfo> cleaner_table() {
  static constexpr std::array<CleanerInfo, 5> kCleaners = {{
      {CleanMethod::kSour, "sour",
       "documents that a base model ranks wrongly after every round of a window", sour_cleaner},
      {CleanMethod::kPSour, "p-sour", "those wrong after more than a share p of the rounds",
       p_sour_cleaner},
      {CleanMethod::kLastSour, "last-sour", "those wrong after the best validation round",
       last_sour_cleaner},
      {CleanMethod::kCurrSour, "curr-sour",
       "none for good: documents wrong from the start join in stage by stage", curr_sour_cleaner},
      {CleanMethod::kIsolationForest, "isolation-forest",
       "documents whose features are far from all others", isolation_cleaner},
  }};
  return kCleaners;
}

const Cleaner* cleaner_of(CleanMethod method) {
  const auto info = std::ranges::find(cleaner_table(), method, &CleanerInfo::method);
  return info == cleaner_table().end() ? nullptr : &info->cleaner();
}

std::span<const ParamUse> clean_uses() {
  static const std::vector<ParamUse> uses = [] {
    std::vector<ParamUse> all;
    for (const CleanerInfo& info : cleaner_table()) {
      for (const std::string_view name : info.cleaner().params()) {
        const auto known = std::ranges::find(all, name, &ParamUse::name);
        if (known == all.end()) {
          all.push_back({std::string(name), "method", {info.name}});
        } else {
          known->values.push_back(info.name);
        }
      }
    }
    all.push_back({"threshold", "contamination", {"0"}});
    return all;
  }();
  return uses;
}

std::string_view name_of(CleanMethod method) {
  return std::ranges::find(EnumNames<CleanMethod>::table(), method,
                           &std::pair<std::string_view, CleanMethod>::second)
      ->first;
}

std::string_view name_of(DocumentType type) {
  return std::ranges::find(EnumNames<DocumentType>::table(), type,
                           &std::pair<std::string_view, DocumentType>::second)
      ->first;
}

void CleanParams::visit(ParamVisitor& visitor) {
  visitor.field("method", method,
                "drop documents from the training data before the final training (glassrank list "
                "cleaners)",
                {.alias = "clean"});
  visitor.section("advanced");
  visitor.field("type", type, "which documents may be dropped: not relevant, relevant, or both");
  visitor.field("start", start, "first round of the window of sour, p-sour and curr-sour",
                Range{.low = 1, .high = OutlierTracker::kMaxRounds});
  visitor.field("end", end,
                "last round of the window, and number of rounds of the base model; 0 is num_trees",
                Range{.low = 0, .high = OutlierTracker::kMaxRounds});
  visitor.field("p", p,
                "p-sour: a document is dropped if it is an outlier in more than this share of the "
                "window's rounds",
                Range{.low = 0, .high = 1, .open_high = true});
  visitor.field(
      "definition", definition,
      "definition of an outlier: the paper's, or the broader one of the authors' program");
  visitor.field("cutoff", cutoff,
                "number of ranks that count as the top; 0 is the cutoff of the stop metric",
                kNotNegative);
  visitor.field("negative_grade", negative_grade, "grades up to this one are not relevant");
  visitor.field("stages", stages,
                "curr-sour: numbers of trees after which documents are added; numbers below 1 are "
                "shares of num_trees",
                Range{.low = 0, .high = OutlierTracker::kMaxRounds, .open_low = true});
  visitor.section("cleaning");
  visitor.field("tune", tune,
                "try windows, types and shares on one base model and keep the best on the "
                "validation data; values that you give (start, type, p, contamination) stay fixed",
                {.alias = "tune"});
  visitor.section("advanced");
  visitor.field("num_trees", num_trees, "isolation-forest: number of trees", Range{.low = 1});
  visitor.field("sample_rows", sample_rows, "isolation-forest: rows that each tree is grown on",
                Range{.low = 2});
  visitor.field("height", height, "isolation-forest: greatest depth of a tree", Range{.low = 1});
  visitor.field("threshold", threshold,
                "isolation-forest: drop documents whose score is above this", kShare);
  visitor.field("contamination", contamination,
                "isolation-forest: drop this share of all documents, those of clean.type with the "
                "highest scores; 0 uses clean.threshold instead",
                Range{.low = 0, .high = 1, .open_high = true});
}

}  // namespace glassrank
