// Training: methods by name with their parameters, one training, folds, searches.

#include <cstdint>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/agree.h"
#include "glassrank/base/alike.h"
#include "glassrank/base/error.h"
#include "glassrank/data/document_name.h"
#include "glassrank/data/shard.h"
#include "glassrank/methods/cleaners/clean_params.h"
#include "glassrank/methods/lambdamart/sample_params.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/check_training.h"
#include "glassrank/methods/training/cross_validation.h"
#include "glassrank/methods/training/pipeline.h"
#include "glassrank/methods/training/random_search.h"
#include "glassrank/methods/training/search_space.h"
#include "glassrank/methods/training/trained_model.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/dropped.h"
#include "python/bindings/functions.h"
#include "python/bindings/ranker.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

using RankerPtr = std::shared_ptr<Ranker>;
using MethodPtr = std::unique_ptr<Method>;

using State = std::shared_ptr<CallState>;

MethodPtr make(const std::string& name, const nb::dict& params, const nb::dict& functions,
               const State& state) {
  MethodPtr method = make_pipeline(name);
  set_functions(*method, functions, state);
  set_params(*method, params);
  return method;
}

// The data of a training, with the names that its provenance gives them.
struct TrainingSets {
  const Data& train;
  const Data* valid = nullptr;
  const Data* test = nullptr;
  const Ranker* start = nullptr;
};

// What does not go together, in the words of the command line: files stand for data.
// Settles the defaults that depend on the rest, then refuses what does not go together.
void check(Method& method, const TrainingSets& sets, const nb::dict& params,
           const TrainPlan& plan = {}, const std::string& out = kNoFile) {
  method.settle({.has_valid = sets.valid != nullptr || plan.num_folds > 0,
                 .has_start = sets.start != nullptr});
  TrainFiles files{.train = sets.train.name,
                   .valid = sets.valid == nullptr ? "" : sets.valid->name,
                   .start_model = sets.start == nullptr ? "" : sets.start->name,
                   .out = out,
                   .given = given_in(params)};
  check_training(method, files, plan);
  for (std::string& name : searched_params(plan.search.ranges, method)) {
    files.given.push_back(std::move(name));
  }
  check_given(files, sets.train.table().schema);
}

// Queries that have only numbers are numbered through all machines.
Data numbered_through(const Data& data, const Context& context) {
  const Communicator& machines = *context.communicator;
  if (machines.is_alone()) return data;
  const QueryGroups& queries = data.table().queries;
  if (any_machine(machines, data.has_query_ids && queries.num_queries() > 0)) return data;
  const Shard shard = shard_of(queries, machines);
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  for (std::size_t q = 0; q < queries.num_queries(); ++q) {
    ids.push_back(std::to_string(shard.first_query + q + 1));
    sizes.push_back(queries.rows(q).size());
  }
  return data.with_queries(QueryGroups(std::move(ids), sizes));
}

Dataset like(const TrainInputs& inputs, const Data& given, std::string_view what,
             const Context& context) {
  const Data data = numbered_through(given, context);
  return fit_together(inputs, data.rows(context), data.rules(), what, context);
}

// What all machines must be given alike, besides their rows.
void require_alike(const Method& method, const TrainingSets& sets, const Context& context) {
  const auto given = [](const void* data) { return data == nullptr ? "none" : "some"; };
  std::vector<Setting> settings = {{"method", method.name()},
                                   {"seed", std::to_string(context.seed)},
                                   {"validation data", given(sets.valid)},
                                   {"test data", given(sets.test)},
                                   {"model to start from", given(sets.start)}};
  for (const ParamInfo& info : list_params(method)) settings.emplace_back(info.name, info.value);
  require_alike(*context.communicator, settings);
}

