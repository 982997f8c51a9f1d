#pragma once
// One call from Python into the engine: the Context it runs with, the lock of the interpreter given
// back meanwhile, Ctrl-C, and errors on the way back.
//
//   const auto scores = call.run([&](const Context& context) { return score_all(..., context); });
//
// While work runs in the main thread, Ctrl-C sets the Context's stop flag and reaches Python as
// always: the handler that was there is called too. Whatever Python's handler raises then comes out
// of the call.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nanobind/nanobind.h>
#include <type_traits>
#include <utility>

#include "glassrank/base/context.h"
#include "glassrank/base/error.h"
#include "python/bindings/machines.h"

namespace nb = nanobind;

namespace glassrank::python {

// What sinks and callbacks of one call share: whether to stop, and what a callback raised.
struct CallState {
  std::atomic<bool> stop = false;

  // Keeps the first one, and ends the work. Any thread; the interpreter's lock is held.
  // KeyboardInterrupt is no failure of the callback, which only ran when Ctrl-C came: the signal is
  // left for the end of the call, where work that was stopped may still have something to give.
  void keep(nb::python_error error);
  // Raises it again, or makes the signal pending again.
  void rethrow();

 private:
  std::mutex mutex_;
  std::unique_ptr<nb::python_error> error_;
  bool is_interrupted_ = false;
};

// Functions of the caller, each None or called with the interpreter's lock:
//   log(is_warning, message)
//   progress(task, unit, total, done, detail); done is None when the task is over
class Call {
 public:
  // `machines`: those that train together; null: this one alone.
  Call(int threads, std::uint64_t seed, nb::object log, nb::object progress,
       const Machines* machines = nullptr);

  // Calls work(context) without the interpreter's lock. Whatever it throws comes out.
  template <typename Work>
  auto run(Work&& work) const {
    return run(std::make_shared<CallState>(), std::forward<Work>(work));
  }
  // The same with a state that functions within the work share.
  template <typename Work>
  auto run(const std::shared_ptr<CallState>& state, Work&& work) const {
    const Context context = make_context(state);
    const Interrupts interrupts(*state);
    using Made = std::invoke_result_t<Work, const Context&>;
    try {
      if constexpr (std::is_void_v<Made>) {
        {
          const nb::gil_scoped_release released;
          work(context);
        }
        state->rethrow();
      } else {
        Made made = [&] {
          const nb::gil_scoped_release released;
          return work(context);
        }();
        state->rethrow();
        return made;
      }
    } catch (const Error& error) {
      state->rethrow();  // what made it stop
      if (error.kind() == ErrorKind::kInterrupted) raise_interrupt();
      throw;
    }
  }

  // Raises what the handler of a signal that has come raises.
  static void raise_interrupt();
  // The same, but for KeyboardInterrupt: the caller has seen that work was stopped and says so
  // itself.
  static void take_interrupt();

 private:
  // Sets the stop flag of the call when the user presses Ctrl-C, for as long as it lives.
  class Interrupts {
   public:
    explicit Interrupts(CallState& state);
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

   private:
    bool is_main_ = false;
    std::atomic<bool>* outer_ = nullptr;  // of the call that this one is within
  };

  Context make_context(const std::shared_ptr<CallState>& state) const;

  std::shared_ptr<const Threads> threads_;
  std::uint64_t seed_;
  nb::object log_;
  nb::object progress_;
  std::shared_ptr<const Communicator> communicator_;
};

// An object that engine structures keep alive and any thread may let go.
std::shared_ptr<const void> keep_alive(nb::object object);

}  // namespace glassrank::python
