#pragma once
// How much of an order the first k features of an explanation give, for several explainers:
// Kendall's tau between the ranking and the one with only these features known, against k, with a
// band of two standard errors over queries.

#include <string>
#include <vector>

#include "glassrank/explain/audit/audit_result.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct ValidityCurve {
  std::string explainer;
  std::vector<double> k;  // ascending
  std::vector<double> validity;
  std::vector<double> standard_errors = {};  // as many, or none
};

struct ValidityPlot {
  std::string title = "Validity against the number of features";
  std::vector<ValidityCurve> curves;
  double width = 760;
  double height = 400;
};

// Of an audit: validity with its k features and with those of its sizes, whichever each method has.
ValidityPlot validity_plot(const AuditResult& audit);

Picture draw(const ValidityPlot& plot);

}  // namespace glassrank
