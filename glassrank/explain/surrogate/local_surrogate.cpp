#include "glassrank/explain/surrogate/local_surrogate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "glassrank/base/error.h"
#include "glassrank/math/lasso.h"
#include "glassrank/math/ridge.h"
#include "glassrank/math/svr.h"

namespace glassrank {
namespace {

constexpr double kSeedAlpha = 1;      // scikit-learn's default; the paper gives none
constexpr double kRidgeAlpha = 1;     // LIME's
constexpr double kSeedEpsilon = 0.1;  // LIBSVM's default
constexpr double kEpsilonShare = 0.1;

// Weighted mean of the squared differences between targets and what `at` gives for their rows.
template <typename At>
double mean_square(const LinearSample& sample, const At& at) {
  double weight_sum = 0;
  double squares = 0;
  for (std::size_t r = 0; r < sample.num_rows(); ++r) {
    const double rest = sample.targets[r] - at(r);
    weight_sum += sample.weights[r];
    squares += sample.weights[r] * rest * rest;
  }
  return squares / weight_sum;
}

double variance_of(const LinearSample& sample) {
  double weight_sum = 0;
  double mean = 0;
  for (std::size_t r = 0; r < sample.num_rows(); ++r) {
    weight_sum += sample.weights[r];
    mean += sample.weights[r] * sample.targets[r];
  }
  mean /= weight_sum;
  return mean_square(sample, [&](std::size_t) { return mean; });
}

// Share of the targets' variance that the line explains: weighted R^2, from 0 to 1.
double share_explained(const LinearSample& sample, const LinearFit& line) {
  const double rest =
      mean_square(sample, [&](std::size_t r) { return line.at(sample.inputs.row(r)); });
  return std::clamp(1 - rest / variance_of(sample), 0.0, 1.0);
}

}  // namespace

std::span<const std::pair<std::string_view, Surrogate>> EnumNames<Surrogate>::table() {
  static constexpr std::array<std::pair<std::string_view, Surrogate>, 3> kNames = {
      {{"lasso", Surrogate::kLasso}, {"ridge", Surrogate::kRidge}, {"svr", Surrogate::kSvr}}};
  return kNames;
}
std::span<const std::pair<std::string_view, SurrogateMode>> EnumNames<SurrogateMode>::table() {
  static constexpr std::array<std::pair<std::string_view, SurrogateMode>, 2> kNames = {
      {{"default", SurrogateMode::kDefault}, {"seed", SurrogateMode::kSeed}}};
  return kNames;
}

void LocalSurrogateParams::visit(ParamVisitor& visitor) {
  visitor.field("samples", samples, "number of rows to draw around the document",
                Range{.low = 10, .high = 1e7});
  visitor.field("sampler", sampler,
                "how rows are drawn: set features to values of drawn quartiles, or set random "
                "features to the mask");
  visitor.field("bins", bins, "draw quartiles by their frequency, or uniformly");
  visitor.field("mask", mask, "value of a masked feature");
  visitor.field(
      "inputs", inputs,
      "inputs of the surrogate: whether a feature keeps its value (0 or 1), or its scaled value");
  visitor.field("distance", distance,
                "distance between a sample and the document: number of changed features, or "
                "distance of scaled values");
  visitor.field("kernel_width", kernel_width,
                "w of the weight exp(-distance^2 / (w^2 F)) for F features", kPositive);
  visitor.field("surrogate", surrogate, "kind of line that is fitted to the samples");
  visitor.field(
      "alpha", alpha,
      "penalty of lasso and ridge; 0 lets lasso choose it by BIC and sets it to 1 for ridge",
      kNotNegative);
  visitor.field("c", c, "C of support vector regression: the price of an error", kPositive);
  visitor.field("epsilon", epsilon,
                "epsilon of support vector regression: errors up to this cost nothing; 0 is a "
                "tenth of the targets' standard deviation",
                kNotNegative);
  visitor.field("target", target,
                "what is explained: the document's score, whether it is among the first `cutoff`, "
                "or its rank down to `cutoff`");
  visitor.field("cutoff", cutoff, "cutoff of top-k and rank", Range{.low = 1});
  visitor.field("background_rows", background_rows,
                "rows of the background data that quartiles, means and scales are taken from",
                Range{.low = 1});
  visitor.field("mode", mode,
                "seed: use the formulas and signs of the decision-path paper; this overrides the "
                "options of samples and target");
  visitor.field("k", k, "number of features to name", Range{.low = 1});
}

LocalSurrogateParams lirme_params() { return {}; }

LocalSurrogateParams exs_params() {
  LocalSurrogateParams params;
  params.sampler = LocalSampler::kMask;
  params.distance = LocalScale::kScaled;
  params.surrogate = Surrogate::kSvr;
  return params;
}

std::unique_ptr<Explainer> make_lirme() {
  return std::make_unique<LocalSurrogate>("lirme", lirme_params());
}

std::unique_ptr<Explainer> make_exs() {
  return std::make_unique<LocalSurrogate>("exs", exs_params());
}

void LocalSurrogate::prepare(const Subject& subject, const Context& context) {
  check_params(params_);
  check_subject(subject);
  subject_ = &subject;
  players_ = subject.scorer.used_features();
  if (is_seed()) {
    players_.resize(subject.num_features());
    std::iota(players_.begin(), players_.end(), 0U);
  }
  const RowMatrix rows = sample_background(subject, params_.background_rows, context.seed);
  if (!players_.empty() && is_one_row(subject)) {
    fail(ErrorKind::kUsage,
         "{} goes by the spread of features in the background data, and its rows are all alike; "
         "take the training data (--background)",
         name_);
  }
  quartiles_ = quartile_bins(rows.view(), context);
  mask_ = typical_row(subject, params_.mask, context);
}

LocalSampling LocalSurrogate::sampling() const {
  LocalSampling sampling{.num_samples = static_cast<std::size_t>(params_.samples),
                         .sampler = params_.sampler,
                         .bins = params_.bins,
                         .inputs = params_.inputs,
                         .distance = params_.distance,
                         .width = params_.kernel_width};
  if (is_seed()) {
    sampling.bins = BinChoice::kUniform;
    if (params_.surrogate == Surrogate::kSvr) sampling.inputs = LocalScale::kScaled;
  }
  return sampling;
}

LocalTargetSetup LocalSurrogate::target_setup() const {
  const bool is_exs = params_.surrogate == Surrogate::kSvr;
  return {.kind = params_.target,
          .cutoff = static_cast<std::size_t>(params_.cutoff),
          .in_list_units = is_exs && !is_seed(),
          .as_in_the_papers = is_exs && is_seed()};
}

LinearFit LocalSurrogate::fit(const LinearSample& sample, const Context& context) const {
  if (params_.surrogate == Surrogate::kRidge) {
    return fit_ridge(sample, params_.alpha > 0 ? params_.alpha : kRidgeAlpha, context);
  }
  if (params_.surrogate == Surrogate::kLasso) {
    const Lasso lasso(sample, context);
    if (is_seed()) {
      // The paper's sum of squares is ours times 2 sum w.
      const double weight_sum = std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
      return lasso.fit((params_.alpha > 0 ? params_.alpha : kSeedAlpha) / (2 * weight_sum));
    }
    return params_.alpha > 0 ? lasso.fit(params_.alpha) : lasso.fit_by_bic();
  }
  double epsilon = params_.epsilon;
  if (epsilon == 0)
    epsilon = is_seed() ? kSeedEpsilon : kEpsilonShare * std::sqrt(variance_of(sample));
  return fit_svr(sample, {.c = params_.c, .epsilon = epsilon}, context).line;
}

std::vector<Explanation> LocalSurrogate::explain(const ExplainedQuery& query,
                                                 std::span<const Target> targets,
                                                 const Context& context) const {
  std::vector<Explanation> results;
  for (const Target& target : targets) results.push_back(explain_target(query, target, context));
  return results;
}

Explanation LocalSurrogate::explain_target(const ExplainedQuery& query, const Target& target,
                                           const Context& context) const {
  const std::size_t num_features = subject_->num_features();
  const std::vector<float> mask = typical_row_of(query, mask_, num_features);
  const auto document = query.rows.row(target.document).first(num_features);
  const CounterRandom random(context.seed, name_,
                             (std::uint64_t{query.number} << 32) | target.document);
  const LocalSampling sampling = this->sampling();
  const LocalSamples samples = draw_local_samples(
      {.document = document, .players = players_, .quartiles = quartiles_, .mask = mask}, sampling,
      random, context);
  std::vector<double> targets(samples.weights.size());
  subject_->scorer.score(samples.rows.view(), targets, context);
  const LocalTarget local(query, target, target_setup());
  for (double& value : targets) value = local.of(value);

  Explanation result;
  result.target = target;
  result.value = local.offset() + local.unit() * targets.front();
  result.attributions.resize(num_features);
  if (std::ranges::all_of(targets, [&](double y) { return y == targets.front(); })) {
    result.base_value = result.value;
    result.abstains = "no sample around the document differs in what is explained";
    return result;
  }
  const LinearSample sample{samples.input_view(), targets, samples.weights};
  const LinearFit line = fit(sample, context);
  result.fit = share_explained(sample, line);
  result.base_value = local.offset() + local.unit() * line.intercept;
  result.base_words = sampling.inputs == LocalScale::kScaled
                          ? "what the fitted line gives with every feature at its mean"
                          : "what the fitted line gives with every feature changed";
  for (std::size_t i = 0; i < players_.size(); ++i) {
    // Scaled inputs are 0 at the mean: what the document's own value adds to that.
    const double input =
        sampling.inputs == LocalScale::kScaled && !is_seed() ? samples.inputs[i] : 1.0;
    result.attributions[players_[i]] = local.unit() * line.coefficients[i] * input;
  }
  result.features = top_features(result.attributions, num_chosen());
  return result;
}

}  // namespace glassrank
