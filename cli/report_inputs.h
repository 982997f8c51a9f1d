#pragma once
// The files that a report and a server are made from.

#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/report/bundle/make_bundle.h"

namespace glassrank::cli {

struct ReportFiles {
  std::vector<std::string> models;
  std::vector<std::string> names = {};  // of the models; empty: as their files
  std::string data;                     // empty: none
  std::string train;                    // empty: none
  ReadParams read;
  std::vector<std::string> records = {};  // of trainings of these models
};

// What a page shows as its date: "2026-01-31 12:00 UTC".
std::string date_now();

// The command that gives the same page: `name` with every option that is not as usual, and the
// seed.
std::string command_text(const std::string& name, std::span<const ParamInfo> infos,
                         std::span<const ParamInfo> defaults, const Context& context);

// `command` is what the page says it was made by. What is warned of on the way is in its notices,
// too.
ReportTask report_task(const ReportFiles& files, const std::string& command,
                       const Context& context);

}  // namespace glassrank::cli
