#include "glassrank/data/row_sample.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glassrank {
namespace {

TEST(RowSample, IsEveryRowWhenItNeedNotChoose) {
  for (const std::int64_t wanted : {0, 5, 6}) {
    const RowSample sample(5, wanted, 1);
    ASSERT_EQ(sample.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(sample.row(i), i);
  }
  EXPECT_EQ(RowSample(0, 10, 1).size(), 0U);
}

TEST(RowSample, DependsOnTheSeed) {
  const RowSample a(1000, 100, 1);
  const RowSample b(1000, 100, 2);
  int equal = 0;
  for (std::size_t i = 0; i < 100; ++i) equal += a.row(i) == b.row(i) ? 1 : 0;
  EXPECT_LT(equal, 40);  // 10 expected: strips of ten rows
}

RC_GTEST_PROP(RowSample, TakesOneRowOfEveryStrip, ()) {
  const auto num_rows = *rc::gen::inRange<std::size_t>(2, 2000);
  const auto size = *rc::gen::inRange<std::size_t>(1, num_rows);
  const RowSample sample(num_rows, static_cast<std::int64_t>(size),
                         *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(sample.size() == size);
  for (std::size_t i = 0; i < size; ++i) {
    RC_ASSERT(sample.row(i) >= i * num_rows / size);
    RC_ASSERT(sample.row(i) < (i + 1) * num_rows / size);
  }
}

RC_GTEST_PROP(RowSample, FindsItsRowsInABlock, ()) {
  const auto num_rows = *rc::gen::inRange<std::size_t>(1, 300);
  const auto size = *rc::gen::inRange<std::int64_t>(0, 310);
  const auto begin = *rc::gen::inRange<std::size_t>(0, num_rows);
  const auto end = *rc::gen::inRange<std::size_t>(begin, num_rows + 1);
  const RowSample sample(num_rows, size, 3);
  std::size_t below = 0;
  std::size_t inside = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    below += sample.row(i) < begin ? 1 : 0;
    inside += sample.row(i) >= begin && sample.row(i) < end ? 1 : 0;
  }
  const RowRange found = sample.within(begin, end);
  RC_ASSERT(found.begin == below);
  RC_ASSERT(found.size() == inside);
}

}  // namespace
}  // namespace glassrank
