#include "glassrank/methods/ebm/ebm.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/data/select_rows.h"
#include "glassrank/data/shard.h"
#include "glassrank/methods/ebm/bagged_gam.h"
#include "glassrank/methods/ebm/check_ebm.h"
#include "glassrank/methods/ebm/choose_pairs.h"
#include "glassrank/methods/ebm/cyclic.h"
#include "glassrank/methods/ebm/effect_cells.h"
#include "glassrank/methods/ebm/lane_boosting.h"
#include "glassrank/methods/ebm/lane_data.h"
#include "glassrank/methods/training/round_metrics.h"
#include "glassrank/methods/training/state_archive.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {
namespace {

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
              const Context& context, const EbmRun& run)
      : params_(params),
        context_(context),
        run_(run),
        curve_bins_(bin_dataset(train, bin_params(params.max_bins), context)),
        pair_bins_(params.num_interactions > 0
                       ? bin_dataset(train, bin_params(params.pair_bins), context)
                       : curve_bins_),
        features_(varying_features(curve_bins_)),
        metric_(stop_metric(params.watch)),
        bags_(num_bags()) {
    if (params.bagging.stop_on == StopOn::kValid) {
      curve_valid_ = bin_with(*valid, curve_bins_.shared_edges(), context);
      if (params.num_interactions > 0) {
        pair_valid_ = bin_with(*valid, pair_bins_.shared_edges(), context);
      }
    }
    make_objective(objective_of(params.objective, params.watch),
                   context.seed);  // complains of what it cannot use
    check_interactions();
    split_bags();
    load_state();
  }

  EbmResult train() {
    EbmResult result;
    result.is_interrupted = !on_bags("boosting curves", &Bag::are_curves_done,
                                     [&](std::span<Bag> bags) { boost_curves(bags); });
    const bool has_surfaces = params_.num_interactions > 0;
    if (result.is_interrupted || !has_surfaces) save_end(result.is_interrupted);
    std::erase_if(bags_, [](const Bag& bag) { return !bag.has_curves; });
    if (bags_.empty()) context_.check_stop_anywhere();
    if (has_surfaces && !result.is_interrupted) boost_pairs(result);
    result.gam = average(result.pairs);
    for (const Bag& bag : bags_) result.bags.push_back(bag.report);
    return result;
  }

 private:
  struct Bag {
    std::size_t number = 0;
    BagSplitRows rows;
    EbmBag report;
    double initial_score = 0;
    std::vector<std::vector<double>> curves;    // of features_
    std::vector<std::vector<double>> surfaces;  // of the chosen pairs
    std::vector<RankedFeaturePair> ranked;
    bool has_curves = false;  // of a round at least, unless none was wanted
    bool has_surfaces = false;
    bool is_interrupted = false;
    bool are_curves_done = false;  // to the end of the stage, now or in a run before
    bool are_surfaces_done = false;
  };

  // A stage of a bag is the smallest part that is not begun again: what was done within one depends
  // on sums that would have to be kept to the bit.
  void archive_state(StateArchive& state) {
    const std::string wanted = toml_text(list_params(params_));
    std::string run = wanted;
    state(run);
    if (run != wanted) return;  // of fewer rounds: nothing to go on from
    for (Bag& bag : bags_) {
      state(bag.are_curves_done, bag.are_surfaces_done);
      if (bag.are_curves_done) {
        state(bag.report.curves, bag.initial_score, bag.curves, bag.ranked);
      }
      if (bag.are_surfaces_done) state(bag.report.surfaces, bag.surfaces);
      if (bag.are_curves_done) archive_losses(state, bag);
      if (!state.is_reading()) continue;
      bag.has_curves = bag.are_curves_done;
      bag.has_surfaces = bag.are_surfaces_done;
    }
  }
  // Of stages that are done; another may be in work.
  static void archive_losses(StateArchive& state, Bag& bag) {
    std::vector<double> losses = bag.report.losses;
    const std::size_t num_done =
        bag.report.curves.num_rounds + (bag.are_surfaces_done ? bag.report.surfaces.num_rounds : 0);
    losses.resize(std::min(losses.size(), num_done));
    state(losses);
    if (state.is_reading()) bag.report.losses = std::move(losses);
  }
  void load_state() {
    std::optional<std::string> bytes = load_bytes(run_.checkpoints, {});
    if (!bytes) return;
    StateArchive state(*std::move(bytes));
    archive_state(state);
  }
  std::string state() {
    StateArchive archive;
    archive_state(archive);
    return std::move(archive).bytes();
  }
  void save_end(bool is_interrupted) {
    if (run_.checkpoints != nullptr) run_.checkpoints->save_end({}, state(), is_interrupted);
  }
  // Marks a group of bags as done with a stage.
  void finish(std::span<Bag> bags, bool Bag::* done) {
    const std::scoped_lock lock(log_mutex_);
    for (Bag& bag : bags) bag.*done = true;
    if (run_.checkpoints != nullptr && run_.checkpoints->every() > 0) {
      run_.checkpoints->save({}, state());
    }
  }
  // Bags differ only in what they hold out.
  std::size_t num_bags() const {
    if (params_.bagging.valid_share > 0 || params_.bagging.bags == 1) {
      return static_cast<std::size_t>(params_.bagging.bags);
    }
    context_.info(
        fmt::format("valid_share 0: nothing is held out, so all {} bags would be equal; one is "
                    "trained, and the model has no error bars",
                    params_.bagging.bags));
    return 1;
  }

  // The same queries (rows) for any machines, of which this one has its own.
  void split_bags() {
    const Shard shard = shard_of(curve_bins_.queries(), *context_.communicator);
    parallel_for(context_, bags_.size(), 1, [&](std::size_t b, std::size_t) {
      bags_[b].number = b;
      bags_[b].rows = split_bag(curve_bins_.queries(), shard,
                                {.split = params_.split, .share = params_.bagging.valid_share},
                                context_.seed, b);
    });
    std::vector<std::uint64_t> counts;
    for (const Bag& bag : bags_) {
      counts.insert(counts.end(), {bag.rows.train.size(), bag.rows.held_out.size()});
    }
    context_.communicator->sum(counts);
    for (Bag& bag : bags_) {
      bag.report.num_train_rows = counts[2 * bag.number];
      bag.report.num_held_out_rows =
          curve_valid_ ? curve_valid_->num_all_rows() : counts[2 * bag.number + 1];
    }
  }

  // Every distinct value may have a bin, as in interpret; both kinds of bins see the same sample.
  static BinParams bin_params(int cells) {
    return {.max_bins = cells - 1, .min_bin_rows = 1, .max_categories = 0};
  }

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

  // Bags boosted side by side.
  std::size_t group_size() const { return is_squared_error() ? kBagLanes : 1; }
  std::size_t num_groups() const { return (bags_.size() + group_size() - 1) / group_size(); }
  // Groups boosted at the same time. Machines talk of one thing at a time.
  std::size_t groups_at_once() const {
    if (!context_.communicator->is_alone()) return 1;
    return std::min(num_groups(), static_cast<std::size_t>(context_.threads->count()));
  }
  // Parts of the rows for the threads that a group has.
  std::size_t num_parts() const {
    constexpr std::size_t kFewestRows = 8192;
    const std::size_t threads =
        static_cast<std::size_t>(context_.threads->count()) / groups_at_once();
    return std::clamp<std::size_t>(curve_bins_.num_rows() / kFewestRows, 1, threads);
  }

  // Calls body(i) for every i of `size`, which may be collective: on machines one after the other.
  template <typename Body>
  void for_each(std::size_t size, Body&& body) const {
    parallel_for(context_, size, context_.communicator->is_alone() ? 1 : size,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) body(i);
                 });
  }

  // Returns whether no bag was interrupted.
  template <typename Body>
  bool on_bags(const std::string& task, bool Bag::* done, Body&& body) {
    const std::size_t size = group_size();
    Context shown = context_;
    if (run_.log_every > 0) shown.progress_sink = nullptr;  // lines of the log stand for it
    Progress progress(shown, task, "bags", bags_.size());
    progress_ = &progress;
    owner_ = std::this_thread::get_id();
    for_each(num_groups(), [&](std::size_t group) {
      const std::size_t first = group * size;
      const std::span<Bag> bags =
          std::span(bags_).subspan(first, std::min(size, bags_.size() - first));
      try {
        if (!(bags.front().*done)) body(bags);
        if (std::ranges::none_of(bags, &Bag::is_interrupted)) finish(bags, done);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInterrupted) throw;
        for (Bag& bag : bags) bag.is_interrupted = true;
      }
      progress.add(bags.size());
    });
    progress_ = nullptr;
    return std::ranges::none_of(bags_, &Bag::is_interrupted);
  }

  // Chooses pairs and boosts them; stopped before any surface had begun, the curves are a model all
  // the same.
  void boost_pairs(EbmResult& result) {
    std::vector<std::vector<RankedFeaturePair>> ranked;
    for (const Bag& bag : bags_) ranked.push_back(bag.ranked);
    result.pairs =
        choose_pairs(ranked, features_, static_cast<std::size_t>(params_.num_interactions));
    result.is_interrupted =
        !on_bags("boosting surfaces", &Bag::are_surfaces_done,
                 [&](std::span<Bag> bags) { boost_surfaces(bags, result.pairs); });
    save_end(result.is_interrupted);
    if (std::ranges::any_of(bags_, &Bag::has_surfaces)) {
      std::erase_if(bags_, [](const Bag& bag) { return !bag.has_surfaces; });
    } else {
      result.pairs.clear();
    }
  }

  // A round of a stage is over; false: the caller wants no more of them.
  bool report(Bag& bag, std::string_view stage, std::size_t num_rounds, double loss) {
    {
      const std::scoped_lock lock(log_mutex_);  // another thread may be saving the state of all
      bag.report.losses.push_back(loss);
    }
    // Only the owner of the progress may report it.
    if (std::this_thread::get_id() == owner_) progress_->report();
    log(bag, stage, num_rounds, loss);
    return call_back(bag, stage, num_rounds, loss);
  }

  std::string_view judging_rows() const {
    return params_.bagging.stop_on == StopOn::kValid ? "valid" : "held-out";
  }

  void log(const Bag& bag, std::string_view stage, std::size_t num_rounds, double loss) {
    if (run_.log_every == 0 || num_rounds % run_.log_every != 0) return;
    std::string line = fmt::format("[{}] bag {} {}", num_rounds, bag.number + 1, stage);
    if (!std::isnan(loss)) {
      line += fmt::format("  {} {}: {:.6f}", judging_rows(),
                          is_squared_error() ? "squared error" : to_text(metric_),
                          is_squared_error() ? loss : -loss);
    }
    const std::scoped_lock lock(log_mutex_);
    context_.info(line);
  }

  // Bags run side by side: once the caller wants to stop, on any machine, each ends with the round
  // it is in.
  bool call_back(const Bag& bag, std::string_view stage, std::size_t num_rounds, double loss) {
    const bool goes_on = !params_.watch.after_round || ask_caller(bag, stage, num_rounds, loss);
    if (any_machine(*context_.communicator, !goes_on)) is_ended_.store(true);
    return !is_ended_.load();
  }

  bool ask_caller(const Bag& bag, std::string_view stage, std::size_t num_rounds,
                  double loss) const {
    std::string training =
        bags_.size() == 1 ? "" : fmt::format("bag {} of {}", bag.number + 1, bags_.size());
    if (params_.num_interactions > 0) {
      training += fmt::format("{}{}", training.empty() ? "" : ", ", stage);
    }
    const std::string name = fmt::format("{} {}", judging_rows(),
                                         is_squared_error() ? "squared error" : to_text(metric_));
    const double value = is_squared_error() ? loss : -loss;
    return params_.watch.goes_on(
        {.training = training, .round = num_rounds, .names = {&name, 1}, .metrics = {&value, 1}});
  }

  CyclicRules rules() const {
    return {.step = {.max_leaves = static_cast<std::size_t>(params_.num_leaves),
                     .min_leaf_rows = static_cast<double>(params_.min_leaf_rows),
                     .min_leaf_hessian = params_.min_leaf_hessian,
                     .learning_rate = params_.learning_rate},
            .max_rounds = static_cast<std::size_t>(params_.max_rounds),
            .patience = static_cast<std::size_t>(params_.patience),
            .tolerance = params_.tolerance};
  }

  BagData data_of(const BagSplitRows& rows, const BinnedDataset& bins,
                  const std::optional<BinnedDataset>& valid) const {
    return {.train = select_rows(bins, rows.train, context_),
            .valid = valid ? *valid : select_rows(bins, rows.held_out, context_)};
  }

  // Prepared for the training rows of a bag.
  std::unique_ptr<Objective> objective_for(const BinnedDataset& train) const {
    std::unique_ptr<Objective> objective =
        make_objective(objective_of(params_.objective, params_.watch), context_.seed);
    objective->prepare({.grades = train.grades(),
                        .weights = train.weights(),
                        .queries = train.queries(),
                        .communicator = *context_.communicator});
    return objective;
  }

  // Keeps how a stage went. Returns whether there is a round to show for it.
  bool keep(CyclicResult result, std::string_view name, Bag& bag,
            std::vector<std::vector<double>>& tables, EbmStage& stage) {
    const std::string warning =
        stage_warning(result, fmt::format("bag {}: {}", bag.number + 1, name),
                      bag.report.num_held_out_rows, params_.learning_rate);
    if (!warning.empty()) {
      const std::scoped_lock lock(log_mutex_);
      context_.warn(warning);
    }
    tables = std::move(result.tables);
    stage = {.num_rounds = result.num_rounds,
             .kept_rounds = static_cast<double>(result.best_visit) /
                            static_cast<double>(std::max<std::size_t>(tables.size(), 1)),
             .start_loss = result.start_loss,
             .best_loss = result.best_loss};
    bag.is_interrupted = result.is_interrupted;
    return !result.is_interrupted || result.num_rounds > 0;
  }

  // One bag under any objective.
  template <typename Codes>
  CyclicResult boost(Bag& bag, std::string_view stage, const BagData& data, const BagScores& start,
                     const Codes& effects) {
    const std::unique_ptr<Objective> objective = objective_for(data.train);
    const BagTarget target{
        .objective = *objective,
        .gradients_every = static_cast<std::size_t>(params_.gradients_every),
        .metric = round_metrics("valid", 0, std::span(&metric_, 1), params_.watch.convention())
                      .front()
                      .function,
        .context = context_,
        .num_parts = num_parts()};
    const std::unique_ptr<BagRows> rows = make_bag_rows(data, effects.codes(), start, target);
    return boost_cyclically(
        *rows, effects.shapes(), rules(),
        [&](std::size_t num_rounds, double loss) { return report(bag, stage, num_rounds, loss); },
        context_);
  }

  // A group of bags under squared error.
  template <typename Code>
  std::vector<CyclicResult> boost(std::span<Bag> bags, std::string_view stage,
                                  LaneRows<Code> rows) {
    return boost_lanes(
        std::move(rows), bags.size(), rules(),
        [&](std::size_t lane, std::size_t num_rounds, double loss) {
          return report(bags[lane], stage, num_rounds, loss);
        },
        context_, num_parts());
  }

  static const BinnedDataset* pointer_to(const std::optional<BinnedDataset>& data) {
    return data ? &*data : nullptr;
  }
  LaneOrder order_of(std::span<const Bag> bags) const {
    std::vector<const BagSplitRows*> rows;
    for (const Bag& bag : bags) rows.push_back(&bag.rows);
    std::optional<std::size_t> num_valid;
    if (curve_valid_) num_valid = curve_valid_->num_rows();
    return order_lanes(rows, curve_bins_.num_rows(), num_valid);
  }

  void boost_curves(std::span<Bag> bags) {
    const Communicator& machines = *context_.communicator;
    std::vector<CyclicResult> results;
    if (is_squared_error()) {
      const LaneOrder order = order_of(bags);
      const LaneData data{.order = order, .train = curve_bins_, .valid = pointer_to(curve_valid_)};
      std::vector<LaneStart> starts;
      for (Bag& bag : bags) {
        bag.initial_score = mean_grade_of(curve_bins_, bag.rows.train, machines);
        starts.push_back({.initial = bag.initial_score});
      }
      results =
          boost(bags, "curves",
                LaneRows<std::uint8_t>{.segments = order.segments,
                                       .errors = lane_errors(data, starts, features_, machines),
                                       .weights = lane_weights(data, machines),
                                       .effects = lane_curves(data, features_)});
    } else {
      const BagData data = data_of(bags[0].rows, curve_bins_, curve_valid_);
      bags[0].initial_score = objective_for(data.train)->initial_score();
      results.push_back(boost(bags[0], "curves", data, constant_scores(bags[0], data),
                              CurveCodes(data, features_)));
    }
    for (std::size_t i = 0; i < bags.size(); ++i) {
      Bag& bag = bags[i];
      bag.has_curves = keep(std::move(results[i]), "curves", bag, bag.curves, bag.report.curves);
    }
    // Here, so that a thread whose bags stop early has something to do.
    if (params_.num_interactions == 0) return;
    for_each(bags.size(), [&](std::size_t i) {
      if (!bags[i].is_interrupted) bags[i].ranked = rank_pairs(bags[i]);
    });
  }

  static BagScores constant_scores(const Bag& bag, const BagData& data) {
    return {.train = std::vector<double>(data.train.num_rows(), bag.initial_score),
            .valid = std::vector<double>(data.valid.num_rows(), bag.initial_score)};
  }
  BagScores scores_after_curves(const Bag& bag) const {
    const BagData data = data_of(bag.rows, curve_bins_, curve_valid_);
    BagScores scores = constant_scores(bag, data);
    add_curves(data.train, features_, bag.curves, scores.train);
    add_curves(data.valid, features_, bag.curves, scores.valid);
    return scores;
  }

  std::vector<RankedFeaturePair> rank_pairs(const Bag& bag) const {
    const BagScores scores = scores_after_curves(bag);
    const BinnedDataset train = select_rows(pair_bins_, bag.rows.train, context_);
    const BagGradients found = gradients_of(train, scores.train, *objective_for(train), context_);
    const bool are_ones = is_squared_error() && train.weights().empty();
    return rank_pairs_fast({.data = train,
                            .gradients = found.gradients,
                            .hessians = are_ones ? std::span<const float>() : found.hessians,
                            .features = features_},
                           {.max_bins = params_.pair_bins, .min_leaf_rows = params_.min_leaf_rows},
                           context_);
  }

  void boost_surfaces(std::span<Bag> bags, std::span<const RankedFeaturePair> pairs) {
    const Communicator& machines = *context_.communicator;
    std::vector<CyclicResult> results;
    if (is_squared_error()) {
      const LaneOrder order = order_of(bags);
      const LaneData curves{
          .order = order, .train = curve_bins_, .valid = pointer_to(curve_valid_)};
      const LaneData data{.order = order, .train = pair_bins_, .valid = pointer_to(pair_valid_)};
      std::vector<LaneStart> starts;
      for (const Bag& bag : bags) {
        starts.push_back({.initial = bag.initial_score, .curves = bag.curves});
      }
      results =
          boost(bags, "surfaces",
                LaneRows<std::uint16_t>{.segments = order.segments,
                                        .errors = lane_errors(curves, starts, features_, machines),
                                        .weights = lane_weights(data, machines),
                                        .effects = lane_surfaces(data, pairs)});
    } else {
      const BagData data = data_of(bags[0].rows, pair_bins_, pair_valid_);
      results.push_back(boost(bags[0], "surfaces", data, scores_after_curves(bags[0]),
                              SurfaceCodes(data, pairs)));
    }
    for (std::size_t i = 0; i < bags.size(); ++i) {
      Bag& bag = bags[i];
      bag.has_surfaces =
          keep(std::move(results[i]), "surfaces", bag, bag.surfaces, bag.report.surfaces);
    }
  }

  Gam average(std::span<const RankedFeaturePair> pairs) {
    const auto names = curve_bins_.feature_names();
    BaggedModel model{.num_features = curve_bins_.num_features(),
                      .feature_names = {names.begin(), names.end()},
                      .objective = params_.objective.objective,
                      .categories = curve_bins_.table().schema.category_names()};
    for (std::uint32_t f = 0; f < model.num_features; ++f) {
      model.is_category.push_back(curve_bins_.is_category(f));
    }
    for (const Bag& bag : bags_) model.intercepts.push_back(bag.initial_score);
    for (std::size_t i = 0; i < features_.size(); ++i) {
      BaggedEffect effect = curve_effect(curve_bins_, features_[i], *context_.communicator);
      for (Bag& bag : bags_) effect.tables.push_back(std::move(bag.curves[i]));
      model.effects.push_back(std::move(effect));
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      BaggedEffect effect = surface_effect(pair_bins_, pairs[i], *context_.communicator);
      for (Bag& bag : bags_) effect.tables.push_back(std::move(bag.surfaces[i]));
      model.effects.push_back(std::move(effect));
    }
    return average_bags(std::move(model));
  }

  const EbmParams& params_;
  const Context& context_;
  const EbmRun& run_;
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
  std::atomic<bool> is_ended_ = false;  // by the caller
};

}  // namespace

EbmResult train_ebm(const Dataset& train, const Dataset* valid, const EbmParams& params,
                    const Context& context, const EbmRun& run) {
  check_ebm_input(train, valid, params, context);
  return EbmTraining(train, valid, params, context, run).train();
}

}  // namespace glassrank
