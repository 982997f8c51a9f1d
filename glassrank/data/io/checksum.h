#pragma once
// A fast 64-bit checksum against damaged files (not against forgery).
//
// Eight lanes of h = rotl(h ^ word, 29) * odd constant over 64-bit words, in blocks of 1 MiB that
// are summed in parallel and then folded in order the same way. Every step is a bijection of the
// word for a fixed state and of the state for a fixed word: data that differ in one word only
// (so any single flipped bit) always have different checksums.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"

namespace glassrank {

// Of one range of bytes. A size that is not a multiple of 8 is filled up with zeros; the size
// itself is part of the sum.
std::uint64_t checksum(std::span<const char> bytes);

// Of several ranges at once, all their blocks in parallel: the sums checksum() gives one by one.
std::vector<std::uint64_t> checksums(std::span<const std::span<const char>> ranges,
                                     const Context& context);

// Of a range that is larger than memory may be: calls release(begin, end) for each piece of it that
// is not needed any more, in order. The same sum as checksum().
std::uint64_t checksum_and_release(std::span<const char> bytes, const Context& context,
                                   FunctionRef<void(std::size_t, std::size_t)> release);

}  // namespace glassrank
