#include "glassrank/methods/cleaners/isolation_cleaner.h"

#include <array>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/data/shard.h"
#include "glassrank/methods/cleaners/isolation_forest.h"

namespace glassrank {
namespace {

constexpr std::array kIsolationTypes = {DocumentType::kNeg, DocumentType::kPos, DocumentType::kAll};
constexpr std::array kIsolationShares = {0.01, 0.02, 0.05, 0.1};

std::vector<float> anomaly_scores(const Dataset& data, const CleanParams& params,
                                  const Context& context) {
  const IsolationForest forest(
      data.features(), shard_of(data.queries(), *context.communicator),
      {.num_trees = params.num_trees, .sample_rows = params.sample_rows, .height = params.height},
      context);
  return forest.scores(data.features(), context);
}

// Of the rows of this machine, those that are anomalous among the rows of all.
std::vector<std::uint32_t> own_anomalous_rows(std::span<const float> scores, const Shard& shard,
                                              const AnomalyRule& rule, const Context& context) {
  std::vector<std::uint32_t> own;
  for (const std::uint32_t row :
       anomalous_rows(gather_values(*context.communicator, scores), rule)) {
    if (row < shard.first_row || row >= shard.first_row + scores.size()) continue;
    own.push_back(static_cast<std::uint32_t>(row - shard.first_row));
  }
  return own;
}

Cleaning pick(const Dataset& data, CleanParams params, std::span<const float> scores,
              const Context& context) {
  const Shard shard = shard_of(data.queries(), *context.communicator);
  params.tune = false;
  Cleaning cleaning{.params = params, .dropped = {}};
  // A share is taken from the documents that may be dropped: scores are above 0.
  std::vector<float> of_type(scores.begin(), scores.end());
  for (std::size_t row = 0; row < of_type.size(); ++row) {
    if (!is_of_type(data.grades()[row], params.type, params.negative_grade)) of_type[row] = -1;
  }
  const AnomalyRule rule{.threshold = params.threshold, .contamination = params.contamination};
  for (const std::uint32_t row : own_anomalous_rows(of_type, shard, rule, context)) {
    if (is_of_type(data.grades()[row], params.type, params.negative_grade)) {
      cleaning.dropped.push_back({.row = row, .evidence = scores[row]});
    }
  }
  cleaning.num_dropped = count_everywhere(cleaning.dropped.size(), context);
  const std::string which =
      params.contamination > 0
          ? fmt::format("highest scores, {} of all", params.contamination.value)
          : fmt::format("score above {}", params.threshold.value);
  cleaning.summary = fmt::format(
      "isolation-forest {}, {}: {} of {} documents ({:.2f} %) dropped", name_of(params.type), which,
      cleaning.num_dropped, shard.num_rows,
      100.0 * static_cast<double>(cleaning.num_dropped) / static_cast<double>(shard.num_rows));
  return cleaning;
}

class IsolationCleaner final : public Cleaner {
 public:
  CleanerTraits traits() const override {
    return {.needs_values = true, .evidence = "anomaly_score"};
  }
  std::span<const std::string_view> params() const override {
    static constexpr std::array<std::string_view, 7> kParams = {
        "type",   "negative_grade", "num_trees",    "sample_rows",
        "height", "threshold",      "contamination"};
    return kParams;
  }
  Cleaning clean(const CleanInput& input, const CleanParams& params,
                 const Context& context) const override {
    return clean_by_isolation(input.values, params, context);
  }
  std::vector<Cleaning> grid(const CleanInput& input, const CleanParams& params,
                             const Context& context) const override {
    return isolation_grid(input.values, params, context);
  }
};

}  // namespace

Cleaning clean_by_isolation(const Dataset& data, const CleanParams& params,
                            const Context& context) {
  return pick(data, params, anomaly_scores(data, params, context), context);
}

std::vector<Cleaning> isolation_grid(const Dataset& data, const CleanParams& given,
                                     const Context& context) {
  const std::vector<float> scores = anomaly_scores(data, given, context);
  std::vector<DocumentType> types(kIsolationTypes.begin(), kIsolationTypes.end());
  if (given.type.is_given) types = {given.type};
  // By the threshold alone (0), or the highest of the scores.
  std::vector<double> shares = {0};
  if (given.contamination.is_given) {
    shares = {given.contamination};
  } else if (!given.threshold.is_given) {
    shares.insert(shares.end(), kIsolationShares.begin(), kIsolationShares.end());
  }
  std::vector<Cleaning> grid;
  CleanParams params = given;
  for (const DocumentType type : types) {
    params.type = type;
    for (const double share : shares) {
      params.contamination = share;
      grid.push_back(pick(data, params, scores, context));
    }
  }
  return grid;
}

const Cleaner& isolation_cleaner() {
  static const IsolationCleaner cleaner;
  return cleaner;
}

}  // namespace glassrank
