#include "glassrank/explain/surrogate/local_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerTask = 64;

double unit(std::uint32_t bits) { return static_cast<double>(bits) * 0x1.0p-32; }

// How far a value is from the mean, in standard deviations.
double scaled(float value, const QuartileBins& quartiles) {
  if (std::isnan(value)) return 0;
  return (static_cast<double>(value) - quartiles.mean()) / quartiles.scale();
}

class Drawer {
 public:
  Drawer(const LocalSetting& setting, const LocalSampling& sampling, CounterRandom random,
         LocalSamples& out)
      : setting_(setting), sampling_(sampling), random_(random), out_(out) {
    for (const std::uint32_t f : setting.players) {
      own_bins_.push_back(setting.quartiles[f].bin_of(setting.document[f]));
    }
  }

  void draw(std::size_t begin, std::size_t end) const {
    const std::size_t num_features = setting_.document.size();
    const std::size_t num_players = setting_.players.size();
    std::vector<std::uint8_t> is_own(num_players);
    for (std::size_t s = begin; s < end; ++s) {
      float* const row = &out_.rows.values[s * num_features];
      std::ranges::copy(setting_.document, row);
      std::ranges::fill(is_own, std::uint8_t{1});
      if (s > 0 && num_players > 0) {
        sampling_.sampler == LocalSampler::kQuartile ? draw_quartiles(s, row, is_own)
                                                     : draw_mask(s, row, is_own);
      }
      write_inputs(s, row, is_own);
    }
  }

 private:
  // 64 bits for each feature: half of them choose the quartile, half the place in it.
  void draw_quartiles(std::size_t sample, float* row, std::vector<std::uint8_t>& is_own) const {
    const std::size_t num_players = is_own.size();
    std::vector<std::uint32_t> bits(2 * num_players);
    random_.bytes(sample * ((num_players + 1) / 2),
                  {reinterpret_cast<std::uint8_t*>(bits.data()), bits.size() * sizeof(bits[0])});
    for (std::size_t i = 0; i < num_players; ++i) {
      const std::uint32_t f = setting_.players[i];
      const QuartileBins& quartiles = setting_.quartiles[f];
      const std::size_t bin =
          quartiles.draw_bin(unit(bits[2 * i]), sampling_.bins == BinChoice::kUniform);
      is_own[i] = bin == own_bins_[i] ? 1 : 0;
      row[f] = quartiles.draw_value(bin, unit(bits[2 * i + 1]));
    }
  }

  void draw_mask(std::size_t sample, float* row, std::vector<std::uint8_t>& is_own) const {
    const std::size_t num_players = is_own.size();
    std::vector<std::uint32_t> order(num_players);
    std::iota(order.begin(), order.end(), 0U);
    const std::uint64_t counter = sample * (num_players + 1);
    const std::size_t size = 1 + random_.below(counter, num_players);
    for (std::size_t i = 0; i < size; ++i) {
      std::swap(order[i], order[i + random_.below(counter + 1 + i, num_players - i)]);
      is_own[order[i]] = 0;
      const std::uint32_t f = setting_.players[order[i]];
      row[f] = setting_.mask[f];
    }
  }

  void write_inputs(std::size_t sample, const float* row,
                    const std::vector<std::uint8_t>& is_own) const {
    const std::size_t num_players = is_own.size();
    double* const inputs = &out_.inputs[sample * num_players];
    double square = 0;
    for (std::size_t i = 0; i < num_players; ++i) {
      const std::uint32_t f = setting_.players[i];
      const QuartileBins& quartiles = setting_.quartiles[f];
      inputs[i] = sampling_.inputs == LocalScale::kBinary ? is_own[i] : scaled(row[f], quartiles);
      if (sampling_.distance == LocalScale::kBinary) {
        square += is_own[i] != 0 ? 0 : 1;
      } else {
        const double away = scaled(row[f], quartiles) - scaled(setting_.document[f], quartiles);
        square += away * away;
      }
    }
    out_.weights[sample] = square == 0 ? 1
                                       : std::exp(-square / (sampling_.width * sampling_.width *
                                                             static_cast<double>(num_players)));
  }

  const LocalSetting& setting_;
  const LocalSampling& sampling_;
  CounterRandom random_;
  LocalSamples& out_;
  std::vector<std::size_t> own_bins_;
};

}  // namespace

std::span<const std::pair<std::string_view, LocalSampler>> EnumNames<LocalSampler>::table() {
  static constexpr std::array<std::pair<std::string_view, LocalSampler>, 2> kNames = {
      {{"quartile", LocalSampler::kQuartile}, {"mask", LocalSampler::kMask}}};
  return kNames;
}
std::span<const std::pair<std::string_view, BinChoice>> EnumNames<BinChoice>::table() {
  static constexpr std::array<std::pair<std::string_view, BinChoice>, 2> kNames = {
      {{"frequency", BinChoice::kFrequency}, {"uniform", BinChoice::kUniform}}};
  return kNames;
}
std::span<const std::pair<std::string_view, LocalScale>> EnumNames<LocalScale>::table() {
  static constexpr std::array<std::pair<std::string_view, LocalScale>, 2> kNames = {
      {{"binary", LocalScale::kBinary}, {"scaled", LocalScale::kScaled}}};
  return kNames;
}

LocalSamples draw_local_samples(const LocalSetting& setting, const LocalSampling& sampling,
                                CounterRandom random, const Context& context) {
  LocalSamples samples;
  samples.num_players = setting.players.size();
  samples.rows.num_features = setting.document.size();
  samples.rows.values.resize(sampling.num_samples * setting.document.size());
  samples.inputs.resize(sampling.num_samples * setting.players.size());
  samples.weights.resize(sampling.num_samples);
  const Drawer drawer(setting, sampling, random, samples);
  parallel_for(context, sampling.num_samples, kRowsPerTask,
               [&](std::size_t begin, std::size_t end) { drawer.draw(begin, end); });
  return samples;
}

}  // namespace glassrank
