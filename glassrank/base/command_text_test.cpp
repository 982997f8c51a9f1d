#include "glassrank/base/command_text.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

struct Options {
  std::vector<std::string> model;
  std::vector<std::string> metrics = {"ndcg@10"};
  std::string title = "A page";
  int most_rows = 5;
  bool audit = true;
  bool quiet = false;

  void visit(ParamVisitor& visitor) {
    visitor.field("model", model, "files", ParamStyle{.one_value = true});
    visitor.field("metrics", metrics, "metrics");
    visitor.field("title", title, "title");
    visitor.field("most_rows", most_rows, "rows");
    visitor.field("audit", audit, "whether");
    visitor.field("quiet", quiet, "whether");
  }
};

std::string text_of(const Options& options) {
  return given_options(list_params(options), list_params(Options{}));
}

TEST(CommandText, QuotesWhatAShellWouldReadOtherwise) {
  EXPECT_EQ(shell_word("a/b-1.txt"), "a/b-1.txt");
  EXPECT_EQ(shell_word("my file"), "'my file'");
  EXPECT_EQ(shell_word("it's $5"), "'it'\\''s $5'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(CommandText, NamesEveryOptionThatIsNotAsUsual) {
  EXPECT_EQ(text_of({}), "");
  EXPECT_EQ(text_of({.model = {"a,b.txt", "c.txt"},
                     .metrics = {"map", "err@10"},
                     .title = "Our shop",
                     .most_rows = 7,
                     .audit = false,
                     .quiet = true}),
            " --model a,b.txt --model c.txt --metrics map,err@10 --title 'Our shop' --most-rows 7 "
            "--no-audit --quiet");
}

}  // namespace
}  // namespace glassrank
