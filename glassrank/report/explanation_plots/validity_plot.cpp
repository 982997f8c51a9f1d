#include "glassrank/report/explanation_plots/validity_plot.h"

#include <charconv>
#include <cstddef>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/report/plots/line_chart.h"

namespace glassrank {
namespace {

// k of "validity@k", or of "validity" itself; 0 for another measure.
std::size_t size_of(std::string_view measure, std::size_t k) {
  constexpr std::string_view kValidity = "validity";
  if (measure == kValidity) return k;
  if (!measure.starts_with(kValidity) || measure.size() <= kValidity.size() + 1) return 0;
  const std::string_view digits = measure.substr(kValidity.size() + 1);
  std::size_t size = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), size);
  return size;
}

}  // namespace

ValidityPlot validity_plot(const AuditResult& audit) {
  ValidityPlot plot{.title = fmt::format("Validity against the number of features, {} queries",
                                         audit.num_queries - audit.num_without_order),
                    .curves = {}};
  for (const AuditedMethod& method : audit.methods) {
    std::map<std::size_t, const MeasureMean*> means;
    for (const MeasureMean& mean : method.measures) {
      if (const std::size_t size = size_of(mean.measure, audit.k)) means[size] = &mean;
    }
    ValidityCurve& curve = plot.curves.emplace_back();
    curve.explainer = method.method;
    for (const auto& [size, mean] : means) {
      curve.k.push_back(static_cast<double>(size));
      curve.validity.push_back(mean->mean);
      curve.standard_errors.push_back(mean->standard_error);
    }
  }
  return plot;
}

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
