#pragma once
// The files that a report and a server are made from.

#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/report/bundle/make_bundle.h"

namespace glassrank::cli {

struct ReportFiles {
  std::vector<std::string> models;
  std::string data;   // empty: none
  std::string train;  // empty: none
  ReadParams read;
};

// What a page shows as its date: "2026-01-31 12:00 UTC".
std::string date_now();

// `command` is what the page says it was made by.
ReportTask report_task(const ReportFiles& files, const std::string& command,
                       const Context& context);

}  // namespace glassrank::cli
