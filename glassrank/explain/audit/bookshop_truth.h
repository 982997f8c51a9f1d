#pragma once
// What every feature truly adds in the book shop (data/synth/bookshop.h), whose utility is known:
// the measure no real data has for explanations.
//
// The truth is the exact interventional Shapley value of the utility with respect to background
// rows: features that are not known have the values of a background row, all rows count the same.
// The utility is a sum of effects e(x) and of pair effects p(x, y), so no coalitions need to be
// tried. With means over the background rows b,
//   effect       e(x) - mean e(b)
//   pair, first  ((mean p(x, b2) - mean p(b1, b2)) + (p(x, y) - mean p(b1, y))) / 2
// and the second the same with x and y exchanged. All of them and the base value, the mean utility
// of the background, add up to the utility of the document.
// Cost: a document needs its two pairs at every background row.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/data/dataset.h"

namespace glassrank {

class BookshopTruth {
 public:
  // Throws Error{kUsage} naming the feature of the book shop that the data does not have, or when
  // it has no rows.
  explicit BookshopTruth(const Dataset& background);

  double base_value() const { return base_value_; }
  double utility(std::span<const float> row) const;
  // One number per column of the data; 0 for features that nobody wants anything of.
  std::vector<double> contributions(std::span<const float> row) const;

 private:
  struct Effect {
    std::size_t column = 0;
    double (*curve)(double) = nullptr;
    double mean = 0;
  };
  struct Pair {
    std::size_t first = 0;  // columns
    std::size_t second = 0;
    double (*effect)(double, double) = nullptr;
    double mean = 0;
  };
  static double value(const Effect& effect, std::span<const float> row);

  Dataset background_;
  std::vector<Effect> effects_;
  std::vector<Pair> pairs_;
  double base_value_ = 0;
};

}  // namespace glassrank
