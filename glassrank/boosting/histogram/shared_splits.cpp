#include "glassrank/boosting/histogram/shared_splits.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace glassrank {
namespace {

// A split as it goes to other machines; the words of its set follow.
struct SplitNumbers {
  double gain;
  double left_value;
  double right_value;
  double set_l2;
  std::uint32_t feature;
  std::uint32_t bin;
  std::uint16_t missing_left;
  std::uint16_t is_set;
  std::uint32_t num_words;
};

void append(const Split& split, Communicator::Bytes& message) {
  const std::span<const std::uint64_t> words = split.bins.words();
  const SplitNumbers numbers{
      .gain = split.gain,
      .left_value = split.left_value,
      .right_value = split.right_value,
      .set_l2 = split.set_l2,
      .feature = split.feature,
      .bin = split.bin,
      .missing_left = split.missing_left ? std::uint16_t{1} : std::uint16_t{0},
      .is_set = split.is_set ? std::uint16_t{1} : std::uint16_t{0},
      .num_words = static_cast<std::uint32_t>(words.size())};
  const auto bytes = std::as_bytes(std::span(&numbers, 1));
  message.insert(message.end(), bytes.begin(), bytes.end());
  const auto word_bytes = std::as_bytes(words);
  message.insert(message.end(), word_bytes.begin(), word_bytes.end());
}

// Takes one split off the message.
Split take(std::span<const std::byte>& message) {
  SplitNumbers numbers;
  std::memcpy(&numbers, message.data(), sizeof(numbers));
  message = message.subspan(sizeof(numbers));
  std::vector<std::uint64_t> words(numbers.num_words);
  const std::size_t num_bytes = words.size() * sizeof(std::uint64_t);
  if (num_bytes > 0) std::memcpy(words.data(), message.data(), num_bytes);
  message = message.subspan(num_bytes);
  return {.gain = numbers.gain,
          .feature = numbers.feature,
          .bin = numbers.bin,
          .missing_left = numbers.missing_left != 0,
          .left_value = numbers.left_value,
          .right_value = numbers.right_value,
          .is_set = numbers.is_set != 0,
          .bins = BinSet(words),
          .set_l2 = numbers.set_l2};
}

}  // namespace

std::vector<std::vector<Split>> gather_splits(std::span<const Split> own,
                                              const Communicator& machines) {
  if (machines.is_alone()) return {{own.begin(), own.end()}};
  Communicator::Bytes message;
  for (const Split& split : own) append(split, message);
  std::vector<std::vector<Split>> all;
  for (const Communicator::Bytes& bytes : machines.gather(message)) {
    std::vector<Split>& splits = all.emplace_back();
    std::span<const std::byte> rest = bytes;
    while (!rest.empty()) splits.push_back(take(rest));
  }
  return all;
}

}  // namespace glassrank
