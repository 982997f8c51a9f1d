#include "python/bindings/call.h"

#include <chrono>
#include <csignal>
#include <map>
#include <string>
#include <string_view>

#include "python/bindings/bindings.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenReports = std::chrono::milliseconds(100);

// Calls a function of the caller from any thread; what it raises ends the work.
template <typename Use>
void call_back(CallState& state, Use&& use) {
  const nb::gil_scoped_acquire held;
  try {
    use();
  } catch (nb::python_error& error) {
    state.keep(std::move(error));
  }
}

class CallLog final : public LogSink {
 public:
  CallLog(nb::handle function, std::shared_ptr<CallState> state)
      : function_(function), state_(std::move(state)) {}
  void log(LogLevel level, std::string_view message) override {
    call_back(*state_, [&] { function_(level == LogLevel::kWarning, text_of(message)); });
  }

 private:
  nb::handle function_;  // the Call keeps it
  std::shared_ptr<CallState> state_;
};

class CallProgress final : public ProgressSink {
 public:
  CallProgress(nb::handle function, std::shared_ptr<CallState> state)
      : function_(function), state_(std::move(state)) {}

  void start(std::string_view task, std::string_view unit, std::uint64_t total) override {
    task_ = task;
    unit_ = unit;
    total_ = total;
    last_ = {};
    update(0, "");
  }
  void update(std::uint64_t done, std::string_view detail) override {
    const Clock::time_point now = Clock::now();
    if (now - last_ < kBetweenReports && done != total_) return;
    last_ = now;
    call_back(*state_,
              [&] { function_(text_of(task_), text_of(unit_), total_, done, text_of(detail)); });
  }
  void finish() override {
    call_back(*state_,
              [&] { function_(text_of(task_), text_of(unit_), total_, nb::none(), nb::str("")); });
  }

 private:
  nb::handle function_;
  std::shared_ptr<CallState> state_;
  std::string task_;
  std::string unit_;
  std::uint64_t total_ = 0;
  Clock::time_point last_ = {};
};

// Set while a call runs in the main thread. Handlers may look at these alone.
std::atomic<std::atomic<bool>*> stop_of_call = nullptr;
struct sigaction python_handler{};

void on_interrupt(int signal, siginfo_t* info, void* machine) {
  if (std::atomic<bool>* stop = stop_of_call.load()) stop->store(true);
  if ((python_handler.sa_flags & SA_SIGINFO) != 0) {
    python_handler.sa_sigaction(signal, info, machine);
  } else {
    python_handler.sa_handler(signal);
  }
}

bool has_handler(const struct sigaction& action) {
  if ((action.sa_flags & SA_SIGINFO) != 0) return action.sa_sigaction != nullptr;
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

bool is_main_thread() {
  const nb::module_ threading = nb::module_::import_("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

// Arenas of threads are made once for every number of them.
std::shared_ptr<const Threads> threads_for(int count) {
  if (count < 0) throw nb::value_error("threads must not be negative; 0: one per core");
  if (count == 0) return Threads::all();
  static std::map<int, std::shared_ptr<const Threads>> made;
  std::shared_ptr<const Threads>& threads = made[count];
  if (!threads) threads = std::make_shared<const Threads>(count);
  return threads;
}

}  // namespace

void CallState::keep(nb::python_error error) {
  const std::scoped_lock lock(mutex_);
  if (error.matches(PyExc_KeyboardInterrupt)) {
    is_interrupted_ = true;
  } else if (!error_) {
    error_ = std::make_unique<nb::python_error>(std::move(error));
  }
  stop.store(true);
}

void CallState::rethrow() {
  if (is_interrupted_) PyErr_SetInterrupt();
  is_interrupted_ = false;
  if (!error_) return;
  nb::python_error error = std::move(*error_);
  error_ = nullptr;
  throw error;
}

Call::Call(int threads, std::uint64_t seed, nb::object log, nb::object progress,
           const Machines* machines)
    : threads_(threads_for(threads)),
      seed_(seed),
      log_(std::move(log)),
      progress_(std::move(progress)),
      communicator_(machines == nullptr ? Communicator::alone() : machines->communicator) {}

Context Call::make_context(const std::shared_ptr<CallState>& state) const {
  Context context;
  context.threads = threads_;
  context.seed = seed_;
  context.stop = &state->stop;
  context.communicator = communicator_;
  if (!log_.is_none()) context.log_sink = std::make_shared<CallLog>(log_, state);
  if (!progress_.is_none()) {
    context.progress_sink = std::make_shared<CallProgress>(progress_, state);
  }
  return context;
}

void Call::raise_interrupt() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void Call::take_interrupt() {
  if (PyErr_CheckSignals() == 0) return;
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) throw nb::python_error();
  PyErr_Clear();
}

Call::Interrupts::Interrupts(CallState& state) {
  if (!is_main_thread()) return;
  outer_ = stop_of_call.load();
  if (outer_ == nullptr) {
    struct sigaction present{};
    sigaction(SIGINT, nullptr, &present);
    if (!has_handler(present)) return;  // ignored, or ends the process: as the user wants it
    python_handler = present;
    stop_of_call.store(&state.stop);
    struct sigaction ours{};
    ours.sa_sigaction = on_interrupt;
    ours.sa_flags = SA_SIGINFO;
    ours.sa_mask = present.sa_mask;
    sigaction(SIGINT, &ours, nullptr);
  } else {
    stop_of_call.store(&state.stop);
  }
  is_main_ = true;
}

Call::Interrupts::~Interrupts() {
  if (!is_main_) return;
  if (outer_ == nullptr) sigaction(SIGINT, &python_handler, nullptr);
  stop_of_call.store(outer_);
}

std::shared_ptr<const void> keep_alive(nb::object object) {
  return {object.release().ptr(), [](const void* kept) {
            if (!nb::is_alive()) return;
            const nb::gil_scoped_acquire held;
            Py_DECREF(static_cast<PyObject*>(const_cast<void*>(kept)));
          }};
}

void bind_context(nb::module_& core) {
  nb::class_<Call>(core, "Call", "How the engine is called: threads, seed, callbacks.")
      .def(nb::init<int, std::uint64_t, nb::object, nb::object, const Machines*>(),
           nb::arg("threads") = 0, nb::arg("seed") = 0, nb::arg("log").none() = nb::none(),
           nb::arg("progress").none() = nb::none(), nb::arg("machines").none() = nb::none());
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      constexpr const char* kNames[] = {"UsageError", "InputError", "FileError", "Interrupted"};
      const nb::object errors = nb::module_::import_("glassrank.errors");
      const nb::object type = errors.attr(kNames[static_cast<int>(error.kind())]);
      const nb::object made = errors.attr("made_from")(type, text_of(error.what()));
      PyErr_SetObject(type.ptr(), made.ptr());
    }
  });
}

}  // namespace glassrank::python
