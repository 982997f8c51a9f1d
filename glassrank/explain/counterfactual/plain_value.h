#pragma once
// Values a person can read: as few digits as do.

namespace glassrank {

// A value with the fewest digits from `nearest` up to (or, if `farthest` is lower, down to)
// `farthest`; `nearest` itself when there is no shorter one. Both are finite.
float plain_value(float nearest, float farthest);

}  // namespace glassrank
