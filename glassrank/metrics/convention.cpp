#include "glassrank/metrics/convention.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {
namespace {

constexpr std::pair<std::string_view, GainKind> kGainNames[] = {
    {"exp", GainKind::kExponential}, {"linear", GainKind::kLinear}, {"table", GainKind::kTable}};
constexpr std::pair<std::string_view, Ties> kTiesNames[] = {{"input", Ties::kInput},
                                                            {"reverse", Ties::kReverse},
                                                            {"docid", Ties::kDocumentId},
                                                            {"worst", Ties::kWorst},
                                                            {"average", Ties::kAverage}};
constexpr std::pair<std::string_view, ScorePrecision> kScorePrecisionNames[] = {
    {"float64", ScorePrecision::kFloat64}, {"float32", ScorePrecision::kFloat32}};
constexpr std::pair<std::string_view, ApDivisor> kApDivisorNames[] = {
    {"R", ApDivisor::kRelevant},
    {"min(R,k)", ApDivisor::kRelevantOrCutoff},
    {"hits", ApDivisor::kHits}};
constexpr std::pair<std::string_view, PrecisionDivisor> kPrecisionDivisorNames[] = {
    {"k", PrecisionDivisor::kCutoff}, {"min(k,n)", PrecisionDivisor::kDocuments}};
constexpr std::pair<std::string_view, NoHits> kNoHitsNames[] = {{"zero", NoHits::kZero},
                                                                {"empty", NoHits::kEmpty}};
constexpr std::pair<std::string_view, StopProbability> kStopNames[] = {
    {"exp", StopProbability::kExponential}, {"grade", StopProbability::kGrade}};

Convention glassrank_convention() { return {}; }

Convention lightgbm_convention() {
  return {.name = "lightgbm", .ap_divisor = ApDivisor::kRelevantOrCutoff};
}

Convention xgboost_convention() {
  return {.name = "xgboost",
          .score_precision = ScorePrecision::kFloat32,
          .ap_divisor = ApDivisor::kRelevantOrCutoff,
          .precision_divisor = PrecisionDivisor::kDocuments};
}

Convention catboost_convention() {
  return {.name = "catboost",
          .gain = GainKind::kLinear,
          .map_empty = "0",
          .ties = Ties::kWorst,
          .ap_divisor = ApDivisor::kRelevantOrCutoff,
          .precision_divisor = PrecisionDivisor::kDocuments,
          .stop = StopProbability::kGrade};
}

Convention ranklib_convention() { return {.name = "ranklib", .empty = {.value = 0.0}}; }

Convention rankeval_convention() {
  return {.name = "rankeval",
          .r_empty = "0",
          .ties = Ties::kReverse,
          .ap_divisor = ApDivisor::kRelevantOrCutoff,
          .map_no_hits = NoHits::kEmpty,
          .precision_divisor = PrecisionDivisor::kDocuments,
          .max_grade = 0.0};
}

Convention trec_eval_convention() {
  return {.name = "trec_eval",
          .gain = GainKind::kLinear,
          .empty = {.value = 0.0},
          .ties = Ties::kDocumentId,
          .score_precision = ScorePrecision::kFloat32};
}

Convention sklearn_convention() {
  return {.name = "sklearn",
          .gain = GainKind::kLinear,
          .empty = {.value = 0.0},
          .ties = Ties::kAverage};
}

constexpr ConventionInfo kPresets[] = {
    {"glassrank", "exponential gain, 1 for empty queries, ties in input order",
     glassrank_convention},
    {"lightgbm", "as LightGBM's ndcg and map", lightgbm_convention},
    {"xgboost", "as XGBoost's ndcg, map and pre (its ndcg@k- is --empty 0)", xgboost_convention},
    {"catboost", "as CatBoost: linear gain, lower grade first among ties", catboost_convention},
    {"ranklib", "as RankLib: exponential gain, 0 for empty queries", ranklib_convention},
    {"rankeval", "as RankEval: later document first among ties, err by each query's largest grade",
     rankeval_convention},
    {"trec_eval", "as trec_eval, pytrec_eval: linear gain, 0 for empty queries, ties by document",
     trec_eval_convention},
    {"sklearn", "as scikit-learn: linear gain, 0 for empty queries, ties averaged",
     sklearn_convention},
};

}  // namespace

std::span<const std::pair<std::string_view, GainKind>> EnumNames<GainKind>::table() {
  return kGainNames;
}
std::span<const std::pair<std::string_view, Ties>> EnumNames<Ties>::table() { return kTiesNames; }
std::span<const std::pair<std::string_view, ScorePrecision>> EnumNames<ScorePrecision>::table() {
  return kScorePrecisionNames;
}
std::span<const std::pair<std::string_view, ApDivisor>> EnumNames<ApDivisor>::table() {
  return kApDivisorNames;
}
std::span<const std::pair<std::string_view, PrecisionDivisor>>
EnumNames<PrecisionDivisor>::table() {
  return kPrecisionDivisorNames;
}
std::span<const std::pair<std::string_view, NoHits>> EnumNames<NoHits>::table() {
  return kNoHitsNames;
}
std::span<const std::pair<std::string_view, StopProbability>> EnumNames<StopProbability>::table() {
  return kStopNames;
}

