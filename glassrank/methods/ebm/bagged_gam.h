#pragma once
// The model of several bags: the mean of their tables, centred on the training data.
//
// Each bag's table is shifted so that its mean over the training rows (by weight) is 0, and the
// shift is added to the bag's intercept; then values are means over bags, intercepts too, and
// errors are standard deviations over bags (divided by the number of bags, as interpret shows
// them; none for one bag). Shifting first keeps what bags merely distributed differently between
// intercept and effects out of the errors. A missing cell that no training row falls into has value
// and error 0: the mean effect, as in interpret.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "glassrank/models/gam/gam.h"

namespace glassrank {

struct BaggedEffect {
  std::vector<GamAxis> axes;
  std::vector<double> weights;              // of the training rows, per cell
  std::vector<std::vector<double>> tables;  // per bag
};

struct BaggedModel {
  std::vector<BaggedEffect> effects;
  std::vector<double> intercepts;  // per bag
  std::size_t num_features = 0;
  std::vector<std::string> feature_names;
  std::string objective;
  std::vector<bool> is_category = {};  // of every feature; empty: none is
  CategoryNames categories = {};
};

Gam average_bags(BaggedModel model);

}  // namespace glassrank
