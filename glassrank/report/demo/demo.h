#pragma once
// The main job on the embedded book shop: data, models, cleaning, a glass box, explanations and an
// audit, ending with a page. What `glassrank demo` runs.

#include <string>

#include "glassrank/base/context.h"
#include "glassrank/report/demo/demo_report.h"

namespace glassrank {

// Writes data, models, pictures and report.html to the folder; `date` is what the page shows.
DemoFindings run_demo(const std::string& folder, const std::string& date, const Context& context);

}  // namespace glassrank
