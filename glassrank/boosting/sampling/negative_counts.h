#pragma once
// How many negatives of a query a sampler keeps: counts from factors, and factors that adapt.
//
// A factor (top, bottom, random) times a base is a number of documents:
//   ratio      base = negatives of the query
//   multiple   base = positives of the query
//   positives  base = negatives ranked above the last positive; 0 without positives
// rounded down, half up or up, and cut off at the negatives there are: top first, then bottom, then
// random. Adaptive strategies (Lucchese et al., SIGIR 2018, and its code in QuickRank) look at the
// share a of the last rounds that made the best metric better; low = random, high = top:
//   fixed   f = low + (1 - a) (high - low);   top = random = f
//   ratio   top = (high + low) a;             random = (high + low) (1 - a)
//   mix     f as above;                       top = f a, random = f (1 - a)

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "glassrank/base/params.h"

namespace glassrank {

enum class Rounding { kFloor, kRound, kCeil };
template <>
struct EnumNames<Rounding> {
  static std::span<const std::pair<std::string_view, Rounding>> table();
};

enum class NegativeBase { kRatio, kMultiple, kPositives };
template <>
struct EnumNames<NegativeBase> {
  static std::span<const std::pair<std::string_view, NegativeBase>> table();
};

enum class AdaptiveStrategy { kNone, kFixed, kRatio, kMix };
template <>
struct EnumNames<AdaptiveStrategy> {
  static std::span<const std::pair<std::string_view, AdaptiveStrategy>> table();
};

struct NegativeFactors {
  double top = 0;
  double bottom = 0;
  double random = 0;
};

// The factors after a share `better` of the last rounds was better than all before them.
NegativeFactors adapt(const NegativeFactors& factors, AdaptiveStrategy strategy, double better);

// The share of ones among the last `window` rounds; 1 when there are none yet.
double better_share(std::span<const std::uint8_t> better_rounds, std::size_t window);

// value >= 0. Decimal shares are meant as written: 0.29 * 100 is 29, also rounded down.
std::size_t round_count(double value, Rounding rounding);

struct NegativeCounts {
  std::size_t top = 0;
  std::size_t bottom = 0;
  std::size_t random = 0;
  std::size_t all() const { return top + bottom + random; }
};

struct CountRule {
  NegativeFactors factors;
  Rounding rounding = Rounding::kRound;
  std::size_t min_negatives = 0;  // filled up with top ones, or random ones if top is 0
};

// At most num_negatives in all: top and bottom shares that overlap count a document once.
NegativeCounts count_negatives(const CountRule& rule, std::size_t base, std::size_t num_negatives);

}  // namespace glassrank
