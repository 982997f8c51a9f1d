// Data made of other data, or of nothing: cleaned, with wrong grades on purpose, synthetic.

#include <cstdint>
#include <memory>
#include <nanobind/stl/string.h>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/data/document_name.h"
#include "glassrank/data/grade_noise.h"
#include "glassrank/data/match_columns.h"
#include "glassrank/data/synth/synthetic.h"
#include "glassrank/methods/cleaners/cleaner.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cleaned_method.h"
#include "glassrank/methods/training/trained_model.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/data.h"
#include "python/bindings/dropped.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

struct CleanSettings {
  std::unique_ptr<Method> learner;
  CleanParams clean;

  void visit(ParamVisitor& visitor) {
    learner->visit(visitor);
    visitor.group("clean", clean);
  }
};

// (the rows that are kept, those that are dropped)
nb::tuple clean(const Call& call, const std::string& learner, const nb::dict& params,
                const Data& train, const Data* valid) {
  CleanSettings settings{.learner = make_method(learner), .clean = {}};
  set_params(settings, params);
  check_clean_alone(settings.clean, *settings.learner, valid != nullptr);
  const auto [rows, cleaning] = call.run([&](const Context& context) {
    const Data::Training shared = train.training(context);
    TrainInputs inputs = make_inputs(shared.data, train.name, context);
    if (valid != nullptr) {
      add_valid(inputs,
                {valid->name, fit_together(inputs, valid->rows(context), valid->rules(),
                                           "the validation data", context)},
                context);
    }
    MemoryCheckpoints base;
    const Cleaning found = clean_alone(*settings.learner, settings.clean,
                                       {.data = inputs.data, .checkpoints = &base}, context);
    const Dataset& all = train.rows(context);
    return std::pair(DatasetView(all, kept_rows(found, all.num_rows())).materialise(), found);
  });
  return nb::make_tuple(Data(rows, train.name + " (cleaned)", train.read),
                        dropped_rows(train.table(), cleaning));
}

// (the data with other grades, what was flipped)
nb::tuple with_noise(const Call& call, const Data& data, const nb::dict& params) {
  NoiseParams noise;
  set_params(noise, params);
  NoisyDataset noisy = call.run([&](const Context& context) {
    return add_grade_noise(data.rows(context), noise, context.seed);
  });
  const RowTable& table = data.table();
  const std::vector<std::uint32_t> query_of_row = table.queries.query_of_rows();
  nb::list queries;
  nb::list documents;
  std::vector<std::int64_t> rows;
  std::vector<float> before;
  std::vector<float> after;
  for (const GradeFlip& flip : noisy.flips) {
    queries.append(text_of(table.queries.id(query_of_row[flip.row])));
    documents.append(text_of(document_name(table.document_ids, table.queries, flip.row)));
    rows.push_back(static_cast<std::int64_t>(flip.row));
    before.push_back(flip.old_grade);
    after.push_back(flip.new_grade);
  }
  nb::dict flips;
  flips["query"] = queries;
  flips["document"] = documents;
  flips["row"] = array_of(std::move(rows));
  flips["old_grade"] = array_of(std::move(before));
  flips["new_grade"] = array_of(std::move(after));
  return nb::make_tuple(Data(std::move(noisy.data), data.name + " (with noise)", data.read), flips);
}

// (the data, the truth behind it as JSON)
nb::tuple synthetic(const Call& call, const nb::dict& params, bool with_utilities) {
  SyntheticParams chosen;
  set_params(chosen, params);
  auto [rows, truth] = call.run([&](const Context& context) {
    const SyntheticSource source(chosen, context);
    return std::pair(source.queries(0, source.table().queries.num_queries(), context),
                     truth_json(source, with_utilities));
  });
  return nb::make_tuple(Data(std::move(rows), "synthetic", {}), text_of(truth));
}

}  // namespace

void bind_making(nb::module_& core) {
  core.def("clean", &clean, nb::arg("call"), nb::arg("learner"), nb::arg("params"),
           nb::arg("train"), nb::arg("valid").none());
  core.def("with_noise", &with_noise);
  core.def("synthetic", &synthetic);
}

}  // namespace glassrank::python
