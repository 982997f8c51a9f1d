#include "glassrank/report/page/report_page.h"

#include <gtest/gtest.h>

#include "glassrank/base/json.h"

namespace glassrank {
namespace {

TEST(ReportPage, HasOnePlaceForABundle) {
  const std::string_view page = page_template();
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  const std::size_t place = page.find("\"GLASSRANK_BUNDLE\"");
  ASSERT_NE(place, std::string_view::npos);
  EXPECT_EQ(page.find("\"GLASSRANK_BUNDLE\"", place + 1), std::string_view::npos);
}

TEST(ReportPage, AsksNoNetwork) {
  const std::string_view page = page_template();
  EXPECT_EQ(page.find("src=\"http"), std::string_view::npos);
  EXPECT_EQ(page.find("<link"), std::string_view::npos);
}

TEST(ReportPage, ABundleCannotEndItsScript) {
  ReportBundle bundle;
  bundle.title = "</script><script>alert(1)</script><!--";
  const std::string html = report_html(bundle);
  EXPECT_EQ(html.find("</script><script>alert"), std::string::npos);
  const std::size_t begin = html.find("{\"format\":");
  const std::size_t end = html.find("</script>", begin);
  const Json json = Json::parse(html.substr(begin, end - begin));
  EXPECT_EQ(json["title"], bundle.title);
}

TEST(ReportPage, TextThatIsNotUtf8IsReplaced) {
  ReportBundle bundle;
  bundle.title = "caf\xe9";
  EXPECT_NE(report_html(bundle).find("caf\xef\xbf\xbd"), std::string::npos);
}

}  // namespace
}  // namespace glassrank
