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

// The place of a percentile among ascending values: somewhere between the one at `below` and the
// next.
struct Place {
  Place(double share, std::size_t num_values)
      : below(static_cast<std::size_t>(share * static_cast<double>(num_values - 1))),
        part(share * static_cast<double>(num_values - 1) - static_cast<double>(below)) {}

  std::size_t below;
  double part;
};

// Puts the value of place `at` there, smaller ones before and larger ones after it, as far as
// [begin, end) goes; gives the value at the place.
float select(std::vector<float>& values, std::size_t begin, const Place& at, std::size_t end) {
  const auto place = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(place(begin), place(at.below), place(end));
  const float low = values[at.below];
  const std::size_t next = at.below + 1;
  const std::size_t last = next < end ? end : values.size();
  const float high = next < last ? *std::min_element(place(next), place(last)) : low;
  return static_cast<float>(static_cast<double>(low) * (1 - at.part) +
                            static_cast<double>(high) * at.part);
}

// The quartiles, equal ones once. Changes the order of the values.
std::vector<float> quartiles_of(std::vector<float> values) {
  const std::size_t size = values.size();
  const Place lower(0.25, size);
  const Place middle(0.5, size);
  const Place upper(0.75, size);
  // The middle first: then the others look at a half.
  const float median = select(values, 0, middle, size);
  const float quartiles[] = {select(values, 0, lower, middle.below + 1), median,
                             select(values, middle.below, upper, size)};
  std::vector<float> cuts;
  for (const float cut : quartiles) {
    if (cuts.empty() || cut > cuts.back()) cuts.push_back(cut);
  }
  return cuts;
}

// Of the values of each bin, or of all.
struct Moments {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;
};

// `bin_of(value)` of [0, num_bins).
template <typename BinOf>
std::vector<Moments> moments_of(std::span<const float> values, std::size_t num_bins,
                                BinOf&& bin_of) {
  std::vector<Moments> moments(num_bins);
  for (const float value : values) {
    Moments& bin = moments[bin_of(value)];
    ++bin.count;
    bin.mean += static_cast<double>(value);
  }
  for (Moments& bin : moments) {
    if (bin.count > 0) bin.mean /= static_cast<double>(bin.count);
  }
  for (const float value : values) {
    Moments& bin = moments[bin_of(value)];
    const double away = static_cast<double>(value) - bin.mean;
    bin.deviation += away * away;
  }
  for (Moments& bin : moments) {
    if (bin.count > 0) bin.deviation = std::sqrt(bin.deviation / static_cast<double>(bin.count));
  }
  return moments;
}

double normal_lower(double z) { return 1 - normal_upper(z); }

}  // namespace

QuartileBins::QuartileBins(std::vector<float> values) {
  const std::size_t num_values = values.size();
  std::erase_if(values, [](float value) { return std::isnan(value); });
  if (!values.empty()) {
    const Moments all = moments_of(values, 1, [](float) { return 0; }).front();
    mean_ = all.mean;
    scale_ = all.deviation > 0 ? all.deviation : 1;
    cuts_ = quartiles_of(values);
    const std::vector<Moments> moments =
        moments_of(values, cuts_.size() + 1, [&](float value) { return bin_of(value); });
    const auto [least, most] = std::ranges::minmax(values);
    for (std::size_t b = 0; b < moments.size(); ++b) {
      const float low = b == 0 ? least : cuts_[b - 1];
      const float high = b == cuts_.size() ? std::max(low, most) : cuts_[b];
      // Where the percentiles lie between values, any place in the bin is as good.
      const double middle = (static_cast<double>(low) + static_cast<double>(high)) / 2;
      Bin& bin = bins_.emplace_back(
          Bin{.share = static_cast<double>(moments[b].count) / static_cast<double>(num_values),
              .low = low,
              .high = high,
              .mean = moments[b].count > 0 ? moments[b].mean : middle,
              .deviation = moments[b].deviation + kLeastDeviation});
      bin.below_low = normal_lower((static_cast<double>(low) - bin.mean) / bin.deviation);
      bin.below_high = normal_lower((static_cast<double>(high) - bin.mean) / bin.deviation);
    }
  }
  if (values.size() < num_values) {
    bins_.push_back(
        {.share = static_cast<double>(num_values - values.size()) / static_cast<double>(num_values),
         .is_missing = true});
  }
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
