// The view of a TrainReport for people.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/counted.h"
#include "glassrank/base/table.h"
#include "glassrank/methods/training/train_report.h"

namespace glassrank {
namespace {

// "12 to 40", or "12".
std::string range_text(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  const std::string first = fmt::format("{:.0f}", low);
  const std::string last = fmt::format("{:.0f}", high);
  return first == last ? first : fmt::format("{} to {}", first, last);
}

std::string grid_text(const CleaningReport& cleaning, const std::string& metric) {
  Table table({{"cleaner"},
               {"type"},
               {"start"},
               {"p"},
               {"dropped"},
               {"share", Notation::kPercent, 2},
               {"rounds"},
               {metric, Notation::kFixed, 6},
               {""}});
  for (const CleaningCell& tried : cleaning.grid) {
    // Cleaners have one number each that says how strict they are.
    std::string strictness = "-";
    if (tried.p) strictness = fmt::format("{}", *tried.p);
    if (tried.threshold) strictness = fmt::format("> {}", *tried.threshold);
    if (tried.contamination) strictness = fmt::format("{}", *tried.contamination);
    table.add({cell(tried.cleaner), cell(tried.type.value_or("-")),
               tried.start ? cell(fmt::to_string(*tried.start)) : cell("-"), cell(strictness),
               cell(tried.num_dropped), cell(tried.share), cell(tried.num_rounds),
               cell(tried.value), cell(tried.is_chosen ? "<- chosen" : "")});
  }
  return table_text(table);
}

std::string main_effects_text(const TrainReport& report) {
  std::string text =
      fmt::format("{} in {}", counted(report.main_effects->num_features, "main effect"),
                  counted(report.main_effects->num_trees, "tree"));
  if (!report.pairs.empty()) {
    text += fmt::format(", {} of {} in {}",
                        std::ranges::count(report.pairs, true, &PairReport::is_used),
                        counted(report.pairs.size(), "pair"),
                        counted(*report.num_trees - report.main_effects->num_trees, "tree"));
  }
  return text + "\n";
}

std::string pairs_text(const TrainReport& report) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> names;
  for (const PairReport& pair : report.pairs) {
    if (names.size() == kShown) break;
    names.push_back(fmt::format("{}", fmt::join(pair.features, " x ")));
  }
  return fmt::format("first pairs: {}\n", fmt::join(names, ", "));
}

// "8 bags of 120 to 260 trees; held-out ndcg@10 0.781234, mean over bags".
std::string tree_bags_text(const TrainReport& report) {
  std::vector<double> sizes;
  double sum = 0;
  bool has_metric = !report.stop_metric.empty();
  for (const BagReport& bag : report.bags) {
    sizes.push_back(static_cast<double>(bag.num_trees.value_or(0)));
    has_metric = has_metric && bag.value;
    sum += bag.value.value_or(0);
  }
  std::string text = fmt::format("{} of {} trees", counted(sizes.size(), "bag"), range_text(sizes));
  if (has_metric) {
    text +=
        fmt::format("; {} {:.6f}{}", report.stop_metric, sum / static_cast<double>(sizes.size()),
                    sizes.size() > 1 ? ", mean over bags" : "");
  }
  return text + "\n";
}

// Losses are means over the bags that have one.
std::string stage_text(const char* name, const TrainReport& report,
                       std::optional<StageReport> BagReport::* stage) {
  std::vector<double> rounds;
  std::vector<double> kept;
  double start = 0;
  double best = 0;
  double num_losses = 0;
  for (const BagReport& bag : report.bags) {
    const std::optional<StageReport>& own = bag.*stage;
    if (!own) continue;
    rounds.push_back(static_cast<double>(own->num_rounds));
    kept.push_back(own->kept_rounds);
    if (!own->best_loss) continue;
    start += *own->start_loss;
    best += *own->best_loss;
    num_losses += 1;
  }
  if (rounds.empty()) return "";
  std::string text =
      fmt::format("{}: {} rounds, {} kept", name, range_text(rounds), range_text(kept));
  if (num_losses == 0) return text + "\n";  // nothing held out
  const double sign = report.stop_metric.ends_with("squared error") ? 1 : -1;
  return fmt::format("{}; {} {:.4f}, before {:.4f}\n", text, report.stop_metric,
                     sign * best / num_losses, sign * start / num_losses);
}

std::string values_text(const char* set, const NamedValues& values) {
  std::string text;
  for (const auto& [metric, value] : values) {
    text += fmt::format("{} {} {:.6f}\n", set, metric, value);
  }
  return text;
}

}  // namespace

std::string train_text(const TrainReport& report) {
  std::string text;
  if (report.cleaning) {
    if (!report.cleaning->grid.empty()) text += grid_text(*report.cleaning, report.stop_metric);
    text += report.cleaning->summary + "\n";
  }
  if (report.num_trees) {
    text += fmt::format("{} kept{}: {}\n", counted(*report.num_trees, "tree"),
                        report.outcome.empty() ? "" : ", " + report.outcome, report.model);
  } else if (report.num_curves) {
    text += fmt::format("{}, {}: {}\n", counted(*report.num_curves, "curve"),
                        counted(report.num_surfaces.value_or(0), "surface"), report.model);
  } else {
    text += fmt::format("{}, {}: {}\n", report.kept, report.outcome, report.model);
  }
  if (report.main_effects) text += main_effects_text(report);
  if (report.main_effects && !report.pairs.empty()) text += pairs_text(report);
  if (!report.bags.empty() && report.num_trees) text += tree_bags_text(report);
  text += stage_text("curves", report, &BagReport::curves);
  text += stage_text("surfaces", report, &BagReport::surfaces);
  if (!report.main_effects && !report.pairs.empty()) text += pairs_text(report);
  if (report.is_round_chosen) text += fmt::format("best round {}\n", *report.best_round);
  if (report.towers) {
    text += fmt::format("best epoch {} of {}\n{}: towers {:.6f}, tables {:.6f}\n",
                        report.towers->best_epoch, report.towers->num_epochs, report.stop_metric,
                        report.towers->value, report.towers->tables_value);
  }
  if (report.is_sampled && report.row_share) {
    text += fmt::format("trees saw {:.2f} % of the rows and took {:.1f} ms each\n",
                        100 * *report.row_share, *report.ms_per_tree);
  }
  return text + values_text("train", report.train) + values_text("valid", report.valid) +
         values_text("test", report.test) + values_text("out-of-bag", report.out_of_bag);
}

}  // namespace glassrank
