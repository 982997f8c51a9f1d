#include "glassrank/methods/training/cleaned_method.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// Of `none`: nothing is asked for.
CleanerTraits traits_of(CleanMethod method) {
  const Cleaner* cleaner = cleaner_of(method);
  return cleaner == nullptr ? CleanerTraits{} : cleaner->traits();
}

// The rows as cleaners see them.
struct CleanRows {
  Dataset values;
  BinnedDataset bins;
};

CleanInput clean_input(const Method& method, const TrainTask& task, const CleanRows& rows,
                       const Context& context) {
  return {
      .values = rows.values,
      .train = rows.bins,
      .cutoff = stop_metric(method.watch()).cutoff,
      .num_trees = method.rounds().most,
      .train_base = [&method, &task, &context](const BaseTask& base) {
        context.info(fmt::format("training the base model of cleaning: {} rounds", base.num_trees));
        return method.train_base(task, base, context);
      }};
}

// Cleaners that look at feature values get them where they are known.
CleanRows rows_for(const Method& method, const CleanParams& clean, const TrainTask& task,
                   const Context& context) {
  CleanRows rows{.values = {}, .bins = task.data.bins(method.bin_params(), task.start, context)};
  if (traits_of(clean.method).needs_values && task.data.has_values()) {
    rows.values = task.data.values(context);
  }
  return rows;
}

CleaningCell cell_of(const Cleaning& cleaning, std::size_t num_rows) {
  const CleanParams& params = cleaning.params;
  CleaningCell cell{.cleaner = std::string(name_of(params.method)),
                    .num_dropped = cleaning.num_dropped};
  cell.share = static_cast<double>(cell.num_dropped) / static_cast<double>(num_rows);
  const Cleaner* cleaner = cleaner_of(params.method);
  if (cleaner == nullptr) return cell;
  cell.type = std::string(name_of(params.type));
  if (cleaner->uses("start")) {
    cell.start = params.start.value;
    cell.end = params.end;
  }
  if (cleaner->uses("p")) cell.p = params.p.value;
  if (cleaner->uses("contamination") && params.contamination > 0) {
    cell.contamination = params.contamination.value;
  } else if (cleaner->uses("threshold")) {
    cell.threshold = params.threshold.value;
  }
  return cell;
}

// The first that drops the same documents as number i, on all machines.
std::size_t first_same(std::span<const Cleaning> grid, std::size_t i, const Context& context) {
  std::vector<std::int64_t> num_different;  // machines
  for (std::size_t j = 0; j <= i; ++j) {
    num_different.push_back(grid[j].dropped == grid[i].dropped ? 0 : 1);
  }
  context.communicator->sum(std::span(num_different));
  return static_cast<std::size_t>(std::ranges::find(num_different, 0) - num_different.begin());
}

// Of equal metrics the one with fewer documents dropped; a model without a metric comes last.
bool is_better(const CleaningCell& a, const CleaningCell& b) {
  const auto value = [](const CleaningCell& c) {
    return std::isnan(c.value) ? -HUGE_VAL : c.value;
  };
  return value(a) != value(b) ? value(a) > value(b) : a.num_dropped < b.num_dropped;
}

class CleanedMethod final : public Method {
 public:
  CleanedMethod(std::unique_ptr<Method> method, CleanParams clean)
      : method_(std::move(method)), clean_(std::move(clean)) {}
  CleanedMethod(const CleanedMethod& other)
      : method_(other.method_->clone()),
        base_(other.base_ ? other.base_->clone() : nullptr),
        clean_(other.clean_) {}

  std::string name() const override { return method_->name(); }
  MethodTraits traits() const override {
    MethodTraits traits = method_->traits();
    traits.needs_values = traits.needs_values || traits_of(clean_.method).needs_values;
    return traits;
  }
  std::unique_ptr<Method> clone() const override { return std::make_unique<CleanedMethod>(*this); }
  void visit(ParamVisitor& visitor) override {
    method_->visit(visitor);
    visitor.section("cleaning");
    visitor.group("clean", clean_);
  }
  WatchParams& watch() override { return method_->watch(); }
  ObjectiveParams* objective() override { return method_->objective(); }
  std::vector<ParamUse> uses() const override { return method_->uses(); }
  BinParams bin_params() const override { return method_->bin_params(); }

