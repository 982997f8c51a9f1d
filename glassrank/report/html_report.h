#pragma once
// A report as one HTML file that opens anywhere: no scripts, no network, pictures as inline SVG.
//
// Sections are added in reading order; everything given as text is escaped here.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/report/plots/picture.h"

namespace glassrank {

struct ReportTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each as long as the header
};

// One horizontal bar with an optional interval.
struct ReportBar {
  std::string label;
  double value = 0;
  double low = 0;  // low == high: no interval
  double high = 0;
  std::string text;  // shown behind the bar, for example "0.5312"
};

class HtmlReport {
 public:
  explicit HtmlReport(std::string_view title);

  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void command(std::string_view line);  // what a user types to get the same
  // Numbers are set to the right: columns whose every cell starts with a digit or a sign.
  void table(const ReportTable& table);
  // Bars from 0, on a scale from the smallest value or interval end (0 at most) to the largest. A
  // line marks 0 when something lies below it.
  void bars(const std::vector<ReportBar>& bars);
  void picture(const Picture& picture);

  std::string html() const;
  // Whole or not at all.
  void write(const std::string& path) const;

 private:
  std::string title_;
  std::string body_;
};

// & < > " as entities.
std::string escape_html(std::string_view text);

}  // namespace glassrank
