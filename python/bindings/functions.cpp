#include "python/bindings/functions.h"

#include <algorithm>
#include <limits>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <utility>

#include "glassrank/base/error.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

// A function of Python with the call it is used in.
struct Function {
  std::shared_ptr<const void> kept;
  nb::handle callee;
  std::shared_ptr<CallState> state;

  Function(nb::object function, std::shared_ptr<CallState> call_state)
      : callee(function), state(std::move(call_state)) {
    kept = keep_alive(std::move(function));
  }

  // Calls use(callee) with the lock; false: it raised, and work is to stop.
  template <typename Use>
  bool call(Use&& use) const {
    const nb::gil_scoped_acquire held;
    try {
      use(callee);
      return true;
    } catch (nb::python_error& error) {
      state->keep(std::move(error));
      return false;
    }
  }
};

template <typename T>
nb::object copy_of(std::span<const T> values) {
  return nb::cast(nb::ndarray<nb::numpy, const T>(values.data(), {values.size()}, nb::handle()),
                  nb::rv_policy::copy);
}

class PythonObjective final : public Objective {
 public:
  explicit PythonObjective(Function function) : function_(std::move(function)) {}

  void prepare(const ObjectiveData& data) override {
    ids_.assign(data.queries.ids().begin(), data.queries.ids().end());
  }

  void gradients(const QueryView& query, ObjectiveScratch& /*scratch*/,
                 GradientView out) const override {
    const bool is_done = function_.call([&](nb::handle callee) {
      const nb::object given =
          callee(copy_of(query.scores), copy_of(query.grades), query.query,
                 query.query < ids_.size() ? text_of(ids_[query.query]) : nb::str(""), query.round);
      const auto gradient = nb::cast<ArrayIn<float>>(given[0]);
      const auto hessian = nb::cast<ArrayIn<float>>(given[1]);
      std::copy_n(gradient.data(), out.gradient.size(), out.gradient.begin());
      std::copy_n(hessian.data(), out.hessian.size(), out.hessian.begin());
    });
    if (!is_done) fail(ErrorKind::kInterrupted, "stopped");
  }

 private:
  Function function_;
  std::vector<std::string> ids_;
};

void set_objective(Method& method, nb::handle given, const std::shared_ptr<CallState>& state) {
  ObjectiveParams* params = method.objective();
  const std::string name = nb::cast<std::string>(given[nb::int_(0)]);
  if (params == nullptr) {
    fail(ErrorKind::kUsage, "objective: {} has one of its own; {} cannot take its place",
         method.name(), name);
  }
  const Function function(given[nb::int_(1)], state);
  params->own = std::make_shared<const OwnObjective>(OwnObjective{
      .name = name, .make = [function] { return std::make_unique<PythonObjective>(function); }});
}

void set_callback(Method& method, nb::object given, const std::shared_ptr<CallState>& state) {
  method.watch().after_round = [function =
                                    Function(std::move(given), state)](const WatchedRound& round) {
    bool goes_on = false;
    function.call([&](nb::handle callee) {
      nb::dict metrics;
      for (std::size_t m = 0; m < round.names.size(); ++m) {
        metrics[text_of(round.names[m])] = round.metrics[m];
      }
      goes_on = nb::cast<bool>(callee(text_of(round.training), round.round, metrics));
    });
    return goes_on;
  };
}

}  // namespace

std::vector<std::shared_ptr<const OwnMetric>> own_metrics(const nb::dict& functions,
                                                          const std::shared_ptr<CallState>& state) {
  std::vector<std::shared_ptr<const OwnMetric>> metrics;
  for (const auto& [name, given] : functions) {
    const Function function(nb::borrow(given), state);
    metrics.push_back(std::make_shared<const OwnMetric>(OwnMetric{
        .name = nb::cast<std::string>(name), .value = [function](const Ranking& ranking) {
          double value = std::numeric_limits<double>::quiet_NaN();
          function.call([&](nb::handle callee) {
            value = nb::cast<double>(callee(copy_of(ranking.grades), copy_of(ranking.missed),
                                            ranking.query, text_of(ranking.query_id)));
          });
          return value;
        }}));
  }
  return metrics;
}

void set_functions(Method& method, const nb::dict& functions,
                   const std::shared_ptr<CallState>& state) {
  const auto given = [&](const char* name) -> nb::object {
    return functions.contains(name) ? nb::object(functions[name]) : nb::none();
  };
  if (const nb::object objective = given("objective"); !objective.is_none()) {
    set_objective(method, objective, state);
  }
  if (const nb::object metrics = given("metrics"); !metrics.is_none()) {
    method.watch().own = own_metrics(nb::cast<nb::dict>(metrics), state);
  }
  if (const nb::object callback = given("after_round"); !callback.is_none()) {
    set_callback(method, callback, state);
  }
}

}  // namespace glassrank::python
