#pragma once
// What is wrong with an edit of an additive model, found before anything is changed (gam_edit.h).

#include <cstddef>

#include "glassrank/models/gam/gam.h"
#include "glassrank/models/gam/gam_edit.h"

namespace glassrank {

// Of the edit alone. Throws Error{kUsage}: a range or limits that are NaN or empty, limits that
// limit nothing or everything, a window outside 1 to 1000, 'drop' or 'purify' with a range, a cell
// of missing values to be flattened, smoothed or made monotone by itself.
void check_edit(const GamEdit& edit);

// The effect an edit is about. Throws Error{kUsage}: no such effect (with the nearest name, the
// features the other way round, or the effects a feature without a curve is part of), another
// number of ranges than features, a surface to be made monotone, a curve to be purified.
std::size_t find_effect(const Gam& gam, const GamEdit& edit);

}  // namespace glassrank
