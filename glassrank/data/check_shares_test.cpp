#include "glassrank/data/check_shares.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testing/machines.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using Machines = std::shared_ptr<const Communicator>;

// A row for each query.
RowTable table_of(std::vector<std::string> features, std::vector<std::string> queries) {
  RowTable table;
  table.schema = Schema::of_features(std::move(features));
  table.grades.resize(queries.size());
  const std::vector<std::size_t> sizes(queries.size(), 1);
  table.queries = QueryGroups(std::move(queries), sizes);
  return table;
}

const auto no_values = []() -> const Dataset& {
  ADD_FAILURE() << "values are not needed";
  static const Dataset none;
  return none;
};

std::string message_for(const std::vector<RowTable>& tables) {
  return message_of([&] {
    testing::on_machines(static_cast<int>(tables.size()), [&](const Machines& machines) {
      check_shares(tables[static_cast<std::size_t>(machines->rank())], "the data", no_values,
                   *machines);
    });
  });
}

TEST(CheckShares, AcceptsWhatIsOneDataSet) {
  EXPECT_EQ(message_for({table_of({"price", "stars"}, {"a", "b"}), table_of({"price", "stars"}, {}),
                         table_of({"price", "stars"}, {"c"})}),
            "no error");
}

TEST(CheckShares, NamesTheColumnThatDiffers) {
  const RowTable usual = table_of({"price", "stars"}, {"a"});
  EXPECT_EQ(message_for(
                {usual, table_of({"price", "stars"}, {"b"}), table_of({"stars", "price"}, {"c"})}),
            "the data: machine 3 has 'stars' where machine 1 has 'price' (feature 1); all machines "
            "must have the same features in the same order");
  EXPECT_EQ(message_for({usual, table_of({"price"}, {"b"})}),
            "the data: machine 2 has 1 features, machine 1 has 2; all machines must have the same");
  RowTable other = table_of({"price", "stars"}, {"b"});
  other.schema.set_category(1, {"one", "two"});
  EXPECT_EQ(message_for({usual, other}),
            "the data: feature 'stars' is a category on machine 2 and a number on machine 1; all "
            "machines must have the same features");
}

// Of all rows, red is the most frequent, then blue; 7 is a text as good as any.
TEST(CheckShares, CategoriesAreThoseOfAllRows) {
  const auto rows_of = [](std::vector<std::string> names, std::vector<float> codes,
                          const std::string& query) {
    DatasetParts parts;
    parts.schema = Schema::of_features({"colour"});
    parts.schema.set_category(0, std::move(names));
    parts.grades.resize(codes.size());
    parts.queries = QueryGroups({query}, std::vector<std::size_t>{codes.size()});
    parts.features = Buffer<float>(codes.size());
    std::ranges::copy(codes, parts.features.data());
    return Dataset(std::move(parts));
  };
  const std::vector<Dataset> shares = {rows_of({"blue", "red"}, {0, 0, 1}, "a"),
                                       rows_of({"red", "green"}, {0, 0, 1, NAN}, "b"),
                                       rows_of({}, {7}, "c")};
  const std::vector<std::vector<float>> expected = {{1, 1, 0}, {0, 0, 3, NAN}, {2}};
  testing::on_machines(3, [&](const Machines& machines) {
    const auto rank = static_cast<std::size_t>(machines->rank());
    const Dataset& own = shares[rank];
    const std::optional<Schema> agreed =
        check_shares(own.table(), "the data", [&]() -> const Dataset& { return own; }, *machines);
    ASSERT_TRUE(agreed);
    const Dataset changed = with_categories_of(*agreed, own);
    EXPECT_EQ(changed.schema().feature(0).categories,
              (std::vector<std::string>{"red", "blue", "7", "green"}));
    for (std::size_t row = 0; row < own.num_rows(); ++row) {
      const float wanted = expected[rank][row];
      EXPECT_TRUE(changed.row(row)[0] == wanted || std::isnan(wanted)) << rank << " " << row;
      EXPECT_EQ(std::isnan(changed.row(row)[0]), std::isnan(wanted));
    }
  });
}

TEST(CheckShares, NamesAQueryThatTwoMachinesHave) {
  EXPECT_EQ(message_for({table_of({"x"}, {"a", "b"}), table_of({"x"}, {"c"}),
                         table_of({"x"}, {"d", "b", "c"})}),
            "the data: query 'b' is on machine 1 and on machine 3; all rows of a query must be on "
            "one machine, and different queries must have different ids");
}

TEST(CheckShares, WantsWeightsOnAllMachinesOrNone) {
  RowTable weighted = table_of({"x"}, {"a"});
  weighted.weights = {2};
  EXPECT_EQ(message_for({table_of({"x"}, {"b"}), weighted}),
            "the data: machine 2 has weights, machine 1 has none");
  EXPECT_EQ(message_for({weighted, table_of({"x"}, {})}), "no error");
  RowTable ungraded = table_of({"x"}, {"c"});
  ungraded.has_grades = false;
  EXPECT_EQ(message_for({table_of({"x"}, {"b"}), ungraded}),
            "the data: machine 1 has grades, machine 2 has none");
}

TEST(CheckShares, AMachineWithoutRowsTakesTheFeaturesOfTheOthers) {
  RowTable full = table_of({"price", "stars"}, {"a"});
  full.schema.set_category(1, {"one", "two"});
  const std::vector<RowTable> tables = {table_of({}, {}), full, table_of({"price", "stars"}, {})};
  testing::on_machines(3, [&](const Machines& machines) {
    const auto rank = static_cast<std::size_t>(machines->rank());
    const std::optional<Schema> taken =
        check_shares(tables[rank], "the data", no_values, *machines);
    ASSERT_EQ(taken.has_value(), rank != 1);
    if (!taken) return;
    EXPECT_EQ(taken->feature_names()[0], "price");
    EXPECT_FALSE(taken->is_category(0));
    EXPECT_EQ(taken->feature(1).categories, (std::vector<std::string>{"one", "two"}));
  });
}

TEST(CheckCopies, WantsTheSameRowsEverywhere) {
  const auto message_of_copies = [](const RowTable& a, const RowTable& b, std::uint64_t bins = 0) {
    return message_of([&] {
      testing::on_machines(2, [&](const Machines& machines) {
        if (machines->is_first()) {
          check_copies(a, 0, "train.txt", *machines);
        } else {
          check_copies(b, bins, "train.txt", *machines);
        }
      });
    });
  };
  const RowTable table = table_of({"x"}, {"a", "b"});
  EXPECT_EQ(message_of_copies(table, table), "no error");
  EXPECT_EQ(message_of_copies(table, table_of({"x"}, {"a"})),
            "train.txt: machine 2 has 1 rows of 1 queries, machine 1 2 rows of 2 queries; every "
            "machine must have the same file");
  const std::string message =
      "train.txt: machine 2 has 2 rows of 2 queries, machine 1 2 rows of 2 queries, and they are "
      "not the same rows; every machine must have the same file";
  EXPECT_EQ(message_of_copies(table, table_of({"x"}, {"a", "c"})), message);
  EXPECT_EQ(message_of_copies(table, table, 7), message);
  EXPECT_EQ(message_of_copies(table, table_of({"y"}, {"a", "b"})),
            "train.txt: machine 2 has 'y' where machine 1 has 'x' (feature 1); all machines must "
            "have the same features in the same order");
}

}  // namespace
}  // namespace glassrank
