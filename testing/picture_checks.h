#pragma once
// For tests of pictures: counts marks, and checks what every picture keeps.

#include <algorithm>
#include <cstddef>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/report/plots/canvas.h"
#include "glassrank/report/plots/picture.h"

namespace glassrank::testing {

inline std::size_t count_in(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// Every element is closed, in order.
inline void expect_well_formed(const Picture& picture) {
  const std::string svg = picture.svg();
  const std::regex tag("<(/?)([a-z]+)((?:\\s+[a-zA-Z0-9:-]+=\"[^\"<]*\")*)\\s*(/?)>");
  std::vector<std::string> open;
  std::size_t num_tags = 0;
  for (std::sregex_iterator it(svg.begin(), svg.end(), tag), end; it != end; ++it) {
    ++num_tags;
    if ((*it)[1].length() > 0) {
      ASSERT_FALSE(open.empty()) << it->str();
      EXPECT_EQ(open.back(), (*it)[2].str());
      open.pop_back();
    } else if ((*it)[4].length() == 0) {
      open.push_back((*it)[2]);
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(num_tags, count_in(svg, "<"));  // nothing else looks like an element
}

// Every place of an element lies on the canvas, and no number is lost.
inline void expect_inside(const Picture& picture) {
  const std::regex place("\\b(x|x1|x2|cx|y|y1|y2|cy)=\"(-?[0-9.e+]+)\"");
  for (std::sregex_iterator it(picture.body.begin(), picture.body.end(), place), end; it != end;
       ++it) {
    const double value = std::stod((*it)[2]);
    const double most =
        (*it)[1].str().find('x') != std::string::npos ? picture.width : picture.height;
    EXPECT_GE(value, 0) << it->str();
    EXPECT_LE(value, most) << it->str();
  }
  EXPECT_EQ(picture.body.find("\"nan"), std::string::npos);
  EXPECT_EQ(picture.body.find("\"inf"), std::string::npos);
}

// Texts that do not stand upright, and the box each takes.
struct PlacedText {
  std::string text;
  Box box;
};
inline std::vector<PlacedText> placed_texts(const Picture& picture) {
  const std::regex element(
      "<text x=\"([^\"]+)\" y=\"([^\"]+)\" font-size=\"([^\"]+)\"([^>]*)>([^<]*)</text>");
  std::vector<PlacedText> texts;
  for (std::sregex_iterator it(picture.body.begin(), picture.body.end(), element), end; it != end;
       ++it) {
    const std::string attributes = (*it)[4];
    if (attributes.find("rotate") != std::string::npos) continue;
    const double size = std::stod((*it)[3]);
    // text_width() is an upper bound; what is usual is less.
    const std::string shown = std::regex_replace((*it)[5].str(), std::regex("&[a-z]+;"), "<");
    const double width = 0.85 * text_width(shown, size);
    double left = std::stod((*it)[1]);
    if (attributes.find("\"middle\"") != std::string::npos) left -= width / 2;
    if (attributes.find("\"end\"") != std::string::npos) left -= width;
    const double base = std::stod((*it)[2]);
    texts.push_back({(*it)[5], {left, base - 0.75 * size, left + width, base + 0.2 * size}});
  }
  return texts;
}

inline void expect_texts_apart(const Picture& picture) {
  const std::vector<PlacedText> texts = placed_texts(picture);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_GE(texts[i].box.left, 0) << texts[i].text;
    EXPECT_LE(texts[i].box.right, picture.width) << texts[i].text;
    for (std::size_t j = 0; j < i; ++j) {
      const Box& a = texts[i].box;
      const Box& b = texts[j].box;
      const bool overlap =
          a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      EXPECT_FALSE(overlap) << texts[i].text << " over " << texts[j].text;
    }
  }
}

inline void expect_sound(const Picture& picture) {
  expect_well_formed(picture);
  expect_inside(picture);
  expect_texts_apart(picture);
}

}  // namespace glassrank::testing
