#include "glassrank/models/gam/gam_edit_check.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {
namespace {

const EditRange kEverything;
constexpr int kMaxWindow = 1000;

bool is_monotone(EditKind kind) {
  return kind == EditKind::kMonotoneUp || kind == EditKind::kMonotoneDown;
}

void check_range(const EditRange& range) {
  if (range.missing) return;
  if (std::isnan(range.low) || std::isnan(range.high)) {
    fail(ErrorKind::kUsage, "the range {}: no value is NaN; 'missing' is the range of those",
         to_text(range));
  }
  if (range.low > range.high) {
    fail(ErrorKind::kUsage, "the range {} is empty; the smaller number comes first",
         to_text(range));
  }
}

void check_limits(const EditRange& limits) {
  const bool has_sense = limits.low <= limits.high && limits.low < kEverything.high &&
                         limits.high > kEverything.low && !limits.missing;
  if (!has_sense) {
    fail(ErrorKind::kUsage, "no value lies within {}; limits are LOW..HIGH, LOW.. or ..HIGH",
         to_text(limits));
  }
  if (limits == kEverything) {
    fail(ErrorKind::kUsage,
         "'to ..' limits nothing; give 'clamp' a limit: LOW..HIGH, LOW.. or ..HIGH");
  }
}

// The edits that look at a cell's neighbours have nothing to do in a single cell without any.
void check_missing(const GamEdit& edit) {
  const bool needs_neighbours =
      edit.kind == EditKind::kFlatten || edit.kind == EditKind::kSmooth || is_monotone(edit.kind);
  if (!needs_neighbours || edit.ranges.empty()) return;
  if (!std::ranges::all_of(edit.ranges, &EditRange::missing)) return;
  GamEdit right = edit;
  right.kind = EditKind::kClamp;
  right.limits = {.low = 0, .high = 0};
  fail(ErrorKind::kUsage, "missing values have one cell, without neighbours; '{}' sets it",
       to_text(right));
}

// Categories have no order, and are chosen by name.
void check_categories(const Gam& gam, std::size_t e, const GamEdit& edit) {
  const bool needs_order = edit.kind == EditKind::kSmooth || is_monotone(edit.kind);
  const std::vector<GamAxis>& axes = gam.effects()[e].axes;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const bool is_category = !names_of(gam.categories(), axes[a].feature).empty();
    const std::string name = gam.feature_name(axes[a].feature);
    if (is_category && needs_order) {
      fail(ErrorKind::kUsage,
           "{} is a feature of categories, which have no order: nothing can be smoothed or made "
           "monotone; flatten, clamp and drop take it",
           name);
    }
    if (edit.ranges.empty() || edit.ranges[a].missing) continue;
    if (is_category && edit.ranges[a].categories.empty()) {
      fail(ErrorKind::kUsage, "{} is a feature of categories; write in {{NAME,NAME}} for a range",
           name);
    }
    if (!is_category && !edit.ranges[a].categories.empty()) {
      fail(ErrorKind::kUsage, "{} is a feature of numbers; its ranges are 0..100, ..100, 20..",
           name);
    }
  }
}

// "a x b" for "b x a"; empty for the name of a feature.
std::string turned_round(const std::string& name) {
  const std::size_t cross = name.find(" x ");
  if (cross == std::string::npos) return "";
  return fmt::format("{} x {}", name.substr(cross + 3), name.substr(0, cross));
}

// Of the effects that use a feature.
std::vector<std::string> effects_with(const Gam& gam, std::size_t feature) {
  std::vector<std::string> names;
  for (std::size_t e = 0; e < gam.effects().size(); ++e) {
    const bool uses = std::ranges::any_of(
        gam.effects()[e].axes, [&](const GamAxis& axis) { return axis.feature == feature; });
    if (uses) names.push_back(gam.effect_name(e));
  }
  return names;
}

[[noreturn]] void fail_unknown(const Gam& gam, const std::string& name,
                               const std::vector<std::string>& known) {
  if (known.empty()) fail(ErrorKind::kUsage, "the model has no effects, so none to edit");
  if (std::ranges::find(known, turned_round(name)) != known.end()) {
    fail(ErrorKind::kUsage, "unknown effect '{}'; did you mean '{}'?", name, turned_round(name));
  }
  for (std::size_t f = 0; f < gam.num_features(); ++f) {
    if (gam.feature_name(f) != name) continue;
    const std::vector<std::string> with = effects_with(gam, f);
    if (with.empty()) fail(ErrorKind::kUsage, "the model does not use '{}'", name);
    fail(ErrorKind::kUsage, "the model has no curve of '{}'; it is part of {}", name,
         fmt::join(with, ", "));
  }
  const std::string last = name.substr(name.rfind(' ') + 1);
  if (last != name && last.find("..") != std::string::npos) {
    fail(ErrorKind::kUsage, "'{}' is no range; write 0..100, ..100, 20.. or missing", last);
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("effect", name, known));
}

}  // namespace

void check_edit(const GamEdit& edit) {
  for (const EditRange& range : edit.ranges) check_range(range);
  if (edit.kind == EditKind::kDrop && !edit.ranges.empty()) {
    fail(ErrorKind::kUsage, "'drop' takes a whole effect; 'flatten' takes a range");
  }
  if (edit.kind == EditKind::kPurify && !edit.ranges.empty()) {
    fail(ErrorKind::kUsage, "'purify' takes a whole surface, or all of them");
  }
  if (edit.kind == EditKind::kClamp) check_limits(edit.limits);
  if (edit.kind == EditKind::kSmooth && (edit.window < 1 || edit.window > kMaxWindow)) {
    fail(ErrorKind::kUsage, "'by {}': a moving average goes over 1 to {} cells to either side",
         edit.window, kMaxWindow);
  }
}

std::size_t find_effect(const Gam& gam, const GamEdit& edit) {
  std::vector<std::string> names;
  for (std::size_t e = 0; e < gam.effects().size(); ++e) names.push_back(gam.effect_name(e));
  const auto found = std::ranges::find(names, edit.effect);
  if (found == names.end()) fail_unknown(gam, edit.effect, names);
  const auto e = static_cast<std::size_t>(found - names.begin());
  const std::size_t num_axes = gam.effects()[e].axes.size();
  if (!edit.ranges.empty() && edit.ranges.size() != num_axes) {
    fail(ErrorKind::kUsage, "{} takes {}", edit.effect,
         num_axes == 1 ? "one range, for example 0..100"
                       : "one range for each of its features, for example 0..100 x 20..");
  }
  check_missing(edit);
  check_categories(gam, e, edit);
  if (is_monotone(edit.kind) && num_axes == 2) {
    fail(ErrorKind::kUsage, "{} is a surface; only curves can be made monotone", edit.effect);
  }
  if (edit.kind == EditKind::kPurify && num_axes == 1) {
    fail(ErrorKind::kUsage, "{} is a curve; only surfaces can be purified", edit.effect);
  }
  return e;
}

}  // namespace glassrank
