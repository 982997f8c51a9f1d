#pragma once
// The demo's glass-box ranker: ILMART on the book shop, with the curves and surfaces, purified,
// that are all there is to it.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/training/trained_model.h"
#include "glassrank/models/gam/gam.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank {

// Curves of few steps a tree: better on the validation part than the black box's 16 leaves.
inline constexpr int kGlassboxTrees = 1000;
inline constexpr int kGlassboxLeaves = 4;
inline constexpr int kGlassboxPairs = 5;

struct DemoEffect {
  std::string name;
  std::string file;  // of the picture, within the demo's folder
  Picture picture;
};

struct DemoGlassbox {
  Gam gam;  // centred on the training part, with its rows in every cell
  Provenance provenance;
  std::size_t num_curves = 0;
  std::size_t num_surfaces = 0;
  std::vector<DemoEffect> effects;  // the curves that matter most, then surfaces
};

// `params` of the black box it stands beside, but for the constants above.
DemoGlassbox train_glassbox(const TrainInputs& inputs, LambdamartParams params,
                            const Context& context);

}  // namespace glassrank
