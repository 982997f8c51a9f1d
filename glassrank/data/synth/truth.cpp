#include "glassrank/data/synth/truth.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "glassrank/base/random.h"
#include "glassrank/math/distributions.h"

namespace glassrank {
namespace {

// Shares of a feature's variance that come from the row's latent factors and the query's.
constexpr double kLatentShare = 0.45;
constexpr double kQueryShare = 0.15;

std::vector<float> normal_grid(std::size_t size) {
  std::vector<float> grid(size);
  for (std::size_t i = 0; i < size; ++i) {
    grid[i] = static_cast<float>(
        normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(size)));
  }
  return grid;
}

struct Moments {
  double mean = 0;
  double spread = 0;
};

Moments moments(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.mean = mean, .spread = std::sqrt(squares / n)};
}

class TruthMaker {
 public:
  TruthMaker(const SyntheticParams& params, std::uint64_t seed)
      : params_(params), random_(CounterRandom(seed, "synthetic truth")) {}

  SyntheticTruth make() {
    assign_roles();
    for (SyntheticFeature& feature : truth_.features) draw_feature(feature);
    std::vector<std::uint32_t> sources = of_role(FeatureRole::kMainEffect);
    for (const FeatureRole role : {FeatureRole::kInteractionOnly, FeatureRole::kRelated}) {
      const auto more = of_role(role);
      sources.insert(sources.end(), more.begin(), more.end());
    }
    for (const std::uint32_t f : of_role(FeatureRole::kCorrelated)) {
      draw_sources(sources, truth_.features[f]);
    }
    draw_main_effects();
    draw_interactions();
    normalise();
    truth_.noise = static_cast<float>(params_.noise);
    return std::move(truth_);
  }

 private:
  void assign_roles() {
    const auto num_features = static_cast<std::size_t>(params_.features);
    truth_.features.resize(num_features);
    columns_.resize(num_features);
    std::iota(columns_.begin(), columns_.end(), 0U);
    random_.shuffle(columns_);
    const auto share = [&](double part) { return std::lround(part * params_.features); };
    std::size_t next = 0;
    const auto give = [&](FeatureRole role, long count) {
      for (long i = 0; i < count; ++i) truth_.features[columns_[next++]].role = role;
    };
    give(FeatureRole::kMainEffect, params_.main_effects);
    give(FeatureRole::kInteractionOnly, params_.heredity ? 0 : params_.interactions);
    give(FeatureRole::kQuery, params_.query_features);
    give(FeatureRole::kCorrelated, share(params_.correlated));
    give(FeatureRole::kUseless, share(params_.useless));
  }

