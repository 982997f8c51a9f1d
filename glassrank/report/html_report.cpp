#include "glassrank/report/html_report.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/atomic_file.h"

namespace glassrank {
namespace {

constexpr std::string_view kStyle = R"(
body { font: 16px/1.5 system-ui, sans-serif; color: #1c2430; background: #fff;
       max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .8rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #e3e7ec; text-align: left; }
th { color: #5a6675; font-weight: 600; } .number { text-align: right; }
pre { font-size: .82rem; background: #f4f6f8; padding: .6rem .8rem; border-radius: 6px; overflow-x: auto; }
.picture svg { max-width: 100%; height: auto; }
.bars text { font: 13px system-ui, sans-serif; fill: #1c2430; }
)";

bool is_number(std::string_view cell) {
  if (!cell.empty() && (cell.front() == '-' || cell.front() == '+')) cell.remove_prefix(1);
  return !cell.empty() && std::isdigit(static_cast<unsigned char>(cell.front())) != 0;
}

std::string cell(std::string_view tag, std::string_view text, bool number) {
  return fmt::format("<{0}{1}>{2}</{0}>", tag, number ? " class=\"number\"" : "",
                     escape_html(text));
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

HtmlReport::HtmlReport(std::string_view title) : title_(escape_html(title)) {}

void HtmlReport::heading(std::string_view text) {
  body_ += fmt::format("<h2>{}</h2>\n", escape_html(text));
}

void HtmlReport::paragraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escape_html(text));
}

void HtmlReport::command(std::string_view line) {
  body_ += fmt::format("<pre>{}</pre>\n", escape_html(line));
}

void HtmlReport::table(const ReportTable& table) {
  std::vector<bool> number(table.header.size(), !table.rows.empty());
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) number[c] = number[c] && is_number(row[c]);
  }
  body_ += "<table>\n<tr>";
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    body_ += cell("th", table.header[c], number[c]);
  }
  body_ += "</tr>\n";
  for (const auto& row : table.rows) {
    body_ += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) body_ += cell("td", row[c], number[c]);
    body_ += "</tr>\n";
  }
  body_ += "</table>\n";
}

void HtmlReport::bars(const std::vector<ReportBar>& bars) {
  constexpr double kLabel = 210;
  constexpr double kWidth = 420;
  constexpr double kRow = 26;
  double largest = 0;
  double smallest = 0;
  for (const ReportBar& bar : bars) {
    largest = std::max({largest, bar.value, bar.high});
    smallest = std::min({smallest, bar.value, bar.low});
  }
  const double scale = largest > smallest ? kWidth / (largest - smallest) : 0;
  const auto place = [&](double value) { return kLabel + (value - smallest) * scale; };
  const double height = kRow * static_cast<double>(bars.size()) + 4;
  body_ += fmt::format("<svg class=\"bars\" role=\"img\" width=\"{}\" height=\"{}\">\n",
                       kLabel + kWidth + 130, height);
  double y = 2;
  for (const ReportBar& bar : bars) {
    const double middle = y + kRow / 2;
    body_ += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLabel - 8,
                         middle + 4, escape_html(bar.label));
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"16\" fill=\"#4878a8\"/>",
        place(std::min(0.0, bar.value)), y + 5, std::abs(bar.value) * scale);
    if (bar.low < bar.high) {
      body_ += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#1c2430\"/>",
          place(bar.low), place(bar.high), middle);
    }
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                         place(std::max({0.0, bar.value, bar.high})) + 8, middle + 4,
                         escape_html(bar.text));
    y += kRow;
  }
  if (smallest < 0) {
    body_ += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\" stroke=\"#9aa5b1\"/>\n", place(0),
        height);
  }
  body_ += "</svg>\n";
}

void HtmlReport::picture(const Picture& picture) {
  body_ += fmt::format("<div class=\"picture\">\n{}</div>\n", picture.svg());
}

std::string HtmlReport::html() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}</body>\n</"
      "html>\n",
      title_, kStyle, body_);
}

void HtmlReport::write(const std::string& path) const { write_text_file(path, html()); }

}  // namespace glassrank