TrainInputs inputs_of(const TrainingSets& sets, const TrainingData& train, const Context& context) {
  TrainInputs inputs = make_inputs(train, sets.train.name, context);
  if (sets.start != nullptr) {
    start_from(inputs, {sets.start->name, sets.start->require_model("training that goes on")},
               sets.train.rules(), context);
  }
  if (sets.valid != nullptr) {
    add_valid(inputs, {sets.valid->name, like(inputs, *sets.valid, "the validation data", context)},
              context);
  }
  return inputs;
}

// Everything about a training but the model.
nb::dict training_of(const TrainResult& result, const Provenance& run, const Data& train) {
  nb::dict training;
  training["record"] = result_of(run_record(run, result));
  training["report"] = result_of(result.report);
  training["text"] = text_of(train_text(result.report));
  training["is_interrupted"] = result.is_interrupted;
  nb::dict curve;
  const std::vector<std::vector<double>>& rounds = result.curve.rounds;
  if (!result.curve.places.empty()) {
    std::vector<std::int64_t> bag;
    std::vector<std::int64_t> round;
    for (const TrainingCurve::Place& place : result.curve.places) {
      bag.push_back(static_cast<std::int64_t>(place.bag));
      round.push_back(static_cast<std::int64_t>(place.round));
    }
    curve["bag"] = array_of(std::move(bag));
    curve["round"] = array_of(std::move(round));
  } else {
    std::vector<std::int64_t> round;
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      round.push_back(static_cast<std::int64_t>(r + 1));
    }
    curve["round"] = array_of(std::move(round));
  }
  for (std::size_t m = 0; m < result.curve.names.size(); ++m) {
    std::vector<double> values;
    for (const std::vector<double>& each : rounds) values.push_back(each[m]);
    curve[text_of(result.curve.names[m])] = array_of(std::move(values));
  }
  training["curve"] = curve;
  training["dropped"] =
      result.cleaning ? nb::object(dropped_rows(train.table(), *result.cleaning)) : nb::none();
  return training;
}

nb::tuple trained(const TrainedModel& made, const Data& train) {
  return nb::make_tuple(std::make_shared<Ranker>(made.model, kNoFile, ""),
                        training_of(made.result, made.run, train));
}

nb::tuple train(const Call& call, const std::string& name, const nb::dict& params,
                const Data& train_data, const Data* valid, const Data* test, const Ranker* start,
                const nb::dict& functions) {
  const auto state = std::make_shared<CallState>();
  const MethodPtr method = make(name, params, functions, state);
  const TrainingSets sets{train_data, valid, test, start};
  std::optional<Error> refused;  // on this machine
  try {
    check(*method, sets, params);
  } catch (const Error& error) {
    refused = error;
  }
  const TrainedModel made = call.run(state, [&](const Context& context) {
    agree(context, [&] {
      if (refused) throw Error(*refused);
    });
    require_alike(*method, sets, context);
    check_machines(*method, context);
    const Data::Training shared = numbered_through(train_data, context).training(context);
    const TrainInputs inputs = inputs_of(sets, shared.data, context);
    std::optional<Dataset> test_rows;
    if (test != nullptr) test_rows = like(inputs, *test, "the test data", context);
    return train_model(
        *method, inputs,
        {.test = test_rows ? &*test_rows : nullptr, .missing = train_data.read.missing}, context);
  });
  if (made.result.is_interrupted) Call::take_interrupt();
  return trained(made, train_data);
}

// The folds, and the model of all data that is as long as they found best; None without it.
nb::tuple cross_validated(const Call& call, const std::string& name, const nb::dict& params,
                          const Data& data, int num_folds, bool ends_in_model,
                          const nb::dict& functions) {
  const auto state = std::make_shared<CallState>();
  const MethodPtr method = make(name, params, functions, state);
  const TrainingSets sets{data};
  check(*method, sets, params, {.num_folds = num_folds}, ends_in_model ? kNoFile : "");
  std::optional<TrainedModel> made;
  const CrossValidation found = call.run(state, [&](const Context& context) {
    CrossValidation folds = cross_validate(data.rows(context), *method, num_folds, context);
    if (ends_in_model) {
      const Data::Training shared = data.training(context);
      made = train_for_length(*method, folds.length, inputs_of(sets, shared.data, context),
                              {.missing = data.read.missing}, context);
    }
    return folds;
  });
  return nb::make_tuple(result_of(found), made ? nb::object(trained(*made, data)) : nb::none());
}

