#include "glassrank/evaluation/load_rows.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

class Notices final : public LogSink {
 public:
  void log(LogLevel, std::string_view message) override { lines.emplace_back(message); }
  std::vector<std::string> lines;
};

struct Loaded {
  Dataset data;
  std::vector<std::string> notices;
};

Loaded load(const std::vector<Model>& models, const std::string& text,
            const std::string& ending = ".txt") {
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / ("rows" + ending)).string();
  write_text_file(path, text);
  const auto notices = std::make_shared<Notices>();
  Loaded loaded{.data = load_rows_for(models, path, {}, {.log_sink = notices}), .notices = {}};
  std::filesystem::remove(path);
  for (std::string& line : notices->lines) {
    const std::size_t at = line.find(path);
    loaded.notices.push_back(at == std::string::npos ? line : line.replace(at, path.size(), "F"));
  }
  return loaded;
}

TEST(LoadRows, FillsRowsUpToTheWidestModel) {
  const Loaded loaded = load({small_forest(), small_gam()}, "1 qid:1 1:4\n0 qid:1 1:5\n");
  EXPECT_EQ(loaded.data.num_features(), 3U);
  EXPECT_EQ(loaded.data.row(1)[0], 5);
  EXPECT_EQ(loaded.data.row(1)[2], 0);
  EXPECT_EQ(loaded.notices,
            std::vector<std::string>{"F has 1 features, the model 3: the rest count as absent"});
}

TEST(LoadRows, SaysThatFeaturesAreNotLookedAt) {
  const std::string text = "1 qid:1 1:4 2:1 3:1\n";
  EXPECT_EQ(load({small_forest()}, text).notices,
            std::vector<std::string>{"F has 3 features, the model 2: the rest are not looked at"});
  EXPECT_TRUE(load({small_gam()}, text).notices.empty());
  // Such files name the features they use, not how many there were.
  Model foreign = small_forest();
  foreign.provenance = {{"format", "ranklib"}};
  EXPECT_TRUE(load({foreign}, text).notices.empty());
}

TEST(LoadRows, SaysThatAColumnHasAnotherName) {
  EXPECT_TRUE(load({small_forest()}, "grade,query,a,b\n1,1,0,2\n", ".csv").notices.empty());
  EXPECT_EQ(load({small_forest()}, "grade,query,a,c\n1,1,0,2\n", ".csv").notices,
            std::vector<std::string>{"feature 2 is 'b' in the model and 'c' in the data; columns "
                                     "are matched by place, not by name"});
}

}  // namespace
}  // namespace glassrank
