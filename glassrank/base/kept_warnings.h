#pragma once
// A log sink that passes everything on and keeps the warnings, for results that must tell them too.

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"

namespace glassrank {

class KeptWarnings final : public LogSink {
 public:
  explicit KeptWarnings(std::shared_ptr<LogSink> next) : next_(std::move(next)) {}

  void log(LogLevel level, std::string_view message) override {
    if (next_) next_->log(level, message);
    const std::lock_guard lock(mutex_);
    if (level == LogLevel::kWarning) warnings_.emplace_back(message);
  }
  std::vector<std::string> warnings() const {
    const std::lock_guard lock(mutex_);
    return warnings_;
  }

 private:
  std::shared_ptr<LogSink> next_;
  mutable std::mutex mutex_;
  std::vector<std::string> warnings_;
};

}  // namespace glassrank
