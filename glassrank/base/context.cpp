#include "glassrank/base/context.h"

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"

namespace glassrank {

void Context::info(std::string_view message) const {
  if (log_sink) log_sink->log(LogLevel::kInfo, message);
}

void Context::warn(std::string_view message) const {
  if (log_sink) log_sink->log(LogLevel::kWarning, message);
}

namespace {

[[noreturn]] void fail_stopped() {
  throw Error(ErrorKind::kInterrupted, "stopped at the user's request");
}

}  // namespace

void Context::check_stop() const {
  if (is_stopped()) fail_stopped();
}

bool Context::is_stopped_anywhere() const {
  const bool is_asked = stop != nullptr && stop->load(std::memory_order_relaxed);
  return any_machine(*communicator, is_asked);
}

void Context::check_stop_anywhere() const {
  if (is_stopped_anywhere()) fail_stopped();
}

Context Context::finishing() const {
  Context copy = *this;
  copy.stop = nullptr;
  return copy;
}

Progress::Progress(const Context& context, std::string_view task, std::string_view unit,
                   std::uint64_t total)
    : sink_(context.progress_sink) {
  if (sink_) sink_->start(task, unit, total);
}

Progress::~Progress() {
  if (sink_) sink_->finish();
}

void Progress::report(std::string_view detail) {
  if (sink_) sink_->update(done_.load(std::memory_order_relaxed), detail);
}

}  // namespace glassrank
