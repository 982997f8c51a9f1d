#include "glassrank/data/synth/values.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "glassrank/math/distributions.h"

namespace glassrank {
namespace {

constexpr std::size_t kLanes = 64;
using Lanes = std::array<float, kLanes>;

constexpr std::size_t kCells = 1024;
using NormalTable = std::array<float, kCells + 1>;

const NormalTable& normal_table() {
  static const NormalTable table = [] {
    NormalTable t{};
    for (std::size_t i = 1; i < kCells; ++i) {
      t[i] = static_cast<float>(normal_quantile(static_cast<double>(i) / kCells));
    }
    t[0] = -4.2F;
    t[kCells] = 4.2F;
    return t;
  }();
  return table;
}

float normal_from(const NormalTable& table, std::uint32_t word) {
  const std::size_t cell = word >> 22;
  const float within = static_cast<float>(word & 0x3fffff) * 0x1.0p-22F;
  return table[cell] + (table[cell + 1] - table[cell]) * within;
}

// Normals of 64 consecutive rows, the first a multiple of 64.
void fill_normals(const CounterRandom& random, std::size_t first, Lanes& out) {
  const NormalTable& table = normal_table();
  for (std::size_t i = 0; i < kLanes; i += 4) {
    const PhiloxBlock words = random.block((first + i) / 4);
    for (std::size_t j = 0; j < 4; ++j) out[i + j] = normal_from(table, words[j]);
  }
}

void add(Lanes& to, float weight, const Lanes& from) {
  for (std::size_t i = 0; i < kLanes; ++i) to[i] += weight * from[i];
}

// One loop per kind, so that each of them vectorises.
void write_shown(ValueKind kind, float unit, const Lanes& base, Lanes& out) {
  const auto all = [&](auto value) {
    for (std::size_t i = 0; i < kLanes; ++i) out[i] = unit * value(base[i]);
  };
  switch (kind) {
    case ValueKind::kPlain:
      return all([](float b) { return shown_value(ValueKind::kPlain, b); });
    case ValueKind::kCount:
      return all([](float b) { return shown_value(ValueKind::kCount, b); });
    case ValueKind::kHeavyTail:
      return all([](float b) { return shown_value(ValueKind::kHeavyTail, b); });
    case ValueKind::kSparse:
      return all([](float b) { return shown_value(ValueKind::kSparse, b); });
  }
}

}  // namespace

struct SyntheticValues::Block {
  explicit Block(std::size_t num_features) : base(num_features) {}

  std::size_t first = 0;                      // row of lane 0
  std::array<std::uint32_t, kLanes> query{};  // beyond the last row: the last query
  std::array<Lanes, kNumLatents> latents;
  std::array<Lanes, kNumQueryLatents> query_latents;
  std::vector<Lanes> base;
  Lanes draws;
};

SyntheticValues::SyntheticValues(const SyntheticTruth& truth, const QueryGroups& queries,
                                 std::uint64_t seed)
    : truth_(truth), queries_(queries), seed_(seed) {
  const auto num_features = static_cast<std::uint32_t>(truth.features.size());
  for (const bool copies : {false, true}) {
    for (std::uint32_t f = 0; f < num_features; ++f) {
      if ((truth.features[f].role == FeatureRole::kCorrelated) == copies) order_.push_back(f);
    }
  }
  for (const MainEffect& effect : truth.main_effects) effect_inputs_.push_back(effect.feature);
  for (const PairEffect& effect : truth.interactions) {
    effect_inputs_.push_back(effect.first);
    effect_inputs_.push_back(effect.second);
  }
  std::ranges::sort(effect_inputs_);
  const auto repeated = std::ranges::unique(effect_inputs_);
  effect_inputs_.erase(repeated.begin(), repeated.end());
}

void SyntheticValues::fill_latents(Block& block) const {
  for (std::size_t k = 0; k < kNumLatents; ++k) {
    fill_normals(CounterRandom(seed_, "synthetic latents", k), block.first, block.latents[k]);
  }
  const auto offsets = queries_.offsets();
  auto query = static_cast<std::uint32_t>(
      std::upper_bound(offsets.begin(), offsets.end(), block.first) - offsets.begin() - 1);
  for (std::size_t i = 0; i < kLanes; ++i) {
    while (query + 1 < queries_.num_queries() && block.first + i >= offsets[query + 1]) ++query;
    block.query[i] = query;
  }
  const CounterRandom random(seed_, "synthetic query latents");
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (i > 0 && block.query[i] == block.query[i - 1]) {
      for (Lanes& latent : block.query_latents) latent[i] = latent[i - 1];
      continue;
    }
    PhiloxBlock words{};
    for (std::size_t k = 0; k < kNumQueryLatents; ++k) {
      if (k % 4 == 0) words = random.block((block.query[i] * kNumQueryLatents + k) / 4);
      block.query_latents[k][i] = normal_from(normal_table(), words[k % 4]);
    }
  }
}

