// One training run of `glassrank train` for the methods that end in curves and surfaces without
// trees: ebm and rankgam.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "cli/terminal.h"
#include "cli/train/train_modes.h"
#include "cli/version.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

// What either method leaves behind.
struct GlassRun {
  Gam gam;
  std::vector<std::string> text;  // lines about how it went
  Json json;
  std::string interrupted;  // where it was stopped; empty: nowhere
  std::string kept;         // what the model then is
};

// Lines of the log where no terminal shows the progress.
std::size_t log_every(const TrainOptions& options) {
  return messages_reach_a_terminal() ? 0 : static_cast<std::size_t>(options.log_every);
}

template <Parameters P>
Provenance provenance_of(const char* method, const TrainData& data, const P& params,
                         const Context& context) {
  Provenance lines = {{"program", fmt::format("glassrank {}", kVersion)}, {"method", method}};
  lines.insert(lines.end(), data.files.begin(), data.files.end());
  lines.emplace_back("seed", fmt::format("{}", context.seed));
  for (const ParamInfo& info : list_params(params)) {
    lines.emplace_back(fmt::format("params.{}.{}", method, info.name), info.value);
  }
  return lines;
}

// "12 to 40", or "12".
std::string range_of(std::vector<double> values) {
  const auto [low, high] = std::ranges::minmax(values);
  const std::string first = fmt::format("{:.0f}", low);
  const std::string last = fmt::format("{:.0f}", high);
  return first == last ? first : fmt::format("{} to {}", first, last);
}

// Losses are means over the bags that have one.
std::string stage_text(const char* name, const EbmResult& result, EbmStage EbmBag::* stage,
                       const EbmParams& params) {
  std::vector<double> rounds;
  std::vector<double> kept;
  double start = 0;
  double best = 0;
  double num_losses = 0;
  for (const EbmBag& bag : result.bags) {
    const EbmStage& own = bag.*stage;
    rounds.push_back(static_cast<double>(own.num_rounds));
    kept.push_back(own.kept_rounds);
    if (std::isnan(own.best_loss)) continue;
    start += own.start_loss;
    best += own.best_loss;
    num_losses += 1;
  }
  std::string text = fmt::format("{}: {} rounds, {} kept", name, range_of(rounds), range_of(kept));
  if (num_losses == 0) return text;  // nothing held out
  const bool is_metric = params.objective.objective != "squared_error";
  const double sign = is_metric ? -1 : 1;
  return fmt::format("{}; {} {} {:.4f}, before {:.4f}", text,
                     params.stop_on == StopOn::kValid ? "valid" : "held-out",
                     is_metric ? "metric" : "squared error", sign * best / num_losses,
                     sign * start / num_losses);
}

Json stage_json(const EbmStage& stage) {
  Json json = {{"rounds", stage.num_rounds}, {"kept_rounds", stage.kept_rounds}};
  if (!std::isnan(stage.best_loss)) {
    json["start_loss"] = stage.start_loss;
    json["best_loss"] = stage.best_loss;
  }
  return json;
}

GlassRun run_ebm(const TrainOptions& options, const TrainData& data, const Context& context) {
  EbmResult result = train_ebm(data.train, data.valid ? &*data.valid : nullptr, options.ebm,
                               context, log_every(options));
  GlassRun run;
  run.text.push_back(stage_text("curves", result, &EbmBag::curves, options.ebm));
  Json bags = Json::array();
  for (const EbmBag& bag : result.bags) {
    Json json = {{"rows", bag.num_train_rows},
                 {"held_out_rows", bag.num_held_out_rows},
                 {"curves", stage_json(bag.curves)}};
    if (!result.pairs.empty()) json["surfaces"] = stage_json(bag.surfaces);
    bags.push_back(std::move(json));
  }
  run.json["bags"] = std::move(bags);
  if (!result.pairs.empty()) {
    run.text.push_back(stage_text("surfaces", result, &EbmBag::surfaces, options.ebm));
    constexpr std::size_t kShown = 5;
    const auto names = data.train.feature_names();
    std::vector<std::string> first;
    Json pairs = Json::array();
    for (const RankedPair& pair : result.pairs) {
      if (first.size() < kShown) {
        first.push_back(fmt::format("{} x {}", names[pair.first], names[pair.second]));
      }
      pairs.push_back({{"features", {names[pair.first], names[pair.second]}},
                       {"mean_rank", -pair.gain + 1},
                       {"used", true}});
    }
    run.text.push_back(fmt::format("first pairs: {}", fmt::join(first, ", ")));
    run.json["pairs"] = std::move(pairs);
  }
  if (result.is_interrupted) {
    const bool is_bare = result.pairs.empty();
    run.interrupted = fmt::format("stopped while boosting {}", is_bare ? "curves" : "surfaces");
    run.kept = fmt::format("{} of {} bags{}", result.bags.size(), options.ebm.outer_bags,
                           is_bare && options.ebm.num_interactions > 0 ? " without surfaces" : "");
  }
  run.gam = std::move(result.gam);
  return run;
}

