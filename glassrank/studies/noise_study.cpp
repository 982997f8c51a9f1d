#include "glassrank/studies/noise_study.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/evaluation/evaluate_model.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cleaned_method.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/metrics/fisher_randomisation.h"
#include "glassrank/models/scorer.h"

namespace glassrank {
namespace {

struct Variant {
  std::string name;
  CleanParams clean;
};

std::vector<Variant> variants_of(const CleanParams& clean, const NoiseStudyParams& study) {
  Variant plain{.name = "plain", .clean = clean};
  plain.clean.method = CleanMethod::kNone;
  plain.clean.tune = false;
  std::vector<Variant> variants = {plain};
  const Cleaner& cleaner = *cleaner_of(clean.method);
  const bool has_start = cleaner.uses("start");
  if (!study.starts.empty() && !has_start) {
    fail(ErrorKind::kUsage, "starts belongs to sour, p-sour and curr-sour; {} has no first round",
         name_of(clean.method));
  }
  std::vector<double> starts = study.starts;
  if (starts.empty()) starts.push_back(clean.start);
  double before = 0;
  for (const double start : starts) {
    if (start != std::floor(start) || start <= before || start > 65534) {
      fail(ErrorKind::kUsage, "starts: {} after {}; starts are whole numbers that ascend", start,
           before);
    }
    before = start;
    Variant cleaned{.name = std::string(name_of(clean.method)), .clean = clean};
    cleaned.clean.start = static_cast<int>(start);
    if (cleaner.traits().follows_rounds) {
      cleaned.name += fmt::format(" {}", name_of(clean.type));
    }
    if (has_start) cleaned.name += fmt::format(" from {}", start);
    variants.push_back(std::move(cleaned));
  }
  return variants;
}

// The study's data of one rate and seed.
struct NoisyData {
  NoisyDataset train;
  NoisyDataset valid;
};

NoisyData flip(const NoiseData& data, double rate, NoiseMode mode, std::uint64_t seed) {
  const NoiseParams noise{.probability = rate, .mode = mode};
  // Rows have one draw each by their number: the two parts need seeds of their own.
  return {.train = add_grade_noise(data.train, noise, 2 * seed),
          .valid = add_grade_noise(data.valid, noise, 2 * seed + 1)};
}

NoiseRun run_once(const NoisyData& noisy, const Dataset& test, const Variant& variant,
                  const LambdamartParams& params, const Context& context) {
  const TrainResult cleaned =
      make_cleaned(make_lambdamart(params), variant.clean)
          ->train({.data = TrainingData(noisy.train.data, noisy.valid.data)}, context);
  if (cleaned.is_interrupted) context.check_stop();
  const std::vector<DroppedRow> dropped_rows =
      cleaned.cleaning ? cleaned.cleaning->dropped : std::vector<DroppedRow>{};
  NoiseRun run{.system = variant.name,
               .values = query_values(*make_scorer(cleaned.model), test,
                                      parse_metric(params.watch.metric.front()), context,
                                      params.watch.convention())};
  run.mean = mean_of(run.values);
  run.num_trees = *cleaned.report.num_trees;
  run.num_flipped = noisy.train.flips.size();
  run.num_dropped = dropped_rows.size();
  const CleanParams& clean = variant.clean;
  for (const float grade : noisy.train.data.grades()) {
    run.num_eligible += is_of_type(grade, clean.type, clean.negative_grade) ? 1 : 0;
  }
  for (const DroppedRow& dropped : dropped_rows) {
    const auto found =
        std::ranges::lower_bound(noisy.train.flips, std::size_t{dropped.row}, {}, &GradeFlip::row);
    if (found != noisy.train.flips.end() && found->row == dropped.row) ++run.num_found;
  }
  return run;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : kNoValue; }

// Per query, over the runs.
std::vector<double> mean_by_query(const std::vector<const NoiseRun*>& runs) {
  std::vector<double> means(runs.front()->values.size());
  for (std::size_t q = 0; q < means.size(); ++q) {
    for (const NoiseRun* run : runs) means[q] += run->values[q];
    means[q] /= static_cast<double>(runs.size());
  }
  return means;
}

NoiseSummary summarise(const std::vector<const NoiseRun*>& runs, std::size_t num_rows) {
  NoiseSummary summary{.rate = runs.front()->rate, .system = runs.front()->system};
  std::vector<double> means;
  double dropped = 0, found = 0, flipped = 0, eligible = 0;
  for (const NoiseRun* run : runs) {
    means.push_back(run->mean);
    dropped += static_cast<double>(run->num_dropped);
    found += static_cast<double>(run->num_found);
    flipped += static_cast<double>(run->num_flipped);
    eligible += static_cast<double>(run->num_eligible);
  }
  const Spread spread = spread_of(means);
  summary.mean = spread.mean;
  summary.deviation = spread.deviation;
  summary.precision = ratio(found, dropped);
  summary.recall = ratio(found, flipped);
  summary.chance = ratio(flipped, eligible);
  summary.dropped = ratio(dropped, static_cast<double>(num_rows * runs.size()));
  return summary;
}

}  // namespace

void NoiseStudyParams::visit(ParamVisitor& visitor) {
  visitor.field("rates", rates, "shares of the grades to flip", Range{.low = 0, .high = 1});
  visitor.field("noise", mode, "which grades are flipped, and to what");
  visitor.field("seeds", seeds, "number of repetitions, each with other flips", Range{.low = 1});
  visitor.field("starts", starts,
                "first rounds of SOUR's window to try; empty tries only --clean.start",
                Range{.low = 1});
  visitor.field("permutations", permutations, "number of random swaps in Fisher's test",
                Range{.low = 1, .high = kMostPermutations});
}

NoiseStudy study_noise(const NoiseData& data, const LambdamartParams& params,
                       const CleanParams& clean, const NoiseStudyParams& study,
                       const Context& context) {
  check_params(study);
  if (clean.method == CleanMethod::kNone) {
    fail(ErrorKind::kUsage, "the noise study needs a cleaner to compare with: --clean sour");
  }
  const std::vector<Variant> variants = variants_of(clean, study);
  const std::unique_ptr<Method> method = make_lambdamart(params);
  for (const Variant& variant : variants) {
    check_clean(variant.clean, clean_setting(*method, true));
  }
  NoiseStudy result{.metric = params.watch.metric.front(),
                    .num_queries = data.test.num_queries(),
                    .runs = {},
                    .summaries = {}};
  for (const double rate : study.rates) {
    // Where nothing is flipped, every seed gives the same models.
    const int num_seeds = rate > 0 ? study.seeds : 1;
    for (int seed = 0; seed < num_seeds; ++seed) {
      const auto number = context.seed + static_cast<std::uint64_t>(seed);
      const NoisyData noisy = flip(data, rate, study.mode, number);
      for (const Variant& variant : variants) {
        result.runs.push_back(run_once(noisy, data.test, variant, params, context));
        result.runs.back().rate = rate;
        result.runs.back().seed = seed;
        context.info(fmt::format("{:g} % flipped, seed {}, {}: {} {:.4f}", 100 * rate, seed,
                                 variant.name, result.metric, result.runs.back().mean));
      }
    }
  }
  result.summaries =
      summarise_noise(result.runs, data.train.num_rows(), study.permutations, context);
  return result;
}

std::vector<NoiseSummary> summarise_noise(const std::vector<NoiseRun>& runs, std::size_t num_rows,
                                          std::uint64_t permutations, const Context& context) {
  std::vector<std::vector<const NoiseRun*>> groups;  // in order of appearance
  for (const NoiseRun& run : runs) {
    const auto same = std::ranges::find_if(groups, [&](const auto& group) {
      return group.front()->rate == run.rate && group.front()->system == run.system;
    });
    if (same == groups.end()) {
      groups.push_back({&run});
    } else {
      same->push_back(&run);
    }
  }
  std::vector<NoiseSummary> summaries;
  for (const auto& group : groups) {
    NoiseSummary summary = summarise(group, num_rows);
    const auto plain = std::ranges::find_if(groups, [&](const auto& other) {
      return other.front()->rate == summary.rate && other.front()->system == "plain";
    });
    if (plain != groups.end() && &*plain != &group) {
      summary.p =
          fisher_randomisation(mean_by_query(group), mean_by_query(*plain), permutations, context)
              .p;
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace glassrank
