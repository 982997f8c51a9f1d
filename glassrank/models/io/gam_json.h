#pragma once
// An additive model as JSON that people read and edit (`gam-json`).
//
//   {
//     "format": "glassrank-gam",
//     "version": 1,
//     "objective": "lambdarank",
//     "num_features": 136,
//     "feature_names": ["price", ...],                    left out when there are none
//     "categories": [{"feature": 3, "names": ["red", ...]}],   by code; left out where none has
//     names "intercept": 0.25, "provenance": [["method", "ilmart"], ...], "effects": [
//       {"name": "price", "features": [0], "edges": [[9.5, 20]],
//        "values": [0.5, 0.1, -0.3, 0],                   x <= 9.5, <= 20, > 20, missing
//        "errors": [...], "weights": [...]},              left out when not known
//       {"name": "price x pages", "features": [0, 1], "edges": [[20], [300]],
//        "values": [[1, 2, 0], [3, 4, 0], [0, 0, 0]]}     a row for every cell of the first feature
//     ]
//   }
//
// Features count from 0; the name of an effect is for people and not read. Numbers come back to the
// same bits; edges may be "inf" and "-inf". Edges are float32 values, written with the fewest
// digits that give them back: whoever reads 0.1 must round it, and the value it is compared with,
// to float32 first. Compared as doubles, a value at an edge can fall into the cell beside. Names of
// features differ, for edits find effects by them. Bytes of names that are no UTF-8 become U+FFFD,
// and names that hold it may be alike. Keys other than these are refused.

#include <string>
#include <string_view>

#include "glassrank/models/model.h"

namespace glassrank {

bool is_gam_json(std::string_view bytes);

// The model's body must be a Gam. Throws Error{kInput} when two of its features have one name.
std::string write_gam_json(const Model& model);

// Throws Error{kInput} "effect 3: ..." or with the place where the text is not JSON.
Model read_gam_json(std::string_view text);

}  // namespace glassrank
