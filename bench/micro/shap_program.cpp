// Times exact Shapley values of a model's scores and prints the result as JSON, for bench/peers and
// tests/compat.
// Usage: shap_program MODEL ROWS NUM_FEATURES TASK THREADS SECONDS [OUT] [BACKGROUND]
//   ROWS and BACKGROUND are files of float32 values, row after row. TASK is values or interactions
//   (matrices of features x features), with a cover after a colon: values:hessian. With BACKGROUND
//   the values are interventional. OUT is written with float64 values.
//   Explains every row in one call, over and over for at least so many SECONDS, after one call that
//   is not timed. Prints the median seconds of a call, the milliseconds the engine took to make and
//   the base value.

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "glassrank/explain/tree_shap/shap_engine.h"
#include "glassrank/models/io/formats.h"

namespace {

using namespace glassrank;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<float> read_floats(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
  std::vector<float> values(static_cast<std::size_t>(file.tellg()) / sizeof(float));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(float)));
  return values;
}

Cover cover_of(std::string_view task) {
  const std::size_t colon = task.find(':');
  if (colon == std::string_view::npos) return Cover::kAuto;
  for (const auto& [name, cover] : EnumNames<Cover>::table()) {
    if (name == task.substr(colon + 1)) return cover;
  }
  throw std::runtime_error(fmt::format("no cover {}", task.substr(colon + 1)));
}

void time_engine(const Model& model, std::span<char*> arguments, const Context& context) {
  const std::vector<float> values = read_floats(arguments[2]);
  const std::size_t width = std::stoul(arguments[3]);
  const MatrixView<const float> rows(values.data(), values.size() / width, width);
  const std::string task = arguments[4];
  ShapSetup setup{.cover = cover_of(task)};
  std::vector<float> background;
  if (arguments.size() > 8) {
    background = read_floats(arguments[8]);
    setup.game = ShapGame::kInterventional;
    setup.background = {background.data(), background.size() / width, width};
  }
  const auto start_making = Clock::now();
  const std::unique_ptr<const ShapEngine> engine = make_shap_engine(model, setup, context);
  const double making = seconds_since(start_making);
  const bool is_values = task.starts_with("values");
  const std::size_t n = engine->num_features();
  std::vector<double> out(rows.num_rows() * n * (is_values ? 1 : n));
  const MatrixView<double> view(out.data(), rows.num_rows(), is_values ? n : n * n);
  const auto call = [&] {
    const auto start = Clock::now();
    if (is_values) {
      engine->values(rows, view, context);
    } else {
      engine->interaction_matrices(rows, view, context);
    }
    return seconds_since(start);
  };
  call();
  std::vector<double> seconds;
  const auto start_calls = Clock::now();
  do {
    seconds.push_back(call());
  } while (seconds_since(start_calls) < std::stod(arguments[6]));
  std::ranges::sort(seconds);
  if (arguments.size() > 7) {
    std::ofstream(arguments[7], std::ios::binary)
        .write(reinterpret_cast<const char*>(out.data()),
               static_cast<std::streamsize>(out.size() * sizeof(double)));
  }
  fmt::print("{{\"seconds\": {}, \"making_ms\": {:.2f}, \"base_value\": {}}}\n",
             seconds.at(seconds.size() / 2), 1e3 * making, engine->base_value());
}

void run(std::span<char*> arguments) {
  Context context;
  context.threads = std::make_shared<Threads>(std::stoi(arguments[5]));
  time_engine(load_model(arguments[1], context), arguments, context);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    fmt::print(stderr,
               "usage: shap_program MODEL ROWS NUM_FEATURES TASK THREADS SECONDS [OUT] "
               "[BACKGROUND]\n");
    return 2;
  }
  try {
    run({argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    fmt::print(stderr, "shap_program: {}\n", error.what());
    return 1;
  }
  return 0;
}
