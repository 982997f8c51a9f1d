#pragma once
// The baseline of every explainer that chooses features: k of them drawn at random from those the
// ranker uses. `value` is how far such a set keeps the order, in the mean over several draws; the
// features are those of the first draw.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/audit/validity.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct RandomExplainerParams {
  int k = 5;
  int repeats = 10;
  Typical typical = Typical::kMean;
  Tau tau = Tau::kA;

  void visit(ParamVisitor& visitor);
};

class RandomExplainer final : public Explainer {
 public:
  explicit RandomExplainer(RandomExplainerParams params = {}) : params_(params) {}

  std::string name() const override { return "random"; }
  ExplainerTraits traits() const override;
  std::unique_ptr<Explainer> clone() const override;
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(params_.k); }
  void prepare(const Subject& subject, const Context& context) override;
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override;

 private:
  // One set per repeat, by seed and query.
  std::vector<std::vector<std::uint32_t>> draw_sets(const ExplainedQuery& query,
                                                    std::uint64_t seed) const;

  RandomExplainerParams params_;
  std::optional<Subject> subject_;
  std::vector<float> typical_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace glassrank