GlassRun run_rankgam(const TrainOptions& options, const TrainData& data, const Context& context) {
  RankgamResult result = train_rankgam(data.train, data.valid ? &*data.valid : nullptr,
                                       options.rankgam, context, log_every(options));
  GlassRun run{.gam = std::move(result.gam)};
  run.text.push_back(fmt::format("best epoch {} of {}", result.best_epoch, result.epochs.size()));
  run.text.push_back(fmt::format("{} {}: towers {:.6f}, tables {:.6f}",
                                 options.valid.empty() ? "held-out" : "valid",
                                 options.rankgam.metric, result.best_metric, result.table_metric));
  run.json = {{"epochs", result.epochs.size()},
              {"best_epoch", result.best_epoch},
              {"towers_metric", result.best_metric},
              {"tables_metric", result.table_metric}};
  if (result.is_interrupted) {
    run.interrupted = fmt::format("stopped after {} epochs", result.epochs.size());
    run.kept = fmt::format("epoch {}", result.best_epoch);
  }
  return run;
}

}  // namespace

void train_glass(const TrainOptions& options, const Context& context, Output& output) {
  const TrainData data = load_train_data(options, context);
  const bool is_ebm = options.method == TrainMethod::kEbm;
  Provenance lines = is_ebm ? provenance_of("ebm", data, options.ebm, context)
                            : provenance_of("rankgam", data, options.rankgam, context);
  GlassRun run = is_ebm ? run_ebm(options, data, context) : run_rankgam(options, data, context);
  if (!run.interrupted.empty()) lines.emplace_back("interrupted", run.interrupted);
  const Model model{.body = std::move(run.gam), .provenance = std::move(lines)};
  save_model(options.out, model, options.model_format, context.finishing());
  if (!run.interrupted.empty()) {
    fail(ErrorKind::kInterrupted, "{}; the best model so far, {}, is {}", run.interrupted, run.kept,
         options.out);
  }

  std::vector<NamedValue> values;
  if (options.params.train_metric) {
    values = metric_values("train", model, data.train, options, context);
  }
  if (data.valid) {
    for (NamedValue& value : metric_values("valid", model, *data.valid, options, context)) {
      values.push_back(std::move(value));
    }
  }
  for (NamedValue& value : test_values(model, options, context)) values.push_back(std::move(value));
  const std::span<const GamEffect> effects = require_gam(model, "its summary").effects();
  const auto surfaces =
      static_cast<std::size_t>(std::ranges::count_if(effects, &GamEffect::is_pair));
  if (output.json) {
    Json json = {{"model", options.out},
                 {"main_effects", effects.size() - surfaces},
                 {"pairs", Json::array()}};
    json.update(run.json);
    for (const NamedValue& value : values) json[value.name] = value.value;
    output.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    return;
  }
  fmt::print(output.out, "{} curves, {} surfaces: {}\n", effects.size() - surfaces, surfaces,
             options.out);
  for (const std::string& line : run.text) fmt::print(output.out, "{}\n", line);
  for (const NamedValue& value : values) {
    fmt::print(output.out, "{} {:.6f}\n", value.name, value.value);
  }
}

}  // namespace glassrank::cli
