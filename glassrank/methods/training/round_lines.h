#pragma once
// What a training of rounds or epochs shows while it runs: lines of a log every so many rounds, or
// a progress line.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"

namespace glassrank {

class RoundLines {
 public:
  struct Setup {
    std::string name;           // of one training among several: "bag 2 of 8"
    std::string_view unit;      // "rounds"
    std::size_t most = 0;       // rounds
    std::size_t log_every = 0;  // rounds to a line; 0: the progress line instead
  };
  RoundLines(const Context& context, const Setup& setup);

  // "[12] train ndcg@10: 0.512345  valid ndcg@10: 0.498765" for round 12.
  void show(std::size_t round, std::span<const std::string> names, std::span<const double> values);
  // Rounds that were done before.
  void skip(std::size_t rounds) { progress_.add(rounds); }

 private:
  const Context& context_;
  std::size_t log_every_;
  std::string prefix_;
  Progress progress_;
};

}  // namespace glassrank
