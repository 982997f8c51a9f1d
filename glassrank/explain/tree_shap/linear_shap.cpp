#include "glassrank/explain/tree_shap/linear_shap.h"

#include <cmath>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

double value_of(const Linear& linear, std::size_t feature, float x) {
  return std::isnan(x) ? linear.fill(feature) : x;
}

}  // namespace

LinearShap::LinearShap(const Linear& linear) : linear_(linear) {
  if (linear.parts().fills.empty()) {
    fail(ErrorKind::kInput,
         "the model does not know the means of its features; explain it with respect to data: "
         "--game interventional --background FILE");
  }
  set_usual({linear.parts().fills.begin(), linear.parts().fills.end()});
}

LinearShap::LinearShap(const Linear& linear, MatrixView<const float> background) : linear_(linear) {
  if (background.num_rows() == 0 || background.num_columns() < linear.num_features()) {
    fail(ErrorKind::kUsage,
         "background of {} rows with {} features; at least one row of {} is needed",
         background.num_rows(), background.num_columns(), linear.num_features());
  }
  std::vector<double> usual(linear.num_features(), 0.0);
  for (std::size_t r = 0; r < background.num_rows(); ++r) {
    for (std::size_t f = 0; f < usual.size(); ++f) {
      usual[f] += value_of(linear, f, background(r, f));
    }
  }
  for (double& mean : usual) mean /= static_cast<double>(background.num_rows());
  set_usual(std::move(usual));
}

void LinearShap::set_usual(std::vector<double> usual) {
  usual_ = std::move(usual);
  base_value_ = linear_.intercept();
  for (std::size_t f = 0; f < usual_.size(); ++f) base_value_ += linear_.weights()[f] * usual_[f];
}

void LinearShap::values_checked(MatrixView<const float> rows, MatrixView<double> values,
                                const Context& context) const {
  constexpr std::size_t kRowsAtATime = 256;
  parallel_for(context, rows.num_rows(), kRowsAtATime, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      for (std::size_t f = 0; f < usual_.size(); ++f) {
        const double weight = linear_.weights()[f];
        // A weight of 0 ignores any value, an infinite one too.
        values(r, f) = weight == 0 ? 0 : weight * (value_of(linear_, f, rows(r, f)) - usual_[f]);
      }
    }
  });
}

void LinearShap::interactions_checked(MatrixView<const float> rows, MatrixView<double> values,
                                      MatrixView<double> /*interactions*/,
                                      const Context& context) const {
  values_checked(rows, values, context);
}

}  // namespace glassrank