void SyntheticValues::fill_query_feature(Block& block, std::uint32_t feature) const {
  const SyntheticFeature& f = truth_.features[feature];
  const CounterRandom random(seed_, "synthetic query features", feature);
  Lanes& base = block.base[feature];
  for (std::size_t i = 0; i < kLanes; ++i) {
    const bool same = i > 0 && block.query[i] == block.query[i - 1];
    base[i] = same ? base[i - 1]
                   : f.query_loading.weight * block.query_latents[f.query_loading.index][i] +
                         f.own_noise * normal_from(normal_table(), random.block(block.query[i])[0]);
  }
}

void SyntheticValues::fill_base(Block& block, std::uint32_t feature) const {
  const SyntheticFeature& f = truth_.features[feature];
  if (f.role == FeatureRole::kQuery) return fill_query_feature(block, feature);
  Lanes& base = block.base[feature];
  fill_normals(CounterRandom(seed_, "synthetic values", feature), block.first, block.draws);
  for (std::size_t i = 0; i < kLanes; ++i) base[i] = f.own_noise * block.draws[i];
  for (const Loading& loading : f.loadings) {
    if (loading.weight == 0) continue;
    add(base, loading.weight,
        f.role == FeatureRole::kCorrelated ? block.base[loading.index]
                                           : block.latents[loading.index]);
  }
  if (f.query_loading.weight != 0) {
    add(base, f.query_loading.weight, block.query_latents[f.query_loading.index]);
  }
}

bool SyntheticValues::is_missing(std::uint32_t feature, std::size_t row) const {
  const double share = truth_.features[feature].missing;
  return share > 0 && CounterRandom(seed_, "synthetic missing", feature).uniform(row) < share;
}

float SyntheticValues::standardised(const Block& block, std::uint32_t feature,
                                    std::size_t lane) const {
  if (is_missing(feature, block.first + lane)) return 0;
  return standardised_value(truth_.features[feature].kind, block.base[feature][lane]);
}

void SyntheticValues::fill_utility(Block& block, float* utility) const {
  for (const std::uint32_t f : effect_inputs_) {
    fill_base(block, f);
    for (std::size_t i = 0; i < kLanes; ++i) block.draws[i] = standardised(block, f, i);
    block.base[f] = block.draws;
  }
  for (std::size_t i = 0; i < kLanes; ++i) {
    float sum = truth_.query_shift * block.query_latents[0][i];
    for (const MainEffect& effect : truth_.main_effects)
      sum += effect(block.base[effect.feature][i]);
    for (const PairEffect& effect : truth_.interactions) {
      sum += effect(block.base[effect.first][i], block.base[effect.second][i]);
    }
    utility[i] = sum;
  }
}

template <typename Use>
void SyntheticValues::for_blocks(std::size_t first, std::size_t count, Use&& use) const {
  Block block(truth_.features.size());
  const std::size_t end = first + count;
  for (block.first = first / kLanes * kLanes; block.first < end; block.first += kLanes) {
    fill_latents(block);
    const std::size_t begin_lane = std::max(first, block.first) - block.first;
    const std::size_t end_lane = std::min(end - block.first, kLanes);
    use(block, begin_lane, end_lane);
  }
}

void SyntheticValues::rows(std::size_t first, std::size_t count, float* out) const {
  const std::size_t width = truth_.features.size();
  Lanes shown;
  for_blocks(first, count, [&](Block& block, std::size_t begin, std::size_t end) {
    float* to = out + (block.first + begin - first) * width;
    for (const std::uint32_t f : order_) {
      const SyntheticFeature& feature = truth_.features[f];
      fill_base(block, f);
      write_shown(feature.kind, feature.unit, block.base[f], shown);
      for (std::size_t i = begin; i < end; ++i) to[(i - begin) * width + f] = shown[i];
      if (feature.missing == 0) continue;
      for (std::size_t i = begin; i < end; ++i) {
        if (!is_missing(f, block.first + i)) continue;
        to[(i - begin) * width + f] = std::numeric_limits<float>::quiet_NaN();
      }
    }
  });
}

void SyntheticValues::utilities(std::size_t first, std::size_t count, float* utility,
                                float* noise) const {
  Lanes sums;
  for_blocks(first, count, [&](Block& block, std::size_t begin, std::size_t end) {
    const std::size_t to = block.first + begin - first;
    fill_utility(block, sums.data());
    std::copy(sums.begin() + begin, sums.begin() + end, utility + to);
    fill_normals(CounterRandom(seed_, "synthetic noise"), block.first, block.draws);
    for (std::size_t i = begin; i < end; ++i) {
      noise[to + i - begin] = truth_.noise * block.draws[i];
    }
  });
}

}  // namespace glassrank
