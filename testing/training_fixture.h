#pragma once
// For tests of training: methods with cleaning, data of which only bins are known, and trainings
// that are stopped on their way.

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "glassrank/base/params.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cleaned_method.h"
#include "glassrank/models/io/native.h"

namespace glassrank::testing {

inline TrainingData data_of(const Dataset& train, const Dataset* valid = nullptr) {
  return TrainingData(train, valid == nullptr ? std::nullopt : std::optional(*valid));
}

// `valid` may be null.
inline TrainResult train(const Method& method, const Dataset& train, const Dataset* valid,
                         const Context& context = {}, Checkpoints* checkpoints = nullptr) {
  const TrainingData data = data_of(train, valid);
  return method.train({.data = data, .checkpoints = checkpoints}, context);
}

// A training on cleaned data.
struct Cleaned {
  TrainResult result;
  Forest forest = require_forest(result.model, "the test");
  Cleaning cleaning = result.cleaning.value_or(Cleaning{});
};

inline Cleaned train_cleaned(const Dataset& train_rows, const Dataset* valid,
                             const LambdamartParams& params, const CleanParams& clean,
                             const Context& context = {}, Checkpoints* checkpoints = nullptr) {
  const auto method = make_cleaned(make_lambdamart(params), clean);
  return {.result = train(*method, train_rows, valid, context, checkpoints)};
}

inline std::string temporary_path(std::string_view name) {
  return std::filesystem::path(::testing::TempDir()) / name;
}

// The same rows as a cache of bins; `name` is the file's.
inline TrainingData bins_only(const Dataset& train, const BinParams& bins, std::string_view name) {
  const std::string path = temporary_path(name);
  write_binned_cache(path, bin_dataset(train, bins, Context{}), bins, Context{});
  return TrainingData({.path = path, .read = {}, .bins = bins}, Context{});
}

inline bool same_bytes(const Model& a, const Model& b) {
  return write_native(a) == write_native(b);
}

template <typename P>
P params_of(const Method& method) {
  P params;
  for (const ParamInfo& info : list_params(method)) {
    if (!info.is_list) {
      set_param(params, info.name, {info.value});
    } else if (!info.items.empty()) {
      set_param(params, info.name, info.items);
    }
  }
  return params;
}

inline void set(Method& method, const std::string& name, const std::string& value) {
  set_param(method, name, {value});
}

// Asks to stop when so many lines that begin with `text` were logged.
class StopAt final : public LogSink {
 public:
  explicit StopAt(std::string text, int times = 1) : text_(std::move(text)), left_(times) {}
  void log(LogLevel /*level*/, std::string_view message) override {
    if (message.starts_with(text_) && --left_ == 0) stop = true;
  }
  std::atomic<bool> stop = false;

 private:
  std::string text_;
  std::atomic<int> left_;
};

}  // namespace glassrank::testing
