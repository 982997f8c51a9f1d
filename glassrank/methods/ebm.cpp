#include "glassrank/methods/ebm.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/keep_rows.h"
#include "glassrank/methods/check_params.h"
#include "glassrank/methods/ebm/bagged_gam.h"
#include "glassrank/methods/ebm/cyclic.h"
#include "glassrank/methods/ebm/term_cells.h"
#include "glassrank/methods/round_metrics.h"
#include "glassrank/methods/same_features.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {
namespace {

void check_input(const Dataset& train, const Dataset* valid, const EbmParams& params) {
  check_params(params);
  if (train.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  if (valid != nullptr) check_same_features(train.feature_names(), valid->feature_names());
  if (params.stop_on == StopOn::kValid && (valid == nullptr || valid->num_rows() == 0)) {
    fail(ErrorKind::kUsage, "stop_on valid needs validation data");
  }
}

// The features whose values tell rows apart.
std::vector<std::uint32_t> varying_features(const BinnedDataset& data) {
  std::vector<std::uint32_t> features;
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    if (!data.is_constant(f)) features.push_back(static_cast<std::uint32_t>(f));
  }
  return features;
}

// Everything bags share.
class EbmTraining {
 public:
  EbmTraining(const Dataset& train, const Dataset* valid, const EbmParams& params,
              const Context& context, std::size_t log_every)
      : params_(params),
        context_(context),
        log_every_(log_every),
        curve_bins_(bin_dataset(train, bin_params(params.max_bins), context)),
        pair_bins_(bin_dataset(train, bin_params(params.pair_bins), context)),
        features_(varying_features(curve_bins_)),
        metric_(parse_metric(params.metric)),
        bags_(num_bags()) {
    if (params.stop_on == StopOn::kValid) {
      curve_valid_ = bin_with(*valid, curve_bins_.shared_edges(), context);
      pair_valid_ = bin_with(*valid, pair_bins_.shared_edges(), context);
    }
    make_objective(params.objective, context.seed);  // complains of what it cannot use
    check_interactions();
  }

  EbmResult train() {
    EbmResult result;
    result.is_interrupted = !on_bags("curves", [&](std::size_t bag) { boost_curves(bag); });
    std::erase_if(bags_, [](const Bag& bag) { return !bag.has_curves; });
    if (bags_.empty()) context_.check_stop();
    if (params_.num_interactions > 0 && !result.is_interrupted) {
      result.pairs = choose_pairs();
      result.is_interrupted =
          !on_bags("surfaces", [&](std::size_t bag) { boost_surfaces(bag, result.pairs); });
      keep_bags_with_surfaces(result);
    }
    result.gam = average(result.pairs);
    for (const Bag& bag : bags_) result.bags.push_back(bag.report);
    return result;
  }

 private:
  struct Bag {
    BagSplitRows rows;
    EbmBag report;
    double initial_score = 0;
    std::vector<std::vector<double>> curves;    // of features_
    std::vector<std::vector<double>> surfaces;  // of the chosen pairs
    std::vector<RankedPair> ranked;
    bool has_curves = false;  // of a round at least, unless none was wanted
    bool has_surfaces = false;
    bool is_interrupted = false;
  };
  // One bag's work in one stage.
  struct Work {
    std::size_t bag = 0;
    std::string_view stage;
    const BagData& data;
    const BagScores& start;
    const Objective* objective = nullptr;
  };

  // Bags differ only in what they hold out.
  std::size_t num_bags() const {
    if (params_.valid_share > 0 || params_.outer_bags == 1) {
      return static_cast<std::size_t>(params_.outer_bags);
    }
    context_.info(
        fmt::format("valid_share 0: nothing is held out, so all {} bags would be equal; one is "
                    "trained, and the model has no error bars",
                    params_.outer_bags));
    return 1;
  }

  // Every distinct value may have a bin, as in interpret; both kinds of bins see the same sample.
  static BinParams bin_params(int cells) { return {.max_bins = cells - 1, .min_bin_rows = 1}; }

  void check_interactions() const {
    const std::size_t pairs = features_.size() * (features_.size() - 1) / 2;
    if (params_.num_interactions == 0) return;
    if (features_.size() < 2) {
      fail(ErrorKind::kUsage, "num_interactions {}: only {} of the features vary, no pair of them",
           params_.num_interactions, features_.size());
    }
    if (static_cast<std::size_t>(params_.num_interactions) > pairs) {
      fail(ErrorKind::kUsage, "num_interactions {}: the {} features that vary have {} pairs",
           params_.num_interactions, features_.size(), pairs);
    }
  }

  bool is_squared_error() const { return params_.objective.objective == "squared_error"; }

