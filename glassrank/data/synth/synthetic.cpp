#include "glassrank/data/synth/synthetic.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/elementary.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/synth/grading.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerBlock = 1024;  // a multiple of the 64 rows that are made together

// Documents of one query, at least 1: the mean itself, gamma with shape 3 (a sum of three
// exponentials), or log-normal with sigma 1; both cut off far above the mean.
std::size_t query_size(const SyntheticParams& params, const CounterRandom& random,
                       std::uint64_t query) {
  const double mean = params.documents_per_query;
  double size = mean;
  if (params.sizes == QuerySizes::kGamma) {
    double product = 1;
    for (std::uint64_t i = 0; i < 3; ++i) product *= 1 - random.uniform(3 * query + i);
    size = std::min(-portable_log(product) / 3, 8.0) * mean;
  } else if (params.sizes == QuerySizes::kLongTailed) {
    size = std::min(portable_exp(random.normal(query) - 0.5), 50.0) * mean;
  }
  return static_cast<std::size_t>(std::max(std::llround(size), 1LL));
}

QueryGroups make_queries(const SyntheticParams& params, const Context& context) {
  const CounterRandom random(context.seed, "synthetic query sizes");
  const auto wanted_rows = static_cast<std::size_t>(params.rows);
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::size_t num_rows = 0;
  while (wanted_rows > 0 ? num_rows < wanted_rows
                         : sizes.size() < static_cast<std::size_t>(params.queries)) {
    if (sizes.size() % 4096 == 0) context.check_stop();
    std::size_t size = query_size(params, random, sizes.size());
    if (wanted_rows > 0) size = std::min(size, wanted_rows - num_rows);
    num_rows += size;
    check_num_rows(num_rows);
    sizes.push_back(size);
    ids.push_back(fmt::format("{}", sizes.size()));
  }
  return QueryGroups(std::move(ids), sizes);
}

std::shared_ptr<RowTable> make_table(const SyntheticParams& params, const Context& context) {
  auto table = std::make_shared<RowTable>();
  table->queries = make_queries(params, context);
  table->grades.resize(table->queries.num_rows());
  for (int f = 1; f <= params.features; ++f) table->schema.add_feature(fmt::format("{}", f));
  return table;
}

}  // namespace

SyntheticSource::SyntheticSource(const SyntheticParams& params, const Context& context)
    : params_(resolve(params)),
      truth_(make_truth(params_, context.seed)),
      table_(make_table(params_, context)),
      values_(truth_, table_->queries, context.seed),
      utilities_(table_->num_rows()) {
  grade_rows(context);
  if (params_.label_noise > 0) {
    std::vector<float> levels(params_.grade_shares.size());
    for (std::size_t g = 0; g < levels.size(); ++g) levels[g] = static_cast<float>(g);
    flips_ =
        flip_grades(table_->grades, levels, {.probability = params_.label_noise}, context.seed);
  }
}

void SyntheticSource::grade_rows(const Context& context) {
  const std::size_t num_rows = table_->num_rows();
  std::vector<float> noisy(num_rows);
  parallel_for(context, num_rows, kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    values_.utilities(begin, end - begin, &utilities_[begin], &noisy[begin]);
    for (std::size_t r = begin; r < end; ++r) noisy[r] += utilities_[r];
  });
  if (params_.grading == Grading::kWithinQuery) {
    grade_within_queries(noisy, table_->queries, params_.grade_shares, context, table_->grades);
    return;
  }
  thresholds_ = grade_thresholds(noisy, params_.grade_shares);
  for (std::size_t r = 0; r < num_rows; ++r) table_->grades[r] = grade_of(noisy[r], thresholds_);
}

void SyntheticSource::pass(const Context& context, RowSink& sink) const {
  parallel_for(context, table_->num_rows(), kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    float* rows = sink.begin_block(begin, end - begin);
    values_.rows(begin, end - begin, rows);
    sink.end_block(begin, end - begin, rows);
  });
}

Dataset SyntheticSource::queries(std::size_t first_query, std::size_t end_query,
                                 const Context& context) const {
  const auto offsets = table_->queries.offsets();
  const std::size_t first_row = offsets[first_query];
  const std::size_t num_rows = offsets[end_query] - first_row;
  DatasetParts parts;
  parts.features = Buffer<float>(num_rows * table_->num_features());
  parallel_for(context, num_rows, kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    values_.rows(first_row + begin, end - begin,
                 parts.features.data() + begin * table_->num_features());
  });
  const auto grades = table_->grades.begin() + static_cast<std::ptrdiff_t>(first_row);
  parts.grades.assign(grades, grades + static_cast<std::ptrdiff_t>(num_rows));
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  for (std::size_t q = first_query; q < end_query; ++q) {
    ids.push_back(table_->queries.id(q));
    sizes.push_back(table_->queries.rows(q).size());
  }
  parts.queries = QueryGroups(std::move(ids), sizes);
  parts.schema = table_->schema;
  return Dataset(std::move(parts));
}

Dataset make_synthetic(const SyntheticParams& params, const Context& context) {
  const SyntheticSource source(params, context);
  return source.queries(0, source.table().queries.num_queries(), context);
}

}  // namespace glassrank
