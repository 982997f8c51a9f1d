#pragma once
// What a metric's name leaves open, as one value: two tools print different NDCG@10 for the same
// ranking because they differ on these axes.
//
// Every axis is a parameter of the same name (gain, empty, ties, ...), a preset is a named setting
// of all of them. The axes as each peer has them were read from its source; tests/compat compares
// the presets with the live tools, but for ranklib and rankeval, which no package offers.
//
// To add a preset: 1. add a line to kPresets in convention.cpp; 2. compare it with the live tool
// in tests/compat/test_metric_parity.py; 3. run tools/generate_reference.py.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/metrics/gain.h"

namespace glassrank {

// The order of documents with equal scores.
enum class Ties {
  kInput,       // as in the input
  kReverse,     // later in the input first
  kDocumentId,  // document id descending, byte by byte (trec_eval)
  kWorst,       // lower grade first
  kAverage,     // the expected value over all orders (McSherry & Najork 2008)
};

// How many digits of a score are compared.
enum class ScorePrecision {
  kFloat64,
  kFloat32,  // scores are rounded first, which can make more of them equal (trec_eval, XGBoost)
};

// What average precision at k is divided by; R is the number of relevant documents.
enum class ApDivisor { kRelevant, kRelevantOrCutoff, kHits };

// What precision at k is divided by, for a list of n < k documents.
enum class PrecisionDivisor { kCutoff, kDocuments };

// The value of a query without a relevant document, for metrics that would be 0/0 there: ndcg, map,
// r, rprec, bpref, auc, kendall. The others (dcg, err, mrr, p, pfound, rbp, success) are 0 for it;
// judged does not look at relevance. `skip` leaves the query out of the means of all of them but
// judged.
struct EmptyQuery {
  bool skip = false;
  double value = 1.0;
  bool operator==(const EmptyQuery&) const = default;
};

// Average precision when a query has relevant documents, but none among the first k.
enum class NoHits {
  kZero,
  kEmpty,  // as a query without relevant documents (RankEval)
};

// Probability that a reader is satisfied by a document: err and pfound.
enum class StopProbability {
  kExponential,  // (2^grade - 1) / 2^max
  kGrade,        // the grade is the probability (CatBoost)
};

struct Convention {
  std::string name = "glassrank";
  GainKind gain = GainKind::kExponential;
  std::vector<double> gain_table = {};
  EmptyQuery empty = {};
  // "same", or what `empty` is for these two alone.
  std::string map_empty = "same";
  std::string r_empty = "same";
  Ties ties = Ties::kInput;
  ScorePrecision score_precision = ScorePrecision::kFloat64;
  ApDivisor ap_divisor = ApDivisor::kRelevant;
  NoHits map_no_hits = NoHits::kZero;
  PrecisionDivisor precision_divisor = PrecisionDivisor::kCutoff;
  double relevant_grade = 1.0;
  StopProbability stop = StopProbability::kExponential;
  double max_grade = 4.0;  // of err and pfound; 0: the largest of each query

  void visit(ParamVisitor& visitor);
};

template <>
struct EnumNames<GainKind> {
  static std::span<const std::pair<std::string_view, GainKind>> table();
};
template <>
struct EnumNames<Ties> {
  static std::span<const std::pair<std::string_view, Ties>> table();
};
template <>
struct EnumNames<ScorePrecision> {
  static std::span<const std::pair<std::string_view, ScorePrecision>> table();
};
template <>
struct EnumNames<ApDivisor> {
  static std::span<const std::pair<std::string_view, ApDivisor>> table();
};
template <>
struct EnumNames<PrecisionDivisor> {
  static std::span<const std::pair<std::string_view, PrecisionDivisor>> table();
};
template <>
struct EnumNames<NoHits> {
  static std::span<const std::pair<std::string_view, NoHits>> table();
};
template <>
struct EnumNames<StopProbability> {
  static std::span<const std::pair<std::string_view, StopProbability>> table();
};

// "skip" or a number; throws Error{kUsage}.
EmptyQuery parse_empty_query(std::string_view text);
std::string to_text(const EmptyQuery& empty);

struct ConventionInfo {
  std::string_view name;
  std::string_view doc;
  Convention (*make)();
};
std::span<const ConventionInfo> convention_table();

// A preset by name; throws Error{kUsage} with the nearest name.
Convention find_convention(std::string_view name);

// "lightgbm: gain exp, empty 1, ties input, ..." with every axis; a preset with changed axes is
// called "lightgbm, changed".
std::string to_text(const Convention& convention);

// A preset and the axes that differ from it: what a command line or config file can say.
struct ConventionChoice {
  std::string convention = "glassrank";
  // (axis, value as text); empty text: as in the preset.
  using Axis = std::pair<std::string, std::string>;
  std::vector<Axis> axes;

  ConventionChoice();
  void visit(ParamVisitor& visitor);
  // Throws Error{kUsage} for a value an axis cannot take.
  Convention resolve() const;
};

}  // namespace glassrank
