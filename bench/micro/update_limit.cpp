// The limit of any histogram: how long one addition to a table in the first-level cache takes when
// nothing else is in the way. Prints ns per update of one thread, the median of half a second of
// tries and the best, and the best of each of THREADS at once. On a shared machine the best is a
// moment without neighbours, which no training ever has from beginning to end: compare that to the
// best of a training, the median to its mean.
// Usage: update_limit THREADS

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace {

constexpr std::size_t kRows = 512;
constexpr std::size_t kFields = 16;
constexpr std::size_t kCodes = 256;

struct Case {
  alignas(64) std::uint16_t codes[kRows * kFields];
  alignas(64) std::int32_t table[kCodes * kFields];
};

template <std::size_t... kField>
void add_row(const std::uint16_t* codes, std::int32_t value, std::int32_t* table,
             std::index_sequence<kField...>) {
  ((table[std::size_t{codes[kField]} + kField] += value), ...);
}

// ns per update.
struct Limit {
  double median;
  double best;
};

Limit measure() {
  constexpr int kPasses = 3000;
  constexpr int kTries = 61;
  const auto c = std::make_unique<Case>();
  std::uint32_t x = 1;
  for (std::uint16_t& code : c->codes) {
    x = x * 1'664'525U + 1'013'904'223U;
    code = static_cast<std::uint16_t>((x >> 24) * kFields);
  }
  std::fill(std::begin(c->table), std::end(c->table), 0);
  std::vector<double> tries;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
    for (int pass = 0; pass < kPasses; ++pass) {
      for (std::size_t i = 0; i < kRows; ++i) {
        add_row(c->codes + i * kFields, pass, c->table, std::make_index_sequence<kFields>());
      }
      asm volatile("" ::: "memory");
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    tries.push_back(elapsed.count() * 1e9 / (double{kPasses} * kRows * kFields));
  }
  std::ranges::sort(tries);
  return {.median = tries[kTries / 2], .best = tries.front()};
}

}  // namespace

int main(int argc, char** argv) {
  const Limit one = measure();
  std::vector<double> each(
      static_cast<std::size_t>(argc > 1 ? std::max(std::atoi(argv[1]), 1) : 1));
  std::vector<std::thread> threads;
  for (double& result : each) threads.emplace_back([&result] { result = measure().best; });
  for (std::thread& thread : threads) thread.join();
  fmt::print("{{\"one\": {:.4f}, \"best\": {:.4f}, \"each\": {:.4f}}}\n", one.median, one.best,
             *std::max_element(each.begin(), each.end()));
}