  // In shuffled order, so that the strongest effect is anywhere.
  std::vector<std::uint32_t> of_role(FeatureRole role) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t f : columns_) {
      if (truth_.features[f].role == role) found.push_back(f);
    }
    return found;
  }

  void draw_feature(SyntheticFeature& feature) {
    constexpr float kUnits[] = {1.0F, 0.01F, 100.0F, 1.0F};
    const double u = random_.uniform();
    const float unit = kUnits[random_.below(4)];
    if (feature.role != FeatureRole::kQuery) {
      feature.kind = u < params_.counts                         ? ValueKind::kCount
                     : u < params_.counts + params_.heavy_tails ? ValueKind::kHeavyTail
                     : u < params_.counts + params_.heavy_tails + params_.mostly_zero
                         ? ValueKind::kSparse
                         : ValueKind::kPlain;
      const auto column = static_cast<std::size_t>(&feature - truth_.features.data());
      if (column % 3 == 0) feature.missing = static_cast<float>(params_.missing);
    }
    feature.unit = feature.kind == ValueKind::kCount ? 1.0F : unit;
    if (feature.role != FeatureRole::kUseless) draw_loadings(feature);
  }

  void draw_loadings(SyntheticFeature& feature) {
    const bool of_query = feature.role == FeatureRole::kQuery;
    double squares = 0;
    std::array<double, 3> direction{};
    for (double& x : direction) {
      x = random_.normal();
      squares += x * x;
    }
    const auto first = static_cast<std::uint32_t>(random_.below(kNumLatents));
    for (std::size_t i = 0; i < 3 && !of_query; ++i) {
      // 0, 2 and 5 further on: three different latents.
      feature.loadings[i].index =
          (first + static_cast<std::uint32_t>(i * (i + 3) / 2)) % kNumLatents;
      feature.loadings[i].weight =
          static_cast<float>(direction[i] * std::sqrt(kLatentShare / squares));
    }
    const double query_share = of_query ? 0.5 : kQueryShare;
    feature.query_loading = {
        .index = static_cast<std::uint32_t>(random_.below(kNumQueryLatents)),
        .weight = static_cast<float>((random_.uniform() < 0.5 ? -1 : 1) * std::sqrt(query_share))};
    feature.own_noise =
        static_cast<float>(std::sqrt(1 - (of_query ? query_share : kLatentShare + kQueryShare)));
  }

  // A correlated feature copies one source or mixes two, half of each.
  void draw_sources(std::span<const std::uint32_t> sources, SyntheticFeature& feature) {
    const double rho = 0.75 + 0.23 * random_.uniform();
    const bool mix = random_.uniform() < 0.5 && sources.size() > 1;
    const std::uint64_t first = random_.below(sources.size());
    const std::uint64_t second =
        (first + 1 + random_.below(sources.size() - (mix ? 1 : 0))) % sources.size();
    const double part = mix ? 0.6 + 0.3 * random_.uniform() : 1.0;
    feature.loadings = {};
    feature.query_loading = {};
    feature.loadings[0] = {sources[first], static_cast<float>(rho * std::sqrt(part))};
    if (mix) feature.loadings[1] = {sources[second], static_cast<float>(rho * std::sqrt(1 - part))};
    feature.own_noise = static_cast<float>(std::sqrt(1 - rho * rho));
  }

  // Where steps and humps sit; kinds that hide low values get a centre they still show.
  float draw_centre(std::uint32_t feature) {
    const double u = random_.uniform();
    const bool plain = truth_.features[feature].kind == ValueKind::kPlain ||
                       truth_.features[feature].kind == ValueKind::kHeavyTail;
    return static_cast<float>(plain ? -0.7 + 1.4 * u : 0.3 + 0.4 * u);
  }

  void draw_main_effects() {
    const auto grid = normal_grid(256);
    int k = 0;
    for (const std::uint32_t f : of_role(FeatureRole::kMainEffect)) {
      MainEffect effect{.feature = f,
                        .shape = static_cast<CurveShape>(k % 5),
                        .centre = draw_centre(f),
                        .weight = static_cast<float>(1 / (1 + 0.1 * k))};
      std::vector<double> values;
      for (const float base : grid) {
        values.push_back(effect(standardised_value(truth_.features[f].kind, base)));
      }
      const auto [mean, spread] = moments(values);
      const double sign = random_.uniform() < 0.3 ? -1 : 1;
      effect.mean = static_cast<float>(mean);
      effect.scale = static_cast<float>(sign * effect.weight / spread);
      truth_.main_effects.push_back(effect);
      ++k;
    }
  }

  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  // Pairs of features with a main effect, those of strong ones first.
  Pairs hereditary_pairs(std::size_t count) const {
    const auto mains = of_role(FeatureRole::kMainEffect);
    Pairs pairs;
    for (std::size_t sum = 1; pairs.size() < count; ++sum) {
      for (std::size_t a = 0; 2 * a < sum && pairs.size() < count; ++a) {
        if (sum - a < mains.size()) pairs.emplace_back(mains[a], mains[sum - a]);
      }
    }
    return pairs;
  }

  // Features without a main effect and their partners.
  Pairs pairs_with_own_features() const {
    const auto mains = of_role(FeatureRole::kMainEffect);
    const auto queries = of_role(FeatureRole::kQuery);
    Pairs pairs;
    for (const std::uint32_t own : of_role(FeatureRole::kInteractionOnly)) {
      const std::size_t j = pairs.size();
      const bool with_query = j % 3 == 2 && !queries.empty();
      pairs.emplace_back(own,
                         with_query ? queries[j / 3 % queries.size()] : mains[j % mains.size()]);
    }
    return pairs;
  }

  void draw_interactions() {
    std::size_t j = 0;
    const Pairs pairs = params_.heredity
                            ? hereditary_pairs(static_cast<std::size_t>(params_.interactions))
                            : pairs_with_own_features();
    for (const auto& [first, second] : pairs) {
      PairEffect effect{.first = first,
                        .second = second,
                        .kind = static_cast<PairKind>(j % 3),
                        .weight = static_cast<float>(0.8 / (1 + 0.1 * static_cast<double>(j)))};
      effect.centre_first = draw_centre(effect.first);
      effect.centre_second = draw_centre(effect.second);
      scale_pair(effect);
      truth_.interactions.push_back(effect);
      ++j;
    }
  }

  void scale_pair(PairEffect& effect) {
    const auto grid = normal_grid(64);
    const auto standardised = [&](std::uint32_t f) {
      std::vector<double> values;
      for (const float base : grid) {
        values.push_back(standardised_value(truth_.features[f].kind, base));
      }
      return values;
    };
    const auto first = standardised(effect.first);
    const auto second = standardised(effect.second);
    if (effect.kind == PairKind::kProduct) {  // centred: no effect of either feature alone
      effect.centre_first = static_cast<float>(moments(first).mean);
      effect.centre_second = static_cast<float>(moments(second).mean);
    }
    std::vector<double> values;
    for (const double a : first) {
      for (const double b : second) {
        values.push_back(effect(static_cast<float>(a), static_cast<float>(b)));
      }
    }
    const auto [mean, spread] = moments(values);
    effect.mean = static_cast<float>(mean);
    effect.scale = static_cast<float>(effect.weight / spread);
  }

  // Squares of the weights add up to 1.
  void normalise() {
    double squares = 0;
    for (const auto& effect : truth_.main_effects) squares += effect.weight * effect.weight;
    for (const auto& effect : truth_.interactions) squares += effect.weight * effect.weight;
    const auto factor = static_cast<float>(1 / std::sqrt(squares));
    for (auto& effect : truth_.main_effects) {
      effect.weight *= factor;
      effect.scale *= factor;
    }
    for (auto& effect : truth_.interactions) {
      effect.weight *= factor;
      effect.scale *= factor;
    }
  }

  const SyntheticParams& params_;
  RandomSequence random_;
  std::vector<std::uint32_t> columns_;
  SyntheticTruth truth_;
};

}  // namespace

SyntheticTruth make_truth(const SyntheticParams& resolved, std::uint64_t seed) {
  return TruthMaker(resolved, seed).make();
}

}  // namespace glassrank
