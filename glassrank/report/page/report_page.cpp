#include "glassrank/report/page/report_page.h"

#include <cassert>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/json.h"

namespace glassrank {
namespace {

constexpr std::string_view kPlace = "\"GLASSRANK_BUNDLE\"";

}  // namespace

std::string report_html(const ReportBundle& bundle) {
  const std::string_view page = page_template();
  const std::size_t place = page.find(kPlace);
  assert(place != std::string_view::npos);
  const std::string json = to_json(bundle).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string html(page.substr(0, place));
  html.reserve(page.size() + json.size());
  for (const char c : json) {
    if (c == '<') {  // "</script>" and "<!--" would end or change the element
      html += "\\u003c";
    } else {
      html += c;
    }
  }
  html += page.substr(place + kPlace.size());
  return html;
}

void write_report(const std::string& path, const ReportBundle& bundle) {
  write_text_file(path, report_html(bundle));
}

}  // namespace glassrank
