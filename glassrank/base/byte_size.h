#pragma once
// Amounts of memory as people write them: "800M", "4G", "65536".

#include <cstdint>
#include <string>
#include <string_view>

namespace glassrank {

// A whole number of bytes, or of K, M, G or T (1024 bytes, 1024 K, ...), whatever the case; a "B"
// or "iB" behind the letter is allowed. Empty: 0. Throws Error{kUsage} for anything else.
std::uint64_t parse_byte_size(std::string_view text);

// The other way round, in the largest unit that leaves a whole number: "4G", "1000".
std::string byte_size_text(std::uint64_t num_bytes);

}  // namespace glassrank
