#pragma once
// The values of a feature cut at its quartiles, as LIME and LIRME sample them.
//
// Cuts are the 25, 50 and 75 % percentiles (linear between values, as numpy's); equal ones
// collapse, so a feature may have fewer than four bins. bin(x) = number of cuts below x. A value in
// a bin is drawn from a normal distribution with the mean and standard deviation of the bin's
// values, cut off at the bin's borders (at the least and largest value for the outer bins); a bin
// without width gives its border. Missing values are a bin of their own, if there are any.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"

namespace glassrank {

class QuartileBins {
 public:
  // At least one value.
  explicit QuartileBins(std::vector<float> values);

  std::span<const float> cuts() const { return cuts_; }
  // With the bin of missing values.
  std::size_t num_bins() const { return bins_.size(); }
  // num_bins() for a missing value where none was seen: it equals no bin that is drawn.
  std::size_t bin_of(float value) const;
  // Share of the values; adds up to 1.
  double share(std::size_t bin) const { return bins_[bin].share; }
  // The bin at `u` in [0, 1): by the bins' shares, or all alike.
  std::size_t draw_bin(double u, bool alike) const;
  // The value at quantile `u` of the bin.
  float draw_value(std::size_t bin, double u) const;

  double mean() const { return mean_; }    // of values that are not missing
  double scale() const { return scale_; }  // their standard deviation; 1 where it is 0

 private:
  struct Bin {
    double share = 0;
    float low = 0;
    float high = 0;
    double mean = 0;
    double deviation = 0;
    double below_low = 0;  // probabilities of the normal distribution
    double below_high = 1;
    bool is_missing = false;
  };

  std::vector<float> cuts_;
  std::vector<Bin> bins_;
  double mean_ = 0;
  double scale_ = 1;
};

// Of every feature of the rows.
std::vector<QuartileBins> quartile_bins(MatrixView<const float> rows, const Context& context);

}  // namespace glassrank
