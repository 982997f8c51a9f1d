#pragma once
// Rows around a document, what a surrogate sees of them, and how near they are.
//
// Row 0 is the document itself. Two ways to make the others:
//   quartile  every feature gets a value from a quartile drawn for it (quartile_bins.h); the binary
//             input is 1 where the quartile is the document's own           LIRME, LIME
//   mask      a number of features drawn uniformly from 1 to all of them takes the masking row's
//             values; the binary input is 0 for these                       EXS
// Inputs are binary, or scaled: (value - mean) / standard deviation of the background; a missing
// value is the mean. Distances are Euclidean, of binary inputs (roots of the number of zeros) or of
// scaled values; weight = exp(-distance^2 / (width^2 F)) for F features that play.
//
// A draw depends on seed, purpose, lane, row and feature alone: same bytes for any threads.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/base/params.h"
#include "glassrank/base/random.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/surrogate/quartile_bins.h"

namespace glassrank {

enum class LocalSampler { kQuartile, kMask };
enum class BinChoice { kFrequency, kUniform };
enum class LocalScale { kBinary, kScaled };
template <>
struct EnumNames<LocalSampler> {
  static std::span<const std::pair<std::string_view, LocalSampler>> table();
};
template <>
struct EnumNames<BinChoice> {
  static std::span<const std::pair<std::string_view, BinChoice>> table();
};
template <>
struct EnumNames<LocalScale> {
  static std::span<const std::pair<std::string_view, LocalScale>> table();
};

struct LocalSampling {
  std::size_t num_samples = 0;  // with the document itself
  LocalSampler sampler = LocalSampler::kQuartile;
  BinChoice bins = BinChoice::kFrequency;
  LocalScale inputs = LocalScale::kBinary;
  LocalScale distance = LocalScale::kBinary;
  double width = 0.75;
};

struct LocalSetting {
  std::span<const float> document;          // one value per feature
  std::span<const std::uint32_t> players;   // features that change, ascending
  std::span<const QuartileBins> quartiles;  // of every feature
  std::span<const float> mask;              // one value per feature; for kMask
};

struct LocalSamples {
  RowMatrix rows;
  std::vector<double> inputs;  // a row per sample, a column per player
  std::vector<double> weights;
  std::size_t num_players = 0;

  MatrixView<const double> input_view() const {
    return {inputs.data(), weights.size(), num_players};
  }
};

LocalSamples draw_local_samples(const LocalSetting& setting, const LocalSampling& sampling,
                                CounterRandom random, const Context& context);

}  // namespace glassrank
