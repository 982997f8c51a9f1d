#pragma once
// Changes to an additive model by hand, each recorded: what makes a glass box editable.
//
// One edit is one line of text; EFFECT is a feature's name or "price x pages":
//   flatten EFFECT [RANGE]              the weighted mean of the range's cells, for all of them
//   smooth EFFECT [RANGE] [by N]        a weighted moving average over N cells to either side (2)
//   monotone up|down FEATURE [RANGE]    the model never falls or never rises with it: the nearest
//                                       curve and surfaces in weighted squares (monotone.h; a
//                                       curve alone by isotonic regression)
//   clamp EFFECT [RANGE] to LOW..HIGH   values limited to [LOW, HIGH]
//   drop EFFECT                         without the effect; its mean goes to the intercept
//   purify [EFFECT]                     main effects out of a surface, or of all (gam_purify.h)
//
// RANGE is of x: "0..100", "..100", "20.." or "missing"; it covers every cell it overlaps, whole.
// Surfaces take one per feature: "0..100 x 20..". Curves of categories take "in {red,blue}"
// instead; they have no order, so nothing smooths them or makes them monotone. Without a range
// every cell but those of missing values is meant. A moving average, a mean or a regression looks
// at the range's cells only.
//
// Weights are those of the cells (training rows); where none are known, or none is above 0, every
// cell counts alike, but for those of missing values when an effect is dropped. Isotonic regression
// gives cells without rows a vanishing weight. The standard errors of cells an edit changes become
// 0: their values are not means over bags any more.

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/models/model.h"

namespace glassrank {

enum class EditKind { kFlatten, kSmooth, kMonotoneUp, kMonotoneDown, kClamp, kDrop, kPurify };

// Of x, both ends included; or the cell of missing values.
struct EditRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool missing = false;
  std::vector<std::string> categories = {};  // their cells alone

  bool operator==(const EditRange&) const = default;
};

struct GamEdit {
  EditKind kind = EditKind::kDrop;
  std::string effect;             // empty: all surfaces, purify only
  std::vector<EditRange> ranges;  // empty: everything; else one per feature of the effect
  EditRange limits;               // of values: clamp only
  int window = 2;                 // smooth only

  bool operator==(const GamEdit&) const = default;
};

// Throws Error{kUsage}: an unknown verb with the nearest one, no effect, what check_edit finds
// (gam_edit_check.h).
GamEdit parse_edit(std::string_view text);
// The line parse_edit reads back.
std::string to_text(const GamEdit& edit);
std::string to_text(const EditRange& range);

// Throws Error{kUsage}: what check_edit and find_effect find (gam_edit_check.h), a range beyond the
// effect's edges, a surface to be purified whose weights are not known.
Gam edited(const Gam& gam, const GamEdit& edit);
// The same, with the edit as the last line of the provenance: {"edit.1", "monotone up price
// 0..100"}. The model's body must be a Gam.
Model edited(const Model& model, const GamEdit& edit);
// Lines of edits.
std::size_t num_edits(const Provenance& provenance);

}  // namespace glassrank
