#include "glassrank/data/duplicates.h"

#include <algorithm>

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

// Items by hash, then index; calls use(first, last) for every run of at least two equal hashes.
template <typename Use>
void for_equal_hashes(std::span<const std::uint64_t> hashes, Use&& use) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order(hashes.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) order[i] = {hashes[i], i};
  std::ranges::sort(order);
  for (auto first = order.begin(); first != order.end();) {
    auto last = first + 1;
    while (last != order.end() && last->first == first->first) ++last;
    if (last - first > 1) use(first, last);
    first = last;
  }
}

bool same_rows(MatrixView<const float> matrix, std::size_t a, std::size_t b) {
  const auto same = [](float x, float y) { return value_bits(x) == value_bits(y); };
  return std::ranges::equal(matrix.row(a), matrix.row(b), same);
}

bool same_columns(MatrixView<const float> matrix, std::size_t a, std::size_t b,
                  const Context& context) {
  const auto map = [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      if (value_bits(matrix(r, a)) != value_bits(matrix(r, b))) return 0;
    }
    return 1;
  };
  return ordered_reduce(context, matrix.num_rows(), 16384, 1, map,
                        [](int& total, int part) { total = std::min(total, part); }) != 0;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> equal_columns(
    MatrixView<const float> matrix, std::span<const std::uint64_t> hashes, const Context& context) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for_equal_hashes(hashes, [&](auto first, auto last) {
    std::vector<std::size_t> originals;  // more than one only if hashes collide
    for (auto i = first; i != last; ++i) {
      const std::size_t column = i->second;
      const auto original = std::ranges::find_if(
          originals, [&](std::size_t o) { return same_columns(matrix, o, column, context); });
      if (original == originals.end()) {
        originals.push_back(column);
      } else {
        found.emplace_back(column, *original);
      }
    }
  });
  std::ranges::sort(found);
  return found;
}

std::vector<std::vector<std::size_t>> equal_rows(MatrixView<const float> matrix,
                                                 std::span<const std::uint64_t> hashes) {
  std::vector<std::vector<std::size_t>> found;
  for_equal_hashes(hashes, [&](auto first, auto last) {
    std::vector<std::vector<std::size_t>> groups;  // more than one only if hashes collide
    for (auto i = first; i != last; ++i) {
      const std::size_t row = i->second;
      const auto group = std::ranges::find_if(
          groups, [&](const auto& g) { return same_rows(matrix, g.front(), row); });
      if (group == groups.end()) {
        groups.push_back({row});
      } else {
        group->push_back(row);
      }
    }
    for (auto& group : groups) {
      if (group.size() > 1) found.push_back(std::move(group));
    }
  });
  std::ranges::sort(found);
  return found;
}

}  // namespace glassrank
