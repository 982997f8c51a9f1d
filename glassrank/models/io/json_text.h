#pragma once
// JSON from files nobody vouches for: text and UBJSON (ubjson.org, draft 12) into one Json value.
//
// Both readers refuse nesting deeper than kMaxJsonDepth (or than they are told) and objects with
// more than kMaxJsonKeys keys (looking a key up is linear), and allocate no more than a small
// multiple of the input's size. Text may hold Infinity and -Infinity, which XGBoost writes and JSON
// does not know: they are read as +-1e39, beyond every float32. UBJSON's high-precision numbers and
// typed arrays of containers are refused.

#include <cstddef>
#include <string_view>

#include "glassrank/base/json.h"

namespace glassrank {

inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonKeys = 10'000;

// Throws Error{kInput} with the place: "line 3, column 17: ...".
Json parse_json_text(std::string_view text, std::size_t most_depth = kMaxJsonDepth);

// Throws Error{kInput} with the place: "byte 217: ...".
Json parse_ubjson(std::string_view bytes);

// What a reader asks for by name. Throws Error{kInput}: "'edges' is missing", "... is not an
// array".
const Json& member(const Json& object, std::string_view key);
const Json& array_member(const Json& object, std::string_view key);

}  // namespace glassrank
