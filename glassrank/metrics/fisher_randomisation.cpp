#include "glassrank/metrics/fisher_randomisation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"

namespace glassrank {
namespace {

// One Philox block is 128 bits: 16 bytes, each choosing among the 256 swaps of 8 queries.
constexpr std::size_t kGroupQueries = 128;
constexpr std::size_t kTableQueries = 8;
constexpr std::size_t kGroupTables = kGroupQueries / kTableQueries;
using Table = std::array<std::int64_t, 256>;
// A multiple of what one table set is worth building for, small enough to feed many threads.
constexpr std::size_t kBlockPermutations = 2048;

// The non-zero differences on the integer grid; padded with zeros to whole groups.
struct GridDifferences {
  std::vector<std::int64_t> values;
  std::size_t num_different = 0;
  std::int64_t observed = 0;
  std::int64_t tolerance = 0;
};

GridDifferences to_grid(std::span<const double> a, std::span<const double> b) {
  GridDifferences grid;
  double largest = 0;
  double total = 0;
  for (std::size_t q = 0; q < a.size(); ++q) {
    largest = std::max({largest, std::abs(a[q]), std::abs(b[q])});
    total += std::abs(a[q] - b[q]);
  }
  if (total == 0) return grid;
  // frexp: largest < 2^exponent. The step is a power of two, so scaling is exact.
  int largest_exponent = 0;
  int total_exponent = 0;
  std::frexp(largest, &largest_exponent);
  std::frexp(total, &total_exponent);
  const int step_exponent = std::max(largest_exponent - 45, total_exponent - 61);
  for (std::size_t q = 0; q < a.size(); ++q) {
    const std::int64_t difference = std::llround(std::ldexp(a[q] - b[q], -step_exponent));
    if (difference == 0) continue;
    grid.values.push_back(difference);
    grid.observed += difference;
  }
  grid.num_different = grid.values.size();
  grid.tolerance = 2 * static_cast<std::int64_t>(grid.num_different);
  grid.values.resize((grid.values.size() + kGroupQueries - 1) / kGroupQueries * kGroupQueries, 0);
  return grid;
}

// tables[t][m]: the sum over the 8 queries of table t, those in the bit mask m with changed sign.
void build_tables(std::span<const std::int64_t> group, std::array<Table, kGroupTables>& tables) {
  for (std::size_t t = 0; t < kGroupTables; ++t) {
    Table& table = tables[t];
    const auto queries = group.subspan(t * kTableQueries, kTableQueries);
    table[0] = 0;
    for (const std::int64_t value : queries) table[0] += value;
    for (std::size_t bit = 0; bit < kTableQueries; ++bit) {
      const std::size_t half = std::size_t{1} << bit;
      for (std::size_t m = 0; m < half; ++m) table[half + m] = table[m] - 2 * queries[bit];
    }
  }
}

std::int64_t look_up(const std::array<Table, kGroupTables>& tables, const PhiloxBlock& bits) {
  std::int64_t sum = 0;
  for (std::size_t w = 0; w < bits.size(); ++w) {
    const Table* const word_tables = &tables[4 * w];
    const std::uint32_t word = bits[w];
    const std::int64_t low = word_tables[0][word & 255U] + word_tables[1][word >> 8 & 255U];
    const std::int64_t high = word_tables[2][word >> 16 & 255U] + word_tables[3][word >> 24];
    sum += low + high;
  }
  return sum;
}

ReachedCounts count_reached(std::span<const std::int64_t> sums, const GridDifferences& grid) {
  const std::int64_t high = grid.observed - grid.tolerance;
  const std::int64_t low = grid.observed + grid.tolerance;
  const std::int64_t extreme = std::abs(grid.observed) - grid.tolerance;
  ReachedCounts counts;
  for (const std::int64_t sum : sums) {
    counts.two_sided += std::abs(sum) >= extreme ? 1 : 0;
    counts.greater += sum >= high ? 1 : 0;
    counts.less += sum <= low ? 1 : 0;
  }
  return counts;
}

void add(ReachedCounts& total, const ReachedCounts& part) {
  total.two_sided += part.two_sided;
  total.greater += part.greater;
  total.less += part.less;
}

ReachedCounts count_random_swaps(const GridDifferences& grid, std::uint64_t permutations,
                                 const Context& context) {
  const auto count_block = [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    std::array<std::int64_t, kBlockPermutations> sums{};
    std::array<Table, kGroupTables> tables;
    for (std::size_t g = 0; g < grid.values.size() / kGroupQueries; ++g) {
      build_tables(std::span(grid.values).subspan(g * kGroupQueries, kGroupQueries), tables);
      const CounterRandom random(context.seed, "fisher", g);
      for (std::size_t p = begin; p < end; ++p) {
        sums[p - begin] += look_up(tables, random.block(p));
      }
    }
    return count_reached(std::span(sums).first(end - begin), grid);
  };
  return ordered_reduce(context, permutations, kBlockPermutations, ReachedCounts{}, count_block,
                        add);
}

// Every one of the 2^n swaps: those of the first queries in a list, which is shifted for every swap
// of the others.
ReachedCounts count_all_swaps(const GridDifferences& grid, const Context& context) {
  constexpr std::size_t kListed = 16;
  const std::size_t num_listed = std::min(kListed, grid.num_different);
  std::vector<std::int64_t> sums = {grid.observed};
  for (std::size_t q = 0; q < num_listed; ++q) {
    const std::size_t half = sums.size();
    for (std::size_t m = 0; m < half; ++m) sums.push_back(sums[m] - 2 * grid.values[q]);
  }
  ReachedCounts total;
  std::vector<std::int64_t> shifted(sums.size());
  for (std::uint64_t others = 0; others >> (grid.num_different - num_listed) == 0; ++others) {
    context.check_stop();
    std::int64_t shift = 0;
    for (std::size_t q = num_listed; q < grid.num_different; ++q) {
      if ((others >> (q - num_listed)) % 2 == 1) shift -= 2 * grid.values[q];
    }
    for (std::size_t m = 0; m < sums.size(); ++m) shifted[m] = sums[m] + shift;
    add(total, count_reached(shifted, grid));
  }
  return total;
}

}  // namespace

FisherResult fisher_randomisation(std::span<const double> a, std::span<const double> b,
                                  std::uint64_t permutations, const Context& context) {
  const std::vector<double> differences = paired_differences(a, b);
  const GridDifferences grid = to_grid(a, b);
  FisherResult result{.mean_difference = mean_of(differences), .num_different = grid.num_different};
  result.exact =
      grid.num_different < 63 && (std::uint64_t{1} << grid.num_different) <= permutations;
  const std::uint64_t extra = result.exact ? 0 : 1;
  result.permutations = result.exact ? std::uint64_t{1} << grid.num_different : permutations;
  result.reached = result.exact ? count_all_swaps(grid, context)
                                : count_random_swaps(grid, permutations, context);
  const auto p = [&](std::uint64_t reached) {
    return static_cast<double>(reached + extra) / static_cast<double>(result.permutations + extra);
  };
  result.p = {.two_sided = p(result.reached.two_sided),
              .greater = p(result.reached.greater),
              .less = p(result.reached.less)};
  return result;
}

}  // namespace glassrank
