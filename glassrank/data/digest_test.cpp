#include "glassrank/data/digest.h"

#include <functional>
#include <set>

#include <gtest/gtest.h>

namespace glassrank {
namespace {

Dataset make(const std::function<void(DatasetParts&)>& change) {
  DatasetParts parts;
  parts.features = Buffer<float>(6);
  for (std::size_t i = 0; i < 6; ++i) parts.features[i] = static_cast<float>(i);
  parts.grades = {0, 1, 2};
  const std::size_t sizes[] = {2, 1};
  parts.queries = QueryGroups({"a", "bc"}, sizes);
  parts.schema = Schema::of_features({"x", "y"});
  change(parts);
  return Dataset(std::move(parts));
}

std::string digest(const std::function<void(DatasetParts&)>& change) {
  return dataset_digest(make(change), Context{});
}

TEST(DatasetDigest, ChangesWithEverythingAModelDependsOn) {
  std::set<std::string> digests;
  digests.insert(digest([](DatasetParts&) {}));
  digests.insert(digest([](DatasetParts& p) { p.features[5] = 6; }));
  digests.insert(digest([](DatasetParts& p) { p.grades[0] = 3; }));
  digests.insert(digest([](DatasetParts& p) { p.weights = {1, 1, 1}; }));
  digests.insert(digest([](DatasetParts& p) { p.weights = {1, 2, 1}; }));
  digests.insert(digest([](DatasetParts& p) { p.schema = Schema::of_features({"x", "z"}); }));
  digests.insert(digest([](DatasetParts& p) {
    const std::size_t sizes[] = {1, 2};
    p.queries = QueryGroups({"a", "bc"}, sizes);
  }));
  digests.insert(digest([](DatasetParts& p) {
    const std::size_t sizes[] = {2, 1};
    p.queries = QueryGroups({"ab", "c"}, sizes);
  }));
  EXPECT_EQ(digests.size(), 8U);
  for (const std::string& text : digests) EXPECT_EQ(text.size(), 16U);
}

TEST(DatasetDigest, DoesNotChangeWithDocumentNames) {
  EXPECT_EQ(digest([](DatasetParts&) {}), digest([](DatasetParts& p) {
              StringColumnBuilder ids;
              for (const char* id : {"d1", "d2", "d3"}) ids.add(id);
              p.document_ids = ids.finish();
            }));
}

TEST(DatasetDigest, OfBinsChangesWithCodesCutsAndGrades) {
  std::set<std::string> digests;
  const auto add = [&](const Dataset& data, const BinParams& params) {
    digests.insert(dataset_digest(bin_dataset(data, params, Context{}), Context{}));
  };
  const Dataset data = make([](DatasetParts&) {});
  const BinParams each{.min_bin_rows = 1};
  add(data, each);
  add(data, each);
  EXPECT_EQ(digests.size(), 1U);
  add(data, {.max_bins = 2, .min_bin_rows = 1});
  add(make([](DatasetParts& p) { p.features[4] = 5; }), each);                        // another cut
  add(make([](DatasetParts& p) { std::swap(p.features[0], p.features[2]); }), each);  // codes
  add(make([](DatasetParts& p) { p.grades[0] = 3; }), each);
  EXPECT_EQ(digests.size(), 5U);
}

TEST(DatasetDigest, OfNoRowsExists) { EXPECT_EQ(dataset_digest(Dataset(), Context{}).size(), 16U); }

}  // namespace
}  // namespace glassrank
