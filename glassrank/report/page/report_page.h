#pragma once
// The report as one HTML file: the page that web/ builds, which is part of the program, with a
// bundle in it. It opens from a disk and asks no network for anything.

#include <string>
#include <string_view>

#include "glassrank/report/bundle/bundle.h"

namespace glassrank {

// The page as it was built, with one place for a bundle.
std::string_view page_template();

// Names of the bundle may hold anything; nothing of it can end the script it stands in.
std::string report_html(const ReportBundle& bundle);

// Whole or not at all.
void write_report(const std::string& path, const ReportBundle& bundle);

}  // namespace glassrank