// The trials, the best one's parameters that were searched, and its model.
nb::tuple searched(const Call& call, const std::string& name, const nb::dict& params,
                   const nb::dict& search_params, const Data& train_data, const Data* valid,
                   int num_folds, const Data* test, const nb::dict& functions) {
  const auto state = std::make_shared<CallState>();
  const MethodPtr method = make(name, params, functions, state);
  SearchParams search;
  set_params(search, search_params);
  const TrainingSets sets{train_data, valid, test};
  check(*method, sets, params, {.num_folds = num_folds, .search = search});
  std::optional<TrainedModel> made;
  const SearchResult found = call.run(state, [&](const Context& context) {
    const Data::Training shared = train_data.training(context);
    const TrainInputs inputs = inputs_of(sets, shared.data, context);
    const std::vector<SearchSplit> splits =
        num_folds > 0 ? fold_splits(train_data.rows(context), num_folds, context)
                      : std::vector<SearchSplit>{
                            {.train = train_data.rows(context), .valid = *inputs.data.valid()}};
    SearchResult result = random_search(splits, *method, search, context);
    const Trial& best = result.trials.front();
    std::optional<Dataset> test_rows;
    if (test != nullptr) test_rows = like(inputs, *test, "the test data", context);
    const TrainOptions options{.test = test_rows ? &*test_rows : nullptr,
                               .missing = train_data.read.missing};
    made = num_folds > 0 ? train_for_length(*best.method, best.length, inputs, options, context)
                         : completed(*best.method, result.best, inputs, options, context);
    return result;
  });
  return nb::make_tuple(result_of(found), trained(*made, train_data));
}

nb::list declared(std::span<const MethodInfo> table) {
  nb::list list;
  for (const MethodInfo& info : table) {
    nb::dict made;
    made["name"] = text_of(info.name);
    made["doc"] = text_of(info.doc);
    list.append(made);
  }
  return list;
}

}  // namespace

nb::dict dropped_rows(const RowTable& table, const Cleaning& cleaning) {
  const std::vector<std::uint32_t> query_of_row = table.queries.query_of_rows();
  nb::list queries;
  nb::list documents;
  nb::list rows;
  nb::list grades;
  nb::list evidence;
  for (const DroppedRow& dropped : cleaning.dropped) {
    queries.append(text_of(table.queries.id(query_of_row[dropped.row])));
    documents.append(text_of(document_name(table.document_ids, table.queries, dropped.row)));
    rows.append(dropped.row);
    grades.append(table.grades[dropped.row]);
    evidence.append(dropped.evidence);
  }
  nb::dict columns;
  columns["query"] = queries;
  columns["document"] = documents;
  columns["row"] = rows;
  columns["grade"] = grades;
  columns["evidence"] = evidence;
  return columns;
}

void bind_methods(nb::module_& core) {
  core.def("methods", [] { return declared(method_table()); });
  core.def("method_params",
           [](const std::string& name, const nb::dict& params, const nb::dict& functions) {
             const auto state = std::make_shared<CallState>();
             return params_of(list_params(*make(name, params, functions, state)));
           });
  core.def("train", &train, nb::arg("call"), nb::arg("method"), nb::arg("params"), nb::arg("train"),
           nb::arg("valid").none(), nb::arg("test").none(), nb::arg("start").none(),
           nb::arg("functions"));
  core.def("cross_validate", &cross_validated);
  core.def("search", &searched, nb::arg("call"), nb::arg("method"), nb::arg("params"),
           nb::arg("search"), nb::arg("train"), nb::arg("valid").none(), nb::arg("folds"),
           nb::arg("test").none(), nb::arg("functions"));
}

}  // namespace glassrank::python