  // The base model has no early stopping: the window of its rounds ends where num_trees would have.
  void settle(const TrainSetting& setting) override {
    const std::size_t usual = method_->rounds().most;
    method_->settle(setting);
    const Cleaner* cleaner = cleaner_of(clean_.method);
    if (cleaner == nullptr || cleaner->traits().has_stages || !cleaner->uses("end")) return;
    if (clean_.end == 0 && method_->rounds().most != usual) clean_.end = static_cast<int>(usual);
  }
  void check(const TrainSetting& setting) const override {
    method_->check(setting);
    check_traits();
    check_clean(clean_, clean_setting(base(), setting.has_valid));
  }
  void prepare(const TrainTask& task, const Context& context) const override {
    method_->prepare(task, context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    if (clean_.method == CleanMethod::kNone) return method_->train(task, context);
    if (clean_.tune) return tune(task, context);
    return train_on(find_mistakes(base(), clean_, task, context), task, context);
  }

  Rounds rounds() const override { return method_->rounds(); }
  // The base model stays as long as it was: what it finds does not depend on the final model.
  void scale_rounds(double share) override {
    if (!base_) base_ = method_->clone();
    method_->scale_rounds(share);
  }
  void fix_length(const TrainingLength& length) override {
    if (!base_) base_ = method_->clone();
    method_->fix_length(length);
  }
  BoostingResult train_base(const TrainTask& task, const BaseTask& task_of_base,
                            const Context& context) const override {
    return base().train_base(task, task_of_base, context);
  }

 private:
  const Method& base() const { return base_ ? *base_ : *method_; }

  void check_traits() const {
    const CleanerTraits cleaner = traits_of(clean_.method);
    if (cleaner.follows_rounds && !method_->traits().shows_rounds) {
      fail(ErrorKind::kUsage,
           "clean {} needs the rounds of boosted trees, and --method {} has none; use "
           "isolation-forest, or clean the data with glassrank clean first",
           name_of(clean_.method), name());
    }
    if (cleaner.has_stages && !method_->traits().has_stages) {
      fail(ErrorKind::kUsage, "{} lets documents in as trees are grown; {} grows none",
           name_of(clean_.method), name());
    }
  }

  TrainResult train_on(const Cleaning& cleaning, const TrainTask& task,
                       const Context& context) const {
    std::optional<TrainingData> left;
    if (cleaning.stages.empty() && cleaning.num_dropped > 0) {
      left = task.data.select(kept_rows(cleaning, task.data.num_rows()));
    }
    TrainTask final{.data = left ? *left : task.data,
                    .start = task.start,
                    .checkpoints = task.checkpoints,
                    .name = task.name,
                    .log_every = task.log_every,
                    .stages = cleaning.stages};
    TrainResult result = method_->train(final, context);
    result.report.cleaning =
        CleaningReport{.summary = cleaning.summary, .num_dropped = cleaning.num_dropped};
    result.cleaning = cleaning;
    return result;
  }

  TrainResult tune(const TrainTask& task, const Context& context) const {
    const CleanRows rows = rows_for(base(), clean_, task, context);
    const std::vector<Cleaning> grid =
        clean_grid(clean_input(base(), task, rows, context), clean_, context);
    TrainResult best;
    std::vector<CleaningCell> cells;
    std::size_t chosen = 0;
    Context quiet = context;  // one line for all runs
    quiet.progress_sink = nullptr;
    Progress progress(context, "tuning", "runs", grid.size());
    for (std::size_t i = 0; i < grid.size(); ++i) {
      CleaningCell cell = cell_of(grid[i], rows.bins.num_all_rows());
      const std::size_t at = first_same(grid, i, context);
      if (at < i) {  // the same documents, the same model
        cell.num_rounds = cells[at].num_rounds;
        cell.value = cells[at].value;
      } else {
        TrainTask own{.data = task.data, .start = task.start};
        TrainResult result = train_on(grid[i], own, quiet);
        context.check_stop_anywhere();
        cell.num_rounds = result.report.best_round.value_or(0);
        cell.value = valid_metric(result, *method_, task.data, context);
        if (i == 0 || is_better(cell, cells[chosen])) {
          best = std::move(result);
          chosen = i;
        }
        context.info(fmt::format("{}; {} {:.6f}", grid[i].summary, stopping_name(base().watch()),
                                 cell.value));
      }
      cells.push_back(std::move(cell));
      progress.add(1);
      progress.report(grid[i].summary);
    }
    cells[chosen].is_chosen = true;
    best.report.cleaning->grid = std::move(cells);
    return best;
  }

  std::unique_ptr<Method> method_;
  std::unique_ptr<Method> base_;  // method_ as it was before its rounds were changed; null: method_
  CleanParams clean_;
};

}  // namespace

std::unique_ptr<Method> make_cleaned(std::unique_ptr<Method> method, const CleanParams& clean) {
  return std::make_unique<CleanedMethod>(std::move(method), clean);
}

LearnerSetting clean_setting(const Method& method, bool has_valid) {
  const Method::Rounds rounds = method.rounds();
  return {.cutoff = stop_metric(method.watch()).cutoff,
          .num_trees = rounds.most,
          .has_valid = has_valid,
          .stops_early = has_valid && rounds.stops_early};
}

Cleaning find_mistakes(const Method& method, const CleanParams& clean, const TrainTask& task,
                       const Context& context) {
  const CleanRows rows = rows_for(method, clean, task, context);
  Cleaning cleaning = glassrank::clean(clean_input(method, task, rows, context), clean, context);
  context.info(cleaning.summary);
  return cleaning;
}

void check_clean_alone(const CleanParams& clean, const Method& learner, bool has_valid) {
  if (clean.method == CleanMethod::kNone) {
    fail(ErrorKind::kUsage, "--method none drops nothing; see glassrank list cleaners");
  }
  if (cleaner_of(clean.method)->traits().has_stages) {
    fail(ErrorKind::kUsage,
         "{0} leaves other documents out as training goes on: there is no one cleaned file; use "
         "it in glassrank train --clean {0}",
         name_of(clean.method));
  }
  check_clean(clean, clean_setting(learner, has_valid));
}

Cleaning clean_alone(const Method& learner, const CleanParams& clean, const TrainTask& task,
                     const Context& context) {
  if (!clean.tune) return find_mistakes(learner, clean, task, context);
  return *make_cleaned(learner.clone(), clean)->train(task, context).cleaning;
}

}  // namespace glassrank