  // Returns whether no bag was interrupted.
  template <typename Body>
  bool on_bags(std::string_view task, Body&& body) {
    Context shown = context_;
    if (log_every_ > 0) shown.progress_sink = nullptr;  // lines of the log stand for it
    Progress progress(shown, fmt::format("boosting {}", task), "bags", bags_.size());
    progress_ = &progress;
    owner_ = std::this_thread::get_id();
    parallel_for(context_, bags_.size(), 1, [&](std::size_t bag, std::size_t) {
      try {
        body(bag);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInterrupted) throw;
        bags_[bag].is_interrupted = true;
      }
      progress.add(1);
    });
    progress_ = nullptr;
    return std::ranges::none_of(bags_, &Bag::is_interrupted);
  }

  // Stopped before any surface had begun, the curves are a model all the same.
  void keep_bags_with_surfaces(EbmResult& result) {
    if (std::ranges::any_of(bags_, &Bag::has_surfaces)) {
      std::erase_if(bags_, [](const Bag& bag) { return !bag.has_surfaces; });
    } else {
      result.pairs.clear();
    }
  }

  void report(const Work& work, std::size_t num_rounds, double loss) {
    // Only the owner of the progress may report it.
    if (std::this_thread::get_id() == owner_) progress_->report();
    if (log_every_ == 0 || num_rounds % log_every_ != 0) return;
    std::string line = fmt::format("[{}] bag {} {}", num_rounds, work.bag + 1, work.stage);
    if (!std::isnan(loss)) {
      line += fmt::format(
          "  {} {}: {:.6f}", params_.stop_on == StopOn::kValid ? "valid" : "held-out",
          is_squared_error() ? "squared error" : params_.metric, is_squared_error() ? loss : -loss);
    }
    const std::scoped_lock lock(log_mutex_);
    context_.info(line);
  }

  CyclicRules rules() const {
    return {.step = {.max_leaves = static_cast<std::size_t>(params_.max_leaves),
                     .min_leaf_rows = static_cast<double>(params_.min_leaf_rows),
                     .min_leaf_hessian = params_.min_leaf_hessian,
                     .learning_rate = params_.learning_rate},
            .max_rounds = static_cast<std::size_t>(params_.max_rounds),
            .patience = static_cast<std::size_t>(params_.patience),
            .tolerance = params_.tolerance};
  }

  BagData data_of(const BagSplitRows& rows, const BinnedDataset& bins,
                  const std::optional<BinnedDataset>& valid) const {
    return {.train = keep_rows(bins, rows.train, context_),
            .valid = valid ? *valid : keep_rows(bins, rows.held_out, context_)};
  }

  // Prepared for the training rows of a bag; null for squared error, which needs only the mean.
  std::unique_ptr<Objective> objective_for(const BinnedDataset& train, double& initial) const {
    std::unique_ptr<Objective> objective = make_objective(params_.objective, context_.seed);
    objective->prepare(
        {.grades = train.grades(), .weights = train.weights(), .queries = train.queries()});
    initial = objective->initial_score();
    if (is_squared_error()) objective = nullptr;
    return objective;
  }

  BagTarget target(const Objective* objective) const {
    return {.objective = objective,
            .gradients_every = static_cast<std::size_t>(params_.gradients_every),
            .metric = round_metrics("valid", 0, std::span(&metric_, 1)).front().function,
            .context = context_};
  }

  // Returns whether there is a round to show for it.
  template <typename Terms>
  bool boost(const Work& work, const Terms& terms, std::vector<std::vector<double>>& tables,
             EbmStage& stage) {
    const std::unique_ptr<BagRows> rows =
        make_bag_rows(work.data, terms.codes(), work.start, target(work.objective));
    CyclicResult result = boost_cyclically(
        *rows, terms.shapes(), rules(),
        [&](std::size_t num_rounds, double loss) { report(work, num_rounds, loss); }, context_);
    tables = std::move(result.tables);
    stage = {.num_rounds = result.num_rounds,
             .kept_rounds = static_cast<double>(result.best_visit) /
                            static_cast<double>(std::max<std::size_t>(terms.shapes().size(), 1)),
             .start_loss = result.start_loss,
             .best_loss = result.best_loss};
    bags_[work.bag].is_interrupted = result.is_interrupted;
    return !result.is_interrupted || result.num_rounds > 0;
  }

  void boost_curves(std::size_t b) {
    Bag& bag = bags_[b];
    const BagRules bag_rules{.split = params_.split, .share = params_.valid_share};
    bag.rows = split_bag(curve_bins_.queries(), bag_rules, context_.seed, b);
    const BagData data = data_of(bag.rows, curve_bins_, curve_valid_);
    bag.report.num_train_rows = data.train.num_rows();
    bag.report.num_held_out_rows = data.valid.num_rows();
    const std::unique_ptr<Objective> objective = objective_for(data.train, bag.initial_score);
    BagScores start{.train = std::vector<double>(data.train.num_rows(), bag.initial_score),
                    .valid = std::vector<double>(data.valid.num_rows(), bag.initial_score)};
    const CurveTerms terms(data, features_);
    const Work work{
        .bag = b, .stage = "curves", .data = data, .start = start, .objective = objective.get()};
    bag.has_curves = boost(work, terms, bag.curves, bag.report.curves);
    if (params_.num_interactions > 0 && !bag.is_interrupted) {
      rank_pairs(bag, data, std::move(start), objective.get());
    }
  }

