#include "glassrank/report/explanation_plots/validity_plot.h"

#include <cstddef>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {

Picture draw(const ValidityPlot& plot) {
  LineChart chart{.title = plot.title,
                  .x_label = "features known (k); bands: 2 standard errors over queries",
                  .y_label = "validity (tau)",
                  .series = {},
                  .from_zero = true,
                  .width = plot.width,
                  .height = plot.height};
  for (const ValidityCurve& curve : plot.curves) {
    LineSeries series{
        .name = curve.explainer, .x = curve.k, .y = curve.validity, .dots = curve.k.size() <= 20};
    for (std::size_t i = 0; i < curve.standard_errors.size(); ++i) {
      series.low.push_back(curve.validity[i] - 2 * curve.standard_errors[i]);
      series.high.push_back(curve.validity[i] + 2 * curve.standard_errors[i]);
    }
    chart.series.push_back(std::move(series));
  }
  return draw(chart);
}

}  // namespace glassrank
