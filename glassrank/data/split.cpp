#include "glassrank/data/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"

namespace glassrank {
namespace {

QueryList shuffled_queries(std::size_t num_queries, std::uint64_t seed) {
  QueryList queries(num_queries);
  std::iota(queries.begin(), queries.end(), std::size_t{0});
  RandomSequence(CounterRandom(seed, "split")).shuffle(queries);
  return queries;
}

QueryList ordered_slice(const QueryList& shuffled, std::size_t begin, std::size_t end) {
  QueryList part(shuffled.begin() + begin, shuffled.begin() + end);
  std::ranges::sort(part);
  return part;
}

void append(QueryList& to, const QueryList& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

std::vector<QueryList> split_queries(std::size_t num_queries, std::span<const double> fractions,
                                     std::uint64_t seed) {
  double sum = 0;
  for (const double fraction : fractions) {
    if (!(fraction > 0)) {
      fail(ErrorKind::kUsage, "fraction {} is not positive; leave a part out instead", fraction);
    }
    sum += fraction;
  }
  if (!(std::abs(sum - 1) < 1e-9)) {
    fail(ErrorKind::kUsage, "fractions add up to {}; they must add up to 1", sum);
  }
  const QueryList shuffled = shuffled_queries(num_queries, seed);
  std::vector<QueryList> parts;
  double before = 0;
  std::size_t begin = 0;
  for (const double fraction : fractions) {
    before += fraction;
    const auto end =
        static_cast<std::size_t>(std::llround(static_cast<double>(num_queries) * before));
    if (end == begin) {
      fail(ErrorKind::kInput, "{} queries are too few: part {} with fraction {} would be empty",
           num_queries, parts.size() + 1, fraction);
    }
    parts.push_back(ordered_slice(shuffled, begin, end));
    begin = end;
  }
  return parts;
}

std::vector<Fold> fold_queries(std::size_t num_queries, int num_folds, std::uint64_t seed) {
  if (num_folds < 3) {
    fail(ErrorKind::kUsage, "folds = {}; at least 3 are needed for train, valid and test",
         num_folds);
  }
  const auto k = static_cast<std::size_t>(num_folds);
  if (num_queries < k) {
    fail(ErrorKind::kInput, "{} queries cannot be cut into {} folds", num_queries, k);
  }
  const QueryList shuffled = shuffled_queries(num_queries, seed);
  std::vector<QueryList> parts;
  for (std::size_t i = 0; i < k; ++i) {
    parts.push_back(ordered_slice(shuffled, num_queries * i / k, num_queries * (i + 1) / k));
  }
  std::vector<Fold> folds(k);
  for (std::size_t i = 0; i < k; ++i) {
    folds[i].test = parts[i];
    folds[i].valid = parts[(i + 1) % k];
    for (std::size_t j = 2; j < k; ++j) append(folds[i].train, parts[(i + j) % k]);
    std::ranges::sort(folds[i].train);
  }
  return folds;
}

QueryList own_queries(const QueryList& queries, const QueryGroups& own, const Shard& shard) {
  QueryList part;
  for (const std::size_t query : queries) {
    if (query < shard.first_query || query >= shard.first_query + own.num_queries()) continue;
    part.push_back(query - shard.first_query);
  }
  return part;
}

std::vector<Fold> fold_queries(const QueryGroups& own, int num_folds, const Context& context) {
  const Shard shard = shard_of(own, *context.communicator);
  std::vector<Fold> folds = fold_queries(shard.num_queries, num_folds, context.seed);
  for (Fold& fold : folds) {
    for (QueryList* part : {&fold.train, &fold.valid, &fold.test}) {
      *part = own_queries(*part, own, shard);
    }
  }
  return folds;
}

}  // namespace glassrank
