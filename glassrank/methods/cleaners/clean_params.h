#pragma once
// Which documents are taken out of the training data before the final model is trained, and how
// they are found: the parameters of every cleaner (group `clean`).
//
// To add a cleaner: 1. a class derived from Cleaner (cleaner.h) in files beside this one; 2. a
// value of CleanMethod and its parameters here; 3. a line of the table and the parameters in
// clean_params.cpp; 4. its source in CMakeLists.txt. Three existing files, and every cleaner works
// with every sampler and every boosted method.

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/param_uses.h"
#include "glassrank/base/params.h"
#include "glassrank/data/relevance.h"
#include "glassrank/methods/cleaners/outliers.h"

namespace glassrank {

// neg: grade <= negative_grade; pos: above it.
enum class DocumentType { kNeg, kPos, kAll };
template <>
struct EnumNames<DocumentType> {
  static std::span<const std::pair<std::string_view, DocumentType>> table();
};

enum class CleanMethod { kNone, kSour, kPSour, kLastSour, kCurrSour, kIsolationForest };
template <>
struct EnumNames<CleanMethod> {
  static std::span<const std::pair<std::string_view, CleanMethod>> table();
};
template <>
struct EnumNames<OutlierDefinition> {
  static std::span<const std::pair<std::string_view, OutlierDefinition>> table();
};

struct CleanParams {
  CleanMethod method = CleanMethod::kNone;
  // With `tune` the tunable ones that are not given are tried out; a given one stays.
  Tunable<DocumentType> type = Tunable<DocumentType>::by_default(DocumentType::kAll);
  // First and last round of the window, both inclusive; an end of 0 is num_trees.
  Tunable<int> start = Tunable<int>::by_default(1);
  int end = 0;
  Tunable<double> p = Tunable<double>::by_default(0.9);
  OutlierDefinition definition = OutlierDefinition::kPaper;
  int cutoff = 0;  // 0: that of the stop metric
  double negative_grade = 0;
  // Shares of num_trees below 1, trees from 1 on.
  std::vector<double> stages = {0.05, 0.2, 0.5, 0.8, 0.9};
  bool tune = false;
  // isolation-forest
  int num_trees = 100;
  int sample_rows = 256;
  int height = 8;
  Tunable<double> threshold = Tunable<double>::by_default(0.5);
  Tunable<double> contamination = Tunable<double>::by_default(0);  // 0: by threshold

  void visit(ParamVisitor& visitor);
};

// Which cleaner looks at which parameter, as the cleaners say it.
std::span<const ParamUse> clean_uses();

class Cleaner;  // cleaner.h

struct CleanerInfo {
  CleanMethod method;
  std::string_view name;
  std::string_view doc;
  const Cleaner& (*cleaner)();
};
// Without `none`.
std::span<const CleanerInfo> cleaner_table();
// Null for `none`.
const Cleaner* cleaner_of(CleanMethod method);

std::string_view name_of(CleanMethod method);
std::string_view name_of(DocumentType type);

// Whether a document of this grade is of the type.
inline bool is_of_type(float grade, DocumentType type, double negative_grade) {
  return type == DocumentType::kAll ||
         (type == DocumentType::kPos) == is_relevant(grade, negative_grade);
}

}  // namespace glassrank
