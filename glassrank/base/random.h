#pragma once
// Counter-based random numbers (Philox 4x32-10, Salmon et al., SC 2011).
//
// A draw is a pure function of (seed, stream, counter): any thread can compute any draw in any
// order and always gets the same one, so results never depend on scheduling. Give each purpose its
// own stream (hash_name("bootstrap")), each item its own counter.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace glassrank {

// FNV-1a; turns a purpose into a stream number.
constexpr std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

using PhiloxBlock = std::array<std::uint32_t, 4>;
PhiloxBlock philox4x32(PhiloxBlock counter, std::array<std::uint32_t, 2> key);

class CounterRandom {
 public:
  // Seed and stream are mixed into the 64-bit key; `lane` separates 2^64 independent sequences
  // under one key (for example one per query).
  constexpr CounterRandom(std::uint64_t seed, std::uint64_t stream, std::uint64_t lane = 0)
      : key_(mix(seed ^ mix(stream))), lane_(lane) {}
  CounterRandom(std::uint64_t seed, std::string_view purpose, std::uint64_t lane = 0)
      : CounterRandom(seed, hash_name(purpose), lane) {}

  // 128 random bits.
  PhiloxBlock block(std::uint64_t counter) const;
  // The blocks of `first`, `first` + 1, ... as they lie in memory; the last one may be cut. Several
  // times as fast as block() for long spans.
  void bytes(std::uint64_t first, std::span<std::uint8_t> out) const;
  // 64 random bits.
  std::uint64_t bits(std::uint64_t counter) const;
  // Uniform in [0, 1), 53 bits.
  double uniform(std::uint64_t counter) const;
  // Uniform integer in [0, bound), bound > 0 (multiply-shift; bias below 2^-32 for bound < 2^32).
  std::uint64_t below(std::uint64_t counter, std::uint64_t bound) const;
  // Standard normal (Box-Muller; both uniforms from one block).
  double normal(std::uint64_t counter) const;

 private:
  static constexpr std::uint64_t mix(std::uint64_t x) {  // SplitMix64's finaliser
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }
  std::uint64_t key_;
  std::uint64_t lane_;
};

// A CounterRandom that counts by itself, for sequential code. Satisfies
// UniformRandomBitGenerator, but prefer shuffle() below to std::shuffle, whose result is
// implementation-defined.
class RandomSequence {
 public:
  using result_type = std::uint64_t;
  explicit RandomSequence(CounterRandom random) : random_(random) {}
  std::uint64_t operator()() { return random_.bits(next_++); }
  double uniform() { return random_.uniform(next_++); }
  std::uint64_t below(std::uint64_t bound) { return random_.below(next_++, bound); }
  double normal() { return random_.normal(next_++); }
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

  // Fisher-Yates; the same permutation on every platform.
  template <typename Range>
  void shuffle(Range&& range) {
    using std::swap;
    for (auto i = static_cast<std::uint64_t>(range.size()); i > 1; --i) {
      swap(range[i - 1], range[below(i)]);
    }
  }

 private:
  CounterRandom random_;
  std::uint64_t next_ = 0;
};

}  // namespace glassrank
