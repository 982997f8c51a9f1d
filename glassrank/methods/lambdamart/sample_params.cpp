#include "glassrank/methods/lambdamart/sample_params.h"

#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/boosting/sampling/negative_sampling.h"

namespace glassrank {
namespace {

constexpr SamplerInfo kSamplers[] = {
    {SampleMethod::kNone, "none", "every row"},
    {SampleMethod::kRows, "rows", "a share of the rows, drawn at random"},
    {SampleMethod::kQueries, "queries", "a share of the queries, drawn at random"},
    {SampleMethod::kGoss, "goss", "the rows with the largest gradients and a share of the others"},
    {SampleMethod::kSelective, "selective",
     "positives, and the negatives that score highest (SelGB)"},
    {SampleMethod::kHighLow, "high-low",
     "positives, and the negatives that score highest and lowest (High_Low_Sampl)"},
    {SampleMethod::kRandomNegatives, "random-negatives",
     "positives, and negatives drawn at random in every query"}};

constexpr double kOwnDefault = -1;

// The factors the sampler uses, the others 0.
NegativeFactors factors_of(const SampleParams& params) {
  const bool is_random = params.method == SampleMethod::kRandomNegatives;
  const bool is_high_low = params.method == SampleMethod::kHighLow;
  double random = params.random;
  if (random == kOwnDefault) random = is_random ? 0.2 : 0;
  return {.top = is_random ? 0 : params.top,
          .bottom = is_high_low ? params.bottom : 0,
          .random = is_high_low ? 0 : random};
}

void check_factors(const SampleParams& params, const NegativeFactors& factors) {
  const std::pair<const char*, double> named[] = {
      {"top", factors.top}, {"bottom", factors.bottom}, {"random", factors.random}};
  for (const auto& [name, factor] : named) {
    if (factor < 0) {
      fail(ErrorKind::kUsage, "sample.{} = {} is out of range; it must be x >= 0", name, factor);
    }
    if (factor > 1 && params.count == NegativeBase::kRatio) {
      fail(ErrorKind::kUsage,
           "sample.{} = {} is a share of the negatives; it must be 0 <= x <= 1 (more goes with "
           "sample.count multiple or positives)",
           name, factor);
    }
  }
  if (factors.top + factors.bottom + factors.random == 0 && params.min_negatives == 0) {
    fail(ErrorKind::kUsage, "sampling would keep no negatives: {} 0 and sample.min_negatives is 0",
         params.method == SampleMethod::kRandomNegatives ? "sample.random is"
         : params.method == SampleMethod::kHighLow       ? "sample.top and sample.bottom are"
                                                         : "sample.top and sample.random are");
  }
}

std::unique_ptr<Sampler> make_negative_sampling(const SampleParams& params) {
  const NegativeFactors factors = factors_of(params);
  check_factors(params, factors);
  return std::make_unique<NegativeSampling>(
      NegativeSamplingParams{.factors = factors,
                             .base = params.count,
                             .rounding = params.rounding,
                             .min_negatives = static_cast<std::size_t>(params.min_negatives),
                             .negative_grade = params.negative_grade,
                             .every = static_cast<std::size_t>(params.every),
                             .adaptive = params.adaptive,
                             .window = static_cast<std::size_t>(params.window)});
}

std::unique_ptr<Sampler> make_goss(const SampleParams& params) {
  const double sum = params.top + params.other;
  if (sum > 1 || sum == 0) {
    fail(ErrorKind::kUsage,
         "sample.top {} and sample.other {} add up to {}; goss needs more than 0 and at most 1",
         params.top, params.other, sum);
  }
  return std::make_unique<Goss>(GossParams{.top = params.top, .other = params.other});
}

}  // namespace

std::span<const SamplerInfo> sampler_table() { return kSamplers; }

std::span<const ParamUse> sample_uses() {
  static const std::vector<std::string_view> kNegatives = {"selective", "high-low",
                                                           "random-negatives"};
  static const std::vector<ParamUse> uses = {
      {"fraction", "method", {"rows", "queries"}},
      {"every", "method", {"rows", "queries", "selective", "high-low", "random-negatives"}},
      {"top", "method", {"goss", "selective", "high-low"}},
      {"other", "method", {"goss"}},
      {"bottom", "method", {"high-low"}},
      {"random", "method", {"selective", "random-negatives"}},
      {"count", "method", kNegatives},
      {"rounding", "method", kNegatives},
      {"min_negatives", "method", kNegatives},
      {"negative_grade", "method", kNegatives},
      {"adaptive", "method", {"selective"}},
      {"window", "method", {"selective"}},
      {"window", "adaptive", {"fixed", "ratio", "mix"}}};
  return uses;
}

std::span<const std::pair<std::string_view, SampleMethod>> EnumNames<SampleMethod>::table() {
  static const std::vector<std::pair<std::string_view, SampleMethod>> all = [] {
    std::vector<std::pair<std::string_view, SampleMethod>> names;
    for (const SamplerInfo& info : kSamplers) names.emplace_back(info.name, info.method);
    return names;
  }();
  return all;
}

void SampleParams::visit(ParamVisitor& visitor) {
  visitor.field("method", method,
                "rows that a tree is grown on: all, a share of the rows or of the queries, GOSS, "
                "or every query's positives and some of its negatives (glassrank list samplers)",
                {.alias = "sample"});
  visitor.section("advanced");
  visitor.field("fraction", fraction, "share that rows and queries draw",
                Range{.low = 0, .high = 1, .open_low = true});
  visitor.field("every", every,
                "draw a new sample every N rounds; the first N rounds use all negatives",
                Range{.low = 1});
  visitor.field("top", top,
                "goss: share of the rows to keep for their large gradients; selective, high-low: "
                "share of negatives to keep for their high scores (sample.count says of what)",
                kNotNegative);
  visitor.field("other", other, "goss: share of all rows that is drawn from the rest", kShare);
  visitor.field("bottom", bottom, "high-low: share of negatives to keep for their low scores",
                kNotNegative);
  visitor.field("random", random,
                "random-negatives, selective: share of negatives to draw from the rest; -1 is 0.2 "
                "for random-negatives and 0 for selective",
                Range{.low = -1});
  visitor.field("count", count,
                "what top, bottom and random are shares of: the query's negatives "
                "(ratio; a share, at most 1), its positives (multiple), or its negatives above the "
                "last positive (positives)");
  visitor.field("rounding", rounding, "rounding of the numbers of negatives");
  visitor.field("min_negatives", min_negatives,
                "minimum number of negatives to keep in a query that has them", kNotNegative);
  visitor.field("negative_grade", negative_grade, "documents up to this grade are negatives",
                kNotNegative);
  visitor.field(
      "adaptive", adaptive,
      "selective: shares the negatives out anew each round, by how many of the last "
      "rounds set a new best; fixed and mix take random ones after many of them and the "
      "highest ones after none; ratio and mix replace some of the highest by random ones");
  visitor.field("window", window, "number of rounds that adaptive looks at", Range{.low = 1});
}

std::unique_ptr<Sampler> make_sampler(const SampleParams& params) {
  check_params("sample", params);
  if (params.adaptive != AdaptiveStrategy::kNone && params.method != SampleMethod::kSelective) {
    fail(ErrorKind::kUsage, "sample.adaptive goes with sample.method selective only");
  }
  switch (params.method) {
    case SampleMethod::kRows:
      return std::make_unique<RowBagging>(
          BaggingParams{.fraction = params.fraction, .every = params.every});
    case SampleMethod::kQueries:
      return std::make_unique<QueryBagging>(
          BaggingParams{.fraction = params.fraction, .every = params.every});
    case SampleMethod::kGoss:
      return make_goss(params);
    case SampleMethod::kSelective:
    case SampleMethod::kHighLow:
    case SampleMethod::kRandomNegatives:
      return make_negative_sampling(params);
    case SampleMethod::kNone:
      break;
  }
  return nullptr;
}

}  // namespace glassrank
