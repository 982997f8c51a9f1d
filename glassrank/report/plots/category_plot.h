#pragma once
// Picture of a curve whose feature is one of named categories: a bar for each, the highest first,
// two standard deviations to both sides where the model has them, and the rows of its cell where
// weights are known. Of many categories the most frequent are shown; unseen and missing ones last.

#include <optional>
#include <span>
#include <string>

#include "glassrank/models/gam/gam.h"
#include "glassrank/report/plots/picture.h"
#include "glassrank/report/plots/ticks.h"

namespace glassrank {

// `names` are those of the categories by code. The effect has one feature. `scale` is what
// the axis shows at least.
Picture draw_categories(const GamEffect& effect, const std::string& feature,
                        std::span<const std::string> names, std::optional<Span> scale = {});

}  // namespace glassrank