EmptyQuery parse_empty_query(std::string_view text) {
  if (text == "skip") return {.skip = true, .value = 0.0};
  EmptyQuery empty;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, empty.value);
  if (error != std::errc{} || end != last || !std::isfinite(empty.value)) {
    fail(ErrorKind::kUsage, "the value of empty queries must be a number or 'skip', not '{}'",
         text);
  }
  return empty;
}

std::string to_text(const EmptyQuery& empty) {
  return empty.skip ? "skip" : fmt::format("{}", empty.value);
}

void Convention::visit(ParamVisitor& visitor) {
  visitor.field("gain", gain,
                "gain of a grade in dcg and ndcg: 2^grade - 1, the grade, or gain_table");
  visitor.field("gain_table", gain_table, "gains of grades 0, 1, 2, ... for gain = table",
                kNotNegative);
  std::string empty_text = to_text(empty);
  visitor.field("empty", empty_text,
                "value of a query without relevant documents: a number, or skip to leave it out");
  empty = parse_empty_query(empty_text);
  visitor.field("map_empty", map_empty,
                "value of such a query in map: same (as `empty`), a number, or skip");
  if (map_empty != "same") parse_empty_query(map_empty);
  visitor.field("r_empty", r_empty,
                "value of such a query in r: same (as `empty`), a number, or skip");
  if (r_empty != "same") parse_empty_query(r_empty);
  visitor.field("ties", ties, "order of documents with equal scores");
  visitor.field("score_precision", score_precision,
                "float32 rounds scores first, which can make more scores equal");
  visitor.field("ap_divisor", ap_divisor,
                "divisor of average precision at k; R is the number of relevant documents");
  visitor.field(
      "map_no_hits", map_no_hits,
      "value of map when all relevant documents are beyond the cutoff: zero, or as `empty`");
  visitor.field("precision_divisor", precision_divisor,
                "divisor of precision at k in lists of n < k documents");
  visitor.field("relevant_grade", relevant_grade,
                "smallest grade that is relevant to p, r, map, mrr, rbp, auc", kPositive);
  visitor.field("stop", stop,
                "satisfaction probability in err and pfound: (2^grade - 1)/2^max, or the grade");
  visitor.field("max_grade", max_grade,
                "largest grade of the scale, for err and pfound; 0 is the largest of each query",
                kNotNegative);
}

std::span<const ConventionInfo> convention_table() { return kPresets; }

Convention find_convention(std::string_view name) {
  for (const ConventionInfo& preset : kPresets) {
    if (preset.name == name) return preset.make();
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("convention", name, names_in(kPresets)));
}

std::string to_text(const Convention& convention) {
  const auto preset = list_params(find_convention(convention.name));
  const auto infos = list_params(convention);
  bool changed = false;
  std::string axes;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    changed |= infos[i].value != preset[i].value;
    if (infos[i].value.empty()) continue;
    axes += fmt::format("{}{} {}", axes.empty() ? "" : ", ", infos[i].name, infos[i].value);
  }
  return fmt::format("{}{}: {}", convention.name, changed ? ", changed" : "", axes);
}

ConventionChoice::ConventionChoice() {
  for (const ParamInfo& info : list_params(Convention{})) axes.emplace_back(info.name, "");
}

void ConventionChoice::visit(ParamVisitor& visitor) {
  visitor.field("convention", convention,
                "the tool whose definitions to use; the options below override single choices",
                names_in(kPresets));
  for (const ParamInfo& info : list_params(Convention{})) {
    std::string& text = std::ranges::find(axes, info.name, &Axis::first)->second;
    if (info.choices.empty()) {
      visitor.field(info.name, text, info.doc);
    } else {
      visitor.field(info.name, text, info.doc, info.choices);
    }
  }
}

Convention ConventionChoice::resolve() const {
  Convention result = find_convention(convention);
  for (const auto& [name, text] : axes) {
    if (text.empty()) continue;
    std::vector<std::string> values = {text};
    if (name == "gain_table") {
      values.clear();
      for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        values.push_back(text.substr(begin, end - begin));
        begin = end + 1;
      }
    }
    set_param(result, name, std::move(values));
  }
  if (result.gain == GainKind::kTable && result.gain_table.empty()) {
    fail(ErrorKind::kUsage, "gain = table needs gain_table, for example gain_table = 0,1,3,7,15");
  }
  if (result.gain != GainKind::kTable && !result.gain_table.empty()) {
    fail(ErrorKind::kUsage, "gain_table is for gain = table only; set gain = table too");
  }
  return result;
}

}  // namespace glassrank
