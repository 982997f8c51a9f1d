#include "glassrank/methods/ranknet/input_blocks.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include <gtest/gtest.h>

#include "testing/message_of.h"
#include "testing/rows_data.h"

namespace glassrank {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// z = (x - 1) * 2 for the first feature, with 4 for what is missing; the second is left out.
const FeatureScaling kScaling{.offsets = {1, 0}, .scales = {2, 0}, .fills = {4, 0}};

TEST(InputBlocks, HoldAFeaturesValuesSideBySideKeptOrNot) {
  const Dataset data = data_of_rows({{3, 10}, {kMissing, 30}, {5, 50}}, {.sizes = {2, 1}});
  for (const std::size_t most : {InputBlocks::kMostKept, 32 * sizeof(double), std::size_t{0}}) {
    const InputBlocks blocks(data, kScaling, {}, most);
    EXPECT_EQ(blocks.is_kept(), most > 0);
    std::vector<double> scratch(99, -1.0);
    const double* block = blocks.block(0, scratch);
    EXPECT_EQ(std::vector<double>(block, block + 16),
              (std::vector<double>{4, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    block = blocks.block(1, scratch);
    EXPECT_EQ(std::vector<double>(block, block + 16),
              (std::vector<double>{8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  }
}

TEST(InputBlocks, AreNotMadeOnceStopped) {
  const Dataset data = data_of_rows({{3, 10}});
  const std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_EQ(message_of([&] { InputBlocks(data, kScaling, context); }),
            "stopped at the user's request");
}

}  // namespace
}  // namespace glassrank
