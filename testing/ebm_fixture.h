#pragma once
// For the tests of EBM: settings that train in no time, and a log to look at.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/methods/ebm/ebm.h"

namespace glassrank::testing {

inline EbmParams quick() {
  EbmParams params;
  params.bagging.bags = 3;
  params.learning_rate = 0.05;
  params.max_rounds = 60;
  return params;
}

class Lines final : public LogSink {
 public:
  void log(LogLevel, std::string_view message) override { all.emplace_back(message); }
  std::vector<std::string> all;
};

}  // namespace glassrank::testing
