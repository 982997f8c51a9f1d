#include "glassrank/report/plots/picture.h"

#include <vector>

#include <gtest/gtest.h>

#include "glassrank/report/plots/canvas.h"

namespace glassrank {
namespace {

TEST(Picture, IsAnSvgFileOfItsSizeWithATitle) {
  const Picture picture{.width = 30, .height = 20.5, .title = "<t>", .body = "<g/>"};
  const std::string svg = picture.svg();
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_NE(svg.find("viewBox=\"0 0 30 20.5\""), std::string::npos);
  EXPECT_NE(svg.find("<title>&lt;t&gt;</title>"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("<g/></svg>\n"));
}

TEST(Picture, HasADarkMode) {
  const std::string svg = Picture{.width = 30, .height = 20, .title = "t", .body = ""}.svg();
  EXPECT_NE(svg.find("(prefers-color-scheme: dark) { .glassrank-picture { filter: invert"),
            std::string::npos);
  EXPECT_NE(svg.find("role=\"img\" class=\"glassrank-picture\""), std::string::npos);
}

TEST(Picture, StacksOneBelowTheOther) {
  const std::vector<Picture> two = {{.width = 30, .height = 20, .title = "a", .body = "A"},
                                    {.width = 40, .height = 10, .title = "b", .body = "B"}};
  const Picture all = stacked(two);
  EXPECT_EQ(all.width, 40);
  EXPECT_EQ(all.height, 30);
  EXPECT_EQ(all.title, "a; b");
  EXPECT_EQ(all.body,
            "<g transform=\"translate(0 0)\">\nA</g>\n<g transform=\"translate(0 20)\">\nB</g>\n");
}

TEST(Picture, TellsHowItIsReadInAsManyLinesAsItTakes) {
  const Picture picture{.width = 220, .height = 100, .title = "t", .body = "<g/>\n"};
  const Picture one = with_note(picture, "a dot");
  const Picture three = with_note(picture, "a dot is a document of the query that has been chosen");
  EXPECT_NE(one.body.find("How to read this: a dot<"), std::string::npos);
  EXPECT_TRUE(one.body.starts_with(picture.body));
  EXPECT_GT(one.height, picture.height);
  EXPECT_EQ(three.height - one.height, 2 * (one.height - picture.height - 12));
}

TEST(SvgNumber, HasAtMostOneDecimalAndNoSign) {
  EXPECT_EQ(svg_number(1.25), "1.3");
  EXPECT_EQ(svg_number(3), "3");
  EXPECT_EQ(svg_number(-0.01), "0");
  EXPECT_EQ(svg_number(-2.5), "-2.5");
  EXPECT_EQ(svg_number(0.0 / 0.0 * 1), "0");
}

TEST(SvgText, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(svg_text("a<b&\"c"), "a&lt;b&amp;&quot;c");
  EXPECT_EQ(svg_text("tab\there"), "tab\xEF\xBF\xBDhere");
  EXPECT_EQ(svg_text("\xC3\xA9"), "\xC3\xA9");                                  // e acute
  EXPECT_EQ(svg_text("\xE9!"), "\xEF\xBF\xBD!");                                // Latin-1
  EXPECT_EQ(svg_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(svg_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  EXPECT_EQ(svg_text("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // cut off
  EXPECT_EQ(svg_text("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
}

TEST(Fitted, CutsWholeCharactersAndSaysSo) {
  EXPECT_EQ(fitted("short", 12, 100), "short");
  const std::string cut = fitted("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 10, 30);
  EXPECT_EQ(cut, "\xC3\xA9\xC3\xA9\xE2\x80\xA6");  // 7.2 each, 10 for the dots
  EXPECT_LE(text_width(cut, 10), 30);
}

TEST(Canvas, TurnsAndAnchorsText) {
  Canvas canvas;
  canvas.text({5, 6}, "x", {.size = 10, .anchor = Anchor::kEnd, .bold = true, .upward = true});
  EXPECT_EQ(canvas.take(),
            "<text x=\"5\" y=\"6\" font-size=\"10\" fill=\"#1c2430\" text-anchor=\"end\" "
            "font-weight=\"600\" transform=\"rotate(-90 5 6)\">x</text>\n");
}

}  // namespace
}  // namespace glassrank
