// Times scoring with a forest or an additive model on one thread and prints the result as JSON, for
// bench/peers. Usage: score_program MODEL ROWS NUM_FEATURES ROWS_PER_CALL SECONDS [SCORES]
//   ROWS is a file of float32 values, row after row; SCORES is written with float64 values.
//   Scores every row, ROWS_PER_CALL at a time (0: all of them in one call), over and over for at
//   least so many SECONDS, after one pass that is not timed.
//   Prints the median seconds of a call over all calls, and the milliseconds the scorer took to
//   make.

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

#include "glassrank/models/io/formats.h"
#include "glassrank/models/scorer.h"

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

void time_scorer(const Model& model, std::span<char*> arguments, const Context& context) {
  const std::vector<float> values = read_floats(arguments[2]);
  const std::size_t num_features = std::stoul(arguments[3]);
  const std::size_t num_rows = values.size() / num_features;
  std::size_t per_call = std::stoul(arguments[4]);
  if (per_call == 0) per_call = num_rows;
  const auto start_making = Clock::now();
  const std::unique_ptr<const Scorer> scorer = make_scorer(model);
  const double making = seconds_since(start_making);
  std::vector<double> scores(num_rows);
  std::vector<double> seconds;
  const auto pass = [&](bool timed) {
    for (std::size_t row = 0; row + per_call <= num_rows; row += per_call) {
      const auto start = Clock::now();
      scorer->score({values.data() + row * num_features, per_call, num_features},
                    std::span(scores).subspan(row, per_call), context);
      if (timed) seconds.push_back(seconds_since(start));
    }
  };
  pass(false);
  const double wanted = std::stod(arguments[5]);
  const auto start_passes = Clock::now();
  do {
    pass(true);
  } while (seconds_since(start_passes) < wanted);
  std::ranges::sort(seconds);
  if (arguments.size() > 6) {
    std::ofstream(arguments[6], std::ios::binary)
        .write(reinterpret_cast<const char*>(scores.data()),
               static_cast<std::streamsize>(scores.size() * sizeof(double)));
  }
  fmt::print("{{\"seconds\": {}, \"making_ms\": {:.2f}}}\n", seconds.at(seconds.size() / 2),
             1e3 * making);
}

void run(std::span<char*> arguments) {
  Context context;
  context.threads = std::make_shared<Threads>(1);
  const Model model = load_model(arguments[1], context);
  time_scorer(model, arguments, context);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    fmt::print(stderr,
               "usage: score_program MODEL ROWS NUM_FEATURES ROWS_PER_CALL SECONDS [SCORES]\n");
    return 2;
  }
  try {
    run({argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    fmt::print(stderr, "score_program: {}\n", error.what());
    return 1;
  }
  return 0;
}
