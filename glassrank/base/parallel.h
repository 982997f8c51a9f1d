#pragma once
// Parallel loops whose results do not depend on the number of threads.
//
// Work is cut into chunks whose borders depend on the size alone, never on the threads; a reduction
// combines the chunks' results in chunk order. Floating sums are therefore the same for 1, 2 or 64
// threads. Chunk bodies run concurrently: they may write only to what belongs to their chunk.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"

namespace glassrank {

// Calls body(begin, end) for consecutive chunks of at most `chunk` items covering [0, size).
template <typename Body>
void parallel_for(const Context& context, std::size_t size, std::size_t chunk, Body&& body) {
  if (size == 0) return;
  chunk = std::max<std::size_t>(chunk, 1);
  const std::size_t num_chunks = (size + chunk - 1) / chunk;
  context.threads->run(num_chunks, [&](std::size_t i) {
    const std::size_t begin = i * chunk;
    body(begin, std::min(begin + chunk, size));
  });
}

// map(begin, end) -> Result per chunk, then combine(total, Result&&) in chunk order.
template <typename Result, typename Map, typename Combine>
Result ordered_reduce(const Context& context, std::size_t size, std::size_t chunk, Result total,
                      Map&& map, Combine&& combine) {
  if (size == 0) return total;
  chunk = std::max<std::size_t>(chunk, 1);
  std::vector<Result> parts((size + chunk - 1) / chunk, total);
  parallel_for(context, size, chunk,
               [&](std::size_t begin, std::size_t end) { parts[begin / chunk] = map(begin, end); });
  for (Result& part : parts) combine(total, std::move(part));
  return total;
}

}  // namespace glassrank
