#include "glassrank/explain/global/individual_curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "glassrank/base/random.h"
#include "glassrank/explain/global/partial_dependence.h"

namespace glassrank {
namespace {

std::vector<std::uint32_t> drawn_rows(std::size_t available, std::size_t wanted,
                                      std::uint64_t seed) {
  std::vector<std::uint32_t> rows(available);
  std::iota(rows.begin(), rows.end(), 0U);
  if (wanted >= available) return rows;
  RandomSequence random(CounterRandom(seed, "individual curves"));
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(rows[i], rows[i + random.below(available - i)]);
  }
  rows.resize(wanted);
  std::ranges::sort(rows);
  return rows;
}

// The mean score of the query of every chosen row.
std::vector<double> query_means(const Subject& subject, std::span<const std::uint32_t> rows,
                                const Context& context) {
  const Dataset& data = subject.background;
  const std::vector<std::uint32_t> queries = data.queries().query_of_rows();
  std::vector<double> means;
  std::vector<double> scores;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t query = queries[rows[i]];
    if (i > 0 && queries[rows[i - 1]] == query) {
      means.push_back(means.back());
      continue;
    }
    const RowRange range = data.queries().rows(query);
    scores.resize(range.size());
    subject.scorer.score({data.row(range.begin).data(), range.size(), data.num_features()}, scores,
                         context);
    means.push_back(std::accumulate(scores.begin(), scores.end(), 0.0) /
                    static_cast<double>(scores.size()));
  }
  return means;
}

// Over the values that the rows of the data have.
double mean_of_curve(std::span<const double> curve, const DependenceAxis& axis) {
  double sum = 0;
  double total = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    sum += axis.weights[i] * curve[i];
    total += axis.weights[i];
  }
  return total > 0 ? sum / total : 0;
}

}  // namespace

void add_individual_curves(const Subject& subject, std::size_t num_documents, Dependence& result,
                           const Context& context) {
  const Dataset& data = subject.background;
  const DependenceAxis& axis = result.axes[0];
  const std::vector<std::uint32_t> rows = drawn_rows(data.num_rows(), num_documents, context.seed);
  const std::size_t width = data.num_features();
  std::vector<float> values;
  for (const std::uint32_t row : rows) {
    values.insert(values.end(), data.row(row).begin(), data.row(row).end());
  }
  const MatrixView<const float> documents(values.data(), rows.size(), width);
  std::vector<double> own(rows.size());
  subject.scorer.score(documents, own, context);
  const PointGrid grid{{axis.index}, {axis.values()}};
  const std::vector<double> scores = scores_at(subject.scorer, grid, documents, context);
  const std::vector<double> means = result.centre == Centring::kQuery
                                        ? query_means(subject, rows, context)
                                        : std::vector<double>(rows.size());
  const std::vector<std::uint32_t> queries = data.queries().query_of_rows();
  result.num_rows = rows.size();
  result.values.assign(axis.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    IceCurve curve{.query = data.queries().id(queries[rows[i]]),
                   .document = data.document_name(rows[i]),
                   .value = data.row(rows[i])[axis.index],
                   .values = {}};
    for (std::size_t p = 0; p < axis.size(); ++p) {
      curve.values.push_back(scores[p * rows.size() + i]);
    }
    const double off =
        result.centre == Centring::kMean ? mean_of_curve(curve.values, axis) : means[i];
    curve.score = own[i] - off;
    for (double& value : curve.values) value -= off;
    for (std::size_t p = 0; p < axis.size(); ++p) {
      result.values[p] += curve.values[p] / static_cast<double>(rows.size());
    }
    result.curves.push_back(std::move(curve));
  }
}

}  // namespace glassrank
