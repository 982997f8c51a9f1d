#include "glassrank/explain/surrogate/quartile_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "glassrank/base/parallel.h"
#include "glassrank/math/distributions.h"
#include "glassrank/math/fast_normal_quantile.h"

namespace glassrank {
namespace {

constexpr double kLeastDeviation = 1e-11;  // LIME's

float percentile(std::span<const float> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  return static_cast<float>(static_cast<double>(sorted[below]) * (1 - part) +
                            static_cast<double>(sorted[above]) * part);
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments moments_of(std::span<const float> values) {
  Moments moments;
  const auto n = static_cast<double>(values.size());
  for (const float value : values) moments.mean += static_cast<double>(value) / n;
  for (const float value : values) {
    const double away = static_cast<double>(value) - moments.mean;
    moments.deviation += away * away / n;
  }
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

double normal_lower(double z) { return 1 - normal_upper(z); }

}  // namespace

QuartileBins::QuartileBins(std::vector<float> values) {
  const std::size_t num_values = values.size();
  std::erase_if(values, [](float value) { return std::isnan(value); });
  std::ranges::sort(values);
  if (!values.empty()) {
    const Moments all = moments_of(values);
    mean_ = all.mean;
    scale_ = all.deviation > 0 ? all.deviation : 1;
    for (const double share : {0.25, 0.5, 0.75}) {
      const float cut = percentile(values, share);
      if (cuts_.empty() || cut > cuts_.back()) cuts_.push_back(cut);
    }
    auto begin = values.begin();
    float low = values.front();
    for (std::size_t b = 0; b <= cuts_.size(); ++b) {
      const bool is_last = b == cuts_.size();
      const float high = is_last ? std::max(low, values.back()) : cuts_[b];
      const auto end = is_last ? values.end() : std::upper_bound(begin, values.end(), high);
      bins_.push_back(bin_over({begin, end}, low, high, num_values));
      begin = end;
      low = high;
    }
  }
  if (values.size() < num_values) {
    bins_.push_back(
        {.share = static_cast<double>(num_values - values.size()) / static_cast<double>(num_values),
         .is_missing = true});
  }
}

QuartileBins::Bin QuartileBins::bin_over(std::span<const float> sorted, float low, float high,
                                         std::size_t num_values) const {
  Bin bin{.share = static_cast<double>(sorted.size()) / static_cast<double>(num_values),
          .low = low,
          .high = high};
  if (sorted.empty()) {  // the percentiles lie between values: any place in the bin is as good
    bin.mean = (static_cast<double>(low) + static_cast<double>(high)) / 2;
    bin.deviation = kLeastDeviation;
  } else {
    const Moments moments = moments_of(sorted);
    bin.mean = moments.mean;
    bin.deviation = moments.deviation + kLeastDeviation;
  }
  bin.below_low = normal_lower((static_cast<double>(low) - bin.mean) / bin.deviation);
  bin.below_high = normal_lower((static_cast<double>(high) - bin.mean) / bin.deviation);
  return bin;
}

std::size_t QuartileBins::bin_of(float value) const {
  if (std::isnan(value)) {
    return !bins_.empty() && bins_.back().is_missing ? bins_.size() - 1 : bins_.size();
  }
  return static_cast<std::size_t>(std::ranges::lower_bound(cuts_, value) - cuts_.begin());
}

std::size_t QuartileBins::draw_bin(double u, bool alike) const {
  if (alike) return static_cast<std::size_t>(u * static_cast<double>(bins_.size()));
  std::size_t bin = 0;
  while (bin + 1 < bins_.size() && u >= bins_[bin].share) u -= bins_[bin++].share;
  return bin;
}

float QuartileBins::draw_value(std::size_t number, double u) const {
  const Bin& bin = bins_[number];
  if (bin.is_missing) return std::numeric_limits<float>::quiet_NaN();
  if (bin.low == bin.high) return bin.low;
  const double p = bin.below_low + u * (bin.below_high - bin.below_low);
  const double value = bin.mean + bin.deviation * fast_normal_quantile(p);
  return static_cast<float>(
      std::clamp(value, static_cast<double>(bin.low), static_cast<double>(bin.high)));
}

std::vector<QuartileBins> quartile_bins(MatrixView<const float> rows, const Context& context) {
  std::vector<QuartileBins> bins(rows.num_columns(), QuartileBins({0.0F}));
  parallel_for(context, bins.size(), 1, [&](std::size_t f, std::size_t) {
    std::vector<float> values(rows.num_rows());
    for (std::size_t r = 0; r < values.size(); ++r) values[r] = rows(r, f);
    bins[f] = QuartileBins(std::move(values));
  });
  return bins;
}

}  // namespace glassrank
