#include "glassrank/methods/training/round_metrics.h"

#include <memory>

#include <fmt/format.h>

#include "glassrank/metrics/evaluate.h"

namespace glassrank {
namespace {

// Binned data ranked by one score per row; it has no document ids, so places stand for names.
class BinnedLists final : public ListSource {
 public:
  BinnedLists(const BinnedDataset& data, std::span<const double> scores)
      : data_(data), scores_(scores) {}

  std::size_t num_queries() const override { return data_.num_queries(); }
  RankedList list(std::size_t query, bool, std::vector<std::string_view>& ids) const override {
    const RowRange rows = data_.queries().rows(query);
    ids.clear();
    return {.scores = scores_.subspan(rows.begin, rows.size()),
            .grades = data_.grades().subspan(rows.begin, rows.size()),
            .document_ids = ids,
            .missed_grades = {}};
  }
  std::string query_name(std::size_t query) const override { return data_.queries().id(query); }
  std::string document_name(std::size_t, std::size_t slot) const override {
    return std::to_string(slot + 1);
  }

 private:
  const BinnedDataset& data_;
  std::span<const double> scores_;
};

}  // namespace

std::vector<RoundMetric> round_metrics(const std::string& set_name, std::size_t set,
                                       std::span<const MetricSpec> specs,
                                       const Convention& convention) {
  const std::vector<MetricSpec> all(specs.begin(), specs.end());
  const auto means = std::make_shared<std::vector<double>>(all.size());
  std::vector<RoundMetric> metrics;
  for (std::size_t m = 0; m < all.size(); ++m) {
    const auto value = [all, means, m, convention](const BinnedDataset& data,
                                                   std::span<const double> scores,
                                                   const Context& context) {
      if (m == 0) {
        const Evaluation found = evaluate(BinnedLists(data, scores), all, convention, context);
        for (std::size_t i = 0; i < all.size(); ++i) {
          const MetricValues& own = found.metrics[i];
          double totals[] = {own.sum, static_cast<double>(own.num_counted)};
          context.communicator->sum(totals);
          (*means)[i] = totals[0] / totals[1];  // NaN when no query counts
        }
      }
      return (*means)[m];
    };
    metrics.push_back(
        {.name = fmt::format("{} {}", set_name, to_text(all[m])), .set = set, .function = value});
  }
  return metrics;
}

}  // namespace glassrank
