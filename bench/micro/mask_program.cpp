// Times explainers of a document or a ranking and masked scoring, and prints a JSON line for each.
// Usage: mask_program MODEL DATA THREADS REPEATS [TASK ...]
//   sampled        kernel-shap, lirme, exs of a document, ranking-shap of a ranking, at the papers'
//                  sample sizes; "prepare" is what they do once for a model and its background
//   greedy         greedy-cover-eps, three starts, five features
//   greedy-plain   the same through masked rows: with our scorer, then by plain traversal
//   optimum        the best three features of 20 documents, and of all
//   masks          masked scores alone, fast and through masked rows
// All of them where no task is named. The query with the most documents, 120 of them at most, is
// asked; the first 500 rows of the data are the references, the mean of all rows is the typical
// row.

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/params.h"
#include "glassrank/base/random.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/registry.h"
#include "glassrank/explain/subject.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"

namespace {

using namespace glassrank;
using Clock = std::chrono::steady_clock;

// Median and range of the milliseconds of some calls.
template <typename Body>
void time_it(const std::string& name, int repeats, const Body& body) {
  std::vector<double> times;
  body();
  for (int r = 0; r < repeats; ++r) {
    const auto start = Clock::now();
    body();
    times.push_back(1e3 * std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::ranges::sort(times);
  fmt::print(
      "{{\"what\": \"{}\", \"median_ms\": {:.3f}, \"min_ms\": {:.3f}, \"max_ms\": {:.3f}}}\n", name,
      times[times.size() / 2], times.front(), times.back());
}

struct MaskTask {
  const Subject& subject;
  MatrixView<const float> documents;
  MatrixView<const float> references;
  std::size_t num_masks = 0;
  bool means = false;
};

// Half of the masks know about half of the features, the others a few or nearly all.
std::vector<std::uint8_t> make_masks(std::size_t num_masks, std::size_t num_features) {
  RandomSequence random(CounterRandom(1, "masks"));
  std::vector<std::uint8_t> masks;
  for (std::size_t m = 0; m < num_masks; ++m) {
    const double share = m % 2 == 0 ? 0.5 : (m % 4 == 1 ? 0.05 : 0.95);
    for (std::size_t f = 0; f < num_features; ++f) masks.push_back(random.uniform() < share);
  }
  return masks;
}

void ask(const MaskTask& task, FeatureMasks view, std::unique_ptr<const Perturbation> perturbation,
         const Context& context) {
  std::vector<double> scores(task.num_masks * task.documents.num_rows() *
                             (task.means ? 1 : task.references.num_rows()));
  if (task.means) {
    perturbation->mean_scores(view, scores, context);
  } else {
    perturbation->scores(view, scores, context);
  }
}

void time_task(const std::string& name, const MaskTask& task, int repeats, const Context& context) {
  const std::size_t num_features = task.subject.num_features();
  const std::vector<std::uint8_t> masks = make_masks(task.num_masks, num_features);
  const FeatureMasks view{masks.data(), task.num_masks, num_features};
  time_it(name, repeats, [&] {
    ask(task, view, make_perturbation(task.subject, task.documents, task.references, context),
        context);
  });
  time_it(name + ", plain", 1 + repeats / 10, [&] {
    ask(task, view, make_plain_perturbation(task.subject.scorer, task.documents, task.references),
        context);
  });
}

// Documents of a query, as the explainers get them.
ExplainedQuery query_of(const Subject& subject, MatrixView<const float> rows,
                        const Context& context) {
  ExplainedQuery query;
  query.id = "1";
  query.rows = rows;
  query.scores.resize(rows.num_rows());
  subject.scorer.score(rows, query.scores, context);
  query.ranking = rank_documents(query.scores);
  query.ranks.resize(rows.num_rows());
  for (std::size_t r = 0; r < query.ranking.size(); ++r) {
    query.ranks[query.ranking[r]] = static_cast<std::uint32_t>(r);
  }
  return query;
}

struct Setting {
  std::string explainer;
  std::vector<std::pair<std::string, std::string>> params;
  Target target;
};

// With the samples that the papers take, and nothing that ends earlier.
std::vector<Setting> sampled_settings() {
  const Target document = Target::of_document(0);
  return {{"kernel-shap", {{"mode", "shap"}, {"samples", "200"}}, document},
          {"kernel-shap", {{"mode", "shap"}, {"samples", "500"}}, document},
          {"kernel-shap", {{"samples", "2000"}, {"max_error", "0"}}, document},
          {"lirme", {{"samples", "2000"}}, document},
          {"exs", {{"samples", "1000"}}, document},
          {"exs", {{"samples", "2000"}}, document},
          {"ranking-shap", {{"samples", "2000"}, {"max_error", "0"}}, Target::of_ranking()}};
}

void time_sampled(const Setting& setting, const Subject& subject, const ExplainedQuery& query,
                  int repeats, const Context& context) {
  const auto explainer = make_explainer(setting.explainer);
  std::string name = setting.explainer;
  for (const auto& [param, value] : setting.params) {
    ParamSetter setter(param, {value});
    explainer->visit(setter);
    if (!setter.found()) fail(ErrorKind::kUsage, "{} has no {}", setting.explainer, param);
    name += fmt::format(" {}={}", param, value);
  }
  time_it(name + ", prepare", 3, [&] { explainer->prepare(subject, context); });
  time_it(name, repeats,
          [&] { explainer->explain(query, std::span(&setting.target, 1), context); });
}

void time_explainer(const std::string& name, const std::string& way, const Subject& subject,
                    MatrixView<const float> rows, int repeats, const Context& context) {
  const auto explainer = make_explainer(name);
  explainer->prepare(subject, context);
  const ExplainedQuery query = query_of(subject, rows, context);
  const std::vector<Target> targets = {Target::of_ranking()};
  Explanation answer;
  time_it(fmt::format("{}, {} documents{}", name, rows.num_rows(), way), repeats,
          [&] { answer = explainer->explain(query, targets, context).front(); });
  fmt::print("{{\"features\": [{}], \"value\": {}}}\n", fmt::join(answer.features, ", "),
             answer.value);
}

// What is timed, made once.
struct Bench {
  explicit Bench(std::span<char*> arguments)
      : repeats(std::stoi(arguments[4])),
        model(load_model(arguments[1], context)),
        data(load_dataset(arguments[2], {}, context)) {
    context.threads = std::make_shared<Threads>(std::stoi(arguments[3]));
    std::size_t largest = 0;
    for (std::size_t q = 0; q < data.num_queries(); ++q) {
      if (data.queries().rows(q).size() > data.queries().rows(largest).size()) largest = q;
    }
    range = data.queries().rows(largest);
  }
  MatrixView<const float> documents(std::size_t count) const {
    return {data.features().data() + range.begin * data.num_features(),
            std::min(range.size(), count), data.num_features()};
  }

  Context context;
  int repeats;
  Model model;
  Dataset data;
  RowRange range;
  std::unique_ptr<const Scorer> scorer = make_scorer(model);
  Subject subject{*scorer, &model, data};
};

void time_all_sampled(const Bench& bench) {
  const ExplainedQuery query = query_of(bench.subject, bench.documents(120), bench.context);
  for (const Setting& setting : sampled_settings()) {
    time_sampled(setting, bench.subject, query, bench.repeats, bench.context);
  }
}

void time_greedy(const Bench& bench) {
  time_explainer("greedy-cover-eps", "", bench.subject, bench.documents(120), bench.repeats,
                 bench.context);
}

void time_plain_greedy(const Bench& bench) {
  const auto slow_scorer = make_function_scorer(
      bench.scorer->num_features(), [&](MatrixView<const float> rows, std::span<double> scores) {
        for (std::size_t r = 0; r < rows.num_rows(); ++r) {
          scores[r] = score_row(bench.model, rows.row(r));
        }
      });
  const std::pair<std::string, const Scorer*> ways[] = {
      {", masked rows by our scorer", bench.scorer.get()},
      {", masked rows by plain traversal", slow_scorer.get()}};
  for (const auto& [way, scorer] : ways) {
    const Subject black_box{*scorer, nullptr, bench.data};
    time_explainer("greedy-cover-eps", way, black_box, bench.documents(120), bench.repeats,
                   bench.context);
  }
}

void time_optimum(const Bench& bench) {
  time_explainer("optimum", "", bench.subject, bench.documents(20), bench.repeats, bench.context);
  time_explainer("optimum", "", bench.subject, bench.documents(120), 1 + bench.repeats / 10,
                 bench.context);
}

void time_masks(const Bench& bench) {
  const std::vector<float> mean = typical_row(bench.subject, Typical::kMean, bench.context);
  const MatrixView<const float> typical{mean.data(), 1, mean.size()};
  const Dataset& data = bench.data;
  const MatrixView<const float> references{
      data.features().data(), std::min<std::size_t>(data.num_rows(), 500), data.num_features()};
  time_task("200 masks x 500 references x 1 document, means",
            {bench.subject, bench.documents(1), references, 200, true}, bench.repeats,
            bench.context);
  time_task("2000 masks x 1 reference x 1 document",
            {bench.subject, bench.documents(1), typical, 2000}, bench.repeats, bench.context);
  time_task("2000 masks x 1 reference x 120 documents",
            {bench.subject, bench.documents(120), typical, 2000}, bench.repeats, bench.context);
}

using Task = void (*)(const Bench&);
constexpr std::array<std::pair<std::string_view, Task>, 5> kTasks = {
    {{"sampled", time_all_sampled},
     {"greedy", time_greedy},
     {"greedy-plain", time_plain_greedy},
     {"optimum", time_optimum},
     {"masks", time_masks}}};

void run(std::span<char*> arguments) {
  const std::vector<std::string> chosen(arguments.begin() + 5, arguments.end());
  for (const std::string& name : chosen) {
    if (std::ranges::none_of(kTasks, [&](const auto& task) { return task.first == name; })) {
      fail(ErrorKind::kUsage, "there is no task {}", name);
    }
  }
  const Bench bench(arguments);
  for (const auto& [name, task] : kTasks) {
    if (chosen.empty() || std::ranges::find(chosen, name) != chosen.end()) task(bench);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: mask_program MODEL DATA THREADS REPEATS [TASK ...]\n");
    return 2;
  }
  try {
    run({argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    fmt::print(stderr, "mask_program: {}\n", error.what());
    return 1;
  }
  return 0;
}
