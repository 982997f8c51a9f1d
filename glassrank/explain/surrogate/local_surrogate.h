#pragma once
// lirme and exs: a document's score (or place) explained by a simple model fitted around it.
//
//   1. samples around the document (local_samples.h), scored by the ranker in one batch
//   2. what is explained of each score (local_target.h): score, top-k, rank, pairwise
//   3. a weighted line through them: lasso (alpha by BIC), ridge, or support vector regression
// The coefficients are the attributions: what keeping the document's own value (its quartile) adds
// to the value. With scaled inputs it is coefficient * (value - mean) / standard deviation.
// Positive always raises the document.
//
// LIRME (Verma and Ganguly 2019): quartile samples, binary inputs, lasso.
// EXS (Singh and Anand 2019): masked samples, weights by scaled distance, support vector
// regression with epsilon = 0.1 standard deviations of the targets.
//
// mode = seed follows the tabular versions in the decision-path paper: all features change, whether
// the ranker uses them or not; LIRME draws the four quartiles alike and minimises
// sum w (g - S)^2 + alpha |theta| (alpha = 1 where none is given, as scikit-learn's default); EXS
// fits (S_max - S) / S_max to scaled values with epsilon = 0.1. Attributions are then the bare
// coefficients with the paper's signs: EXS's are positive where a feature lowers the document.
//
// Cost: samples scores, and samples x features^2 / 2 for the lasso.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "glassrank/explain/background.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/surrogate/local_samples.h"
#include "glassrank/explain/surrogate/local_target.h"
#include "glassrank/math/linear_sample.h"

namespace glassrank {

enum class Surrogate { kLasso, kRidge, kSvr };
enum class SurrogateMode { kDefault, kSeed };
template <>
struct EnumNames<Surrogate> {
  static std::span<const std::pair<std::string_view, Surrogate>> table();
};
template <>
struct EnumNames<SurrogateMode> {
  static std::span<const std::pair<std::string_view, SurrogateMode>> table();
};

struct LocalSurrogateParams {
  std::uint64_t samples = 2000;
  LocalSampler sampler = LocalSampler::kQuartile;
  BinChoice bins = BinChoice::kFrequency;
  Typical mask = Typical::kMean;
  LocalScale inputs = LocalScale::kBinary;
  LocalScale distance = LocalScale::kBinary;
  double kernel_width = 0.75;
  Surrogate surrogate = Surrogate::kLasso;
  double alpha = 0;
  double c = 1;
  double epsilon = 0;
  LocalTargetKind target = LocalTargetKind::kScore;
  int cutoff = 10;
  std::uint64_t background_rows = 10000;
  SurrogateMode mode = SurrogateMode::kDefault;
  int k = 5;

  void visit(ParamVisitor& visitor);
};

LocalSurrogateParams lirme_params();
LocalSurrogateParams exs_params();

class LocalSurrogate final : public Explainer {
 public:
  LocalSurrogate(std::string name, LocalSurrogateParams params)
      : name_(std::move(name)), params_(params) {}

  std::string name() const override { return name_; }
  ExplainerTraits traits() const override {
    return {.is_sampled = true, .names_unsure = is_seed(), .explains_pairs = true};
  }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<LocalSurrogate>(name_, params_);
  }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(params_.k); }
  void prepare(const Subject& subject, const Context& context) override;
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override;

 private:
  Explanation explain_target(const ExplainedQuery& query, const Target& target,
                             const Context& context) const;
  LinearFit fit(const LinearSample& sample, const Context& context) const;
  bool is_seed() const { return params_.mode == SurrogateMode::kSeed; }
  LocalSampling sampling() const;
  LocalTargetSetup target_setup() const;

  std::string name_;
  LocalSurrogateParams params_;
  const Subject* subject_ = nullptr;
  std::vector<std::uint32_t> players_;
  std::vector<QuartileBins> quartiles_;
  std::vector<float> mask_;
};

std::unique_ptr<Explainer> make_lirme();
std::unique_ptr<Explainer> make_exs();

}  // namespace glassrank
