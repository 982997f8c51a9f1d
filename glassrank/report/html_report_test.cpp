#include "glassrank/report/html_report.h"

#include <gtest/gtest.h>

namespace glassrank {
namespace {

TEST(EscapeHtml, LeavesNoMarkup) {
  EXPECT_EQ(escape_html("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
}

TEST(HtmlReport, EscapesEveryText) {
  HtmlReport report("<t>");
  report.heading("<h>");
  report.paragraph("<p>");
  report.command("<c>");
  report.table({.header = {"<th>"}, .rows = {{"<td>"}}});
  report.bars({{.label = "<l>", .value = 1, .text = "<v>"}});
  for (const char* name : {"t", "h", "p", "c", "th", "td", "l", "v"}) {
    EXPECT_NE(report.html().find(std::string("&lt;") + name + "&gt;"), std::string::npos) << name;
  }
}

TEST(HtmlReport, HoldsPictures) {
  HtmlReport report("t");
  report.picture({.width = 5, .height = 6, .title = "p", .body = "<g/>"});
  EXPECT_NE(report.html().find("viewBox=\"0 0 5 6\""), std::string::npos);
}

TEST(HtmlReport, SetsNumberColumnsToTheRight) {
  HtmlReport report("t");
  report.table({.header = {"name", "value"}, .rows = {{"a", "0.5"}, {"1b", "-2"}}});
  EXPECT_NE(report.html().find("<th>name</th><th class=\"number\">value</th>"), std::string::npos);
}

TEST(HtmlReport, ScalesBarsToTheLargestIntervalEnd) {
  HtmlReport report("t");
  report.bars(
      {{.label = "a", .value = 0.5, .low = 0.4, .high = 1.0}, {.label = "b", .value = 1.0}});
  EXPECT_NE(report.html().find("width=\"210.0\" height=\"16\""), std::string::npos);  // half of 420
  EXPECT_NE(report.html().find("width=\"420.0\" height=\"16\""), std::string::npos);
}

TEST(HtmlReport, DrawsNegativeBarsLeftOfZero) {
  HtmlReport report("t");
  report.bars({{.label = "a", .value = 3}, {.label = "b", .value = -0.5, .low = -1, .high = 0.1}});
  // 420 wide for -1 to 3: 105 a unit, 0 at 210 + 105.
  EXPECT_NE(report.html().find("<rect x=\"315.0\" y=\"7.0\" width=\"315.0\""), std::string::npos);
  EXPECT_NE(report.html().find("<rect x=\"262.5\" y=\"33.0\" width=\"52.5\""), std::string::npos);
  EXPECT_NE(report.html().find("<line x1=\"210.0\" x2=\"325.5\""), std::string::npos);
  EXPECT_NE(report.html().find("<line x1=\"315.0\" x2=\"315.0\""), std::string::npos);
}

}  // namespace
}  // namespace glassrank
