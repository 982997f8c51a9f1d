#pragma once
// What is known to be true of a document's score, because the model shows it.
//
//   impurity    along the document's path through a tree, the change of node value from a node to
//   its
//               child is credited to the feature of the node's split; mean over the trees
//   frequency   splits on the feature / splits on the path; mean over the trees
//   shapley     exact Shapley values against rows of the background (shap_engine.h): what
//   kernel-shap
//               estimates
//
// The first two are the decision-path paper's (Rahnama and Bütepage; tree_shap/decision_path.h). A
// model without cover (RankLib, QuickRank) takes the counts of the background rows. The paper says
// both that leaves are excluded and that contributions add up to the prediction, which needs them;
// the step to the leaf counts here unless excluded.
//
// All are facts about the model, none is the only reading of it: impurity credits the last split of
// a chain with what the chain did together, frequency counts a split whatever it does, and Shapley
// values depend on the background.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/explain/audit/harness.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct GroundTruthParams {
  // Names above; none: nothing; empty: impurity and frequency of a forest, shapley of additive and
  // linear models, nothing of others
  std::vector<std::string> truth;
  bool exclude_leaf = false;

  void visit(ParamVisitor& visitor);
};

struct GroundTruth {
  std::vector<TruthSource> sources;
  // Depth of a document's path (path_depth.h); empty without a forest.
  std::function<double(const ExplainedQuery&, std::uint32_t document)> depth;
};

// Needs the subject no longer. Throws Error{kUsage} for a truth that does not exist, or one that is
// asked for and the subject cannot give.
GroundTruth make_ground_truth(const Subject& subject, const GroundTruthParams& params,
                              const Context& context);

}  // namespace glassrank