  BagScores scores_after_curves(const Bag& bag, const BagData& data, BagScores scores) const {
    add_curves(data.train, features_, bag.curves, scores.train);
    add_curves(data.valid, features_, bag.curves, scores.valid);
    return scores;
  }

  void rank_pairs(Bag& bag, const BagData& data, BagScores start, const Objective* objective) {
    const BagScores scores = scores_after_curves(bag, data, std::move(start));
    const BinnedDataset train = keep_rows(pair_bins_, bag.rows.train, context_);
    const BagGradients found = gradients_of(train, scores.train, objective, context_);
    bag.ranked = rank_pairs_fast(
        {.data = train,
         .gradients = found.gradients,
         .hessians = found.hessians,
         .features = features_},
        {.max_bins = params_.pair_bins, .min_leaf_rows = params_.min_leaf_rows}, context_);
  }

  // By mean rank over the bags.
  std::vector<RankedPair> choose_pairs() {
    const std::size_t n = features_.size();
    std::vector<std::uint32_t> place(curve_bins_.num_features());
    for (std::size_t i = 0; i < n; ++i) place[features_[i]] = static_cast<std::uint32_t>(i);
    std::vector<double> rank_sums(n * n);
    for (Bag& bag : bags_) {
      for (std::size_t rank = 0; rank < bag.ranked.size(); ++rank) {
        const RankedPair& pair = bag.ranked[rank];
        rank_sums[place[pair.first] * n + place[pair.second]] += static_cast<double>(rank);
      }
      bag.ranked.clear();
    }
    std::vector<RankedPair> pairs;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const double mean = rank_sums[i * n + j] / static_cast<double>(bags_.size());
        pairs.push_back({.first = features_[i], .second = features_[j], .gain = -mean});
      }
    }
    std::ranges::stable_sort(pairs, std::greater<>(), &RankedPair::gain);
    pairs.resize(static_cast<std::size_t>(params_.num_interactions));
    return pairs;
  }

  void boost_surfaces(std::size_t b, std::span<const RankedPair> pairs) {
    Bag& bag = bags_[b];
    BagScores start;
    {
      const BagData curves = data_of(bag.rows, curve_bins_, curve_valid_);
      start = scores_after_curves(
          bag, curves,
          {.train = std::vector<double>(curves.train.num_rows(), bag.initial_score),
           .valid = std::vector<double>(curves.valid.num_rows(), bag.initial_score)});
    }
    const BagData data = data_of(bag.rows, pair_bins_, pair_valid_);
    double initial = 0;
    const std::unique_ptr<Objective> objective = objective_for(data.train, initial);
    const SurfaceTerms terms(data, pairs);
    const Work work{
        .bag = b, .stage = "surfaces", .data = data, .start = start, .objective = objective.get()};
    bag.has_surfaces = boost(work, terms, bag.surfaces, bag.report.surfaces);
  }

  Gam average(std::span<const RankedPair> pairs) {
    const auto names = curve_bins_.feature_names();
    BaggedModel model{.num_features = curve_bins_.num_features(),
                      .feature_names = {names.begin(), names.end()},
                      .objective = params_.objective.objective};
    for (const Bag& bag : bags_) model.intercepts.push_back(bag.initial_score);
    for (std::size_t i = 0; i < features_.size(); ++i) {
      BaggedEffect effect = curve_effect(curve_bins_, features_[i]);
      for (Bag& bag : bags_) effect.tables.push_back(std::move(bag.curves[i]));
      model.effects.push_back(std::move(effect));
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      BaggedEffect effect = surface_effect(pair_bins_, pairs[i]);
      for (Bag& bag : bags_) effect.tables.push_back(std::move(bag.surfaces[i]));
      model.effects.push_back(std::move(effect));
    }
    return average_bags(std::move(model));
  }

  const EbmParams& params_;
  const Context& context_;
  std::size_t log_every_;
  std::mutex log_mutex_;
  BinnedDataset curve_bins_;
  BinnedDataset pair_bins_;
  std::optional<BinnedDataset> curve_valid_;  // stop_on valid
  std::optional<BinnedDataset> pair_valid_;
  std::vector<std::uint32_t> features_;
  MetricSpec metric_;
  std::vector<Bag> bags_;
  Progress* progress_ = nullptr;
  std::thread::id owner_;
};

}  // namespace

EbmResult train_ebm(const Dataset& train, const Dataset* valid, const EbmParams& params,
                    const Context& context, std::size_t log_every) {
  check_input(train, valid, params);
  return EbmTraining(train, valid, params, context, log_every).train();
}

}  // namespace glassrank
