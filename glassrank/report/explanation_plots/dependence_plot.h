#pragma once
// What a feature's value is worth, document by document: its attribution against its value. Points
// of one value that lie apart show that another feature acts with it; that one may give the colour.
//
// The x axis shows the middle 99 % of the values (all, if they lie close) and says what lies
// outside. It is logarithmic where no value is negative and the middle 90 % of the positive ones
// span more than 50 to 1; zeros then stand in a column of their own at the left, as missing values
// always do at the right. Points that fall on one another are drawn once, with the mean of their
// colours: the picture's size does not grow with the data.

#include <string>
#include <vector>

#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct DependencePlot {
  std::string title;
  std::string feature;
  std::vector<double> values;        // by document; NaN: missing
  std::vector<double> attributions;  // by document
  std::string colour_feature = {};   // that acts with it most; empty: none
  std::vector<double> colour_values = {};
  double width = 760;
  double height = 420;
};

Picture draw(const DependencePlot& chart);

}  // namespace glassrank
