#include "cli/study/study_output.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/output_file.h"
#include "cli/ranking_inputs.h"
#include "cli/same_file.h"
#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/base/text_columns.h"
#include "glassrank/evaluation/load_rows.h"
#include "glassrank/models/io/formats.h"

namespace glassrank::cli {
namespace {

// A cell of a column of numbers: null when it is none, or not finite.
Json number_json(const std::string& cell) {
  double value = 0;
  const char* end = cell.data() + cell.size();
  const auto [rest, error] = std::from_chars(cell.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) {
    return nullptr;
  }
  if (value == std::floor(value) && std::abs(value) < 1e15 &&
      cell.find_first_of(".e") == std::string::npos) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

void print_json(const StudyFiles& files, const StudyResult& result, Output& output) {
  Json json = {{"data", files.data_file()}, {"picture", files.picture_file()}};
  for (const auto& [name, value] : result.facts) json[name] = value;
  json["rows"] = Json::array();
  for (const auto& row : result.data.rows) {
    Json entry = Json::object();
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool is_name = std::ranges::find(result.name_columns, c) != result.name_columns.end();
      entry[result.data.header[c]] = is_name ? Json(row[c]) : number_json(row[c]);
    }
    json["rows"].push_back(std::move(entry));
  }
  output.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

bool is_number_column(const ReportTable& table, std::size_t column) {
  for (const auto& row : table.rows) {
    const std::string& cell = row[column];
    if (!cell.empty() && cell != "-" && cell.find_first_of("0123456789") > 1) return false;
  }
  return true;
}

}  // namespace

void StudyFiles::visit(ParamVisitor& visitor) {
  visitor.field("out", out, "writes PREFIX.tsv, all numbers, and PREFIX.svg, the picture",
                {.required = true, .value_name = "PREFIX"});
}

void StudyFiles::check(const std::vector<std::string>& inputs) const {
  for (const std::string& path : {data_file(), picture_file()}) {
    for (const std::string& input : inputs) refuse_same_file(input, path, "--out", "an input");
    refuse_unwritable(path);
  }
}

void StudyFiles::write(const StudyResult& result, Output& output) const {
  AtomicFile data(data_file());
  data.write(tsv_text(result.data));
  data.finish();
  AtomicFile picture(picture_file());
  picture.write(result.picture.svg());
  picture.finish();
  data.commit();
  picture.commit();
  if (output.json) {
    print_json(*this, result, output);
    return;
  }
  TextColumns columns;
  columns.add(result.shown.header);
  for (const auto& row : result.shown.rows) columns.add(row);
  for (std::size_t c = 0; c < result.shown.header.size(); ++c) {
    if (is_number_column(result.shown, c)) columns.align_right(c);
  }
  output.out << columns.text() << '\n';
  for (const std::string& note : result.notes) fmt::print(output.out, "{}\n", note);
  fmt::print(output.out, "written: {}, {}\n", data_file(), picture_file());
}

void OutlierOptions::visit(ParamVisitor& visitor) {
  visitor.field("cutoff", cutoff, "ranks that count as the top", Range{.low = 1});
  visitor.field("negative_grade", rule.negative_grade, "documents above this grade are relevant");
  visitor.field("definition", rule.definition,
                "what an outlier is: paper, or the wider test of the authors' program");
}

OutlierRule OutlierOptions::resolve() const {
  OutlierRule resolved = rule;
  resolved.cutoff = static_cast<std::size_t>(cutoff);
  return resolved;
}

Forest study_forest(const Model& model, const std::string& file) {
  return require_forest(model, fmt::format("a study of {}", file));
}

StudyInputs load_study_inputs(const std::vector<std::string>& model_files,
                              const std::string& data_file, const ReadParams& read,
                              const Context& context) {
  StudyInputs inputs{.names = names_of_files(model_files), .models = {}, .data = {}};
  for (const std::string& path : model_files) {
    inputs.models.push_back(load_model(path, context));
    if (study_forest(inputs.models.back(), path).trees().empty()) {
      fail(ErrorKind::kInput, "{}: the model has no trees to follow", path);
    }
  }
  inputs.data = load_rows_for(inputs.models, data_file, read, context);
  return inputs;
}

TrainingParts load_training_parts(const TrainingFiles& files, const ReadParams& read,
                                  const Context& context) {
  TrainingParts parts{.train = load_dataset(files.train, read, context), .valid = {}, .test = {}};
  // A sparse file ends at the highest feature it names: the others may name fewer.
  ReadParams wide = read;
  wide.num_features = static_cast<int>(parts.train.num_features());
  parts.valid = load_dataset(files.valid, wide, context);
  if (!files.test.empty()) parts.test = load_dataset(files.test, wide, context);
  return parts;
}

std::size_t window_end(int start, int end, std::size_t num_trees) {
  const std::size_t last = end == 0 ? num_trees : static_cast<std::size_t>(end);
  if (last > num_trees) {
    fail(ErrorKind::kUsage, "the window ends at tree {}, but the model has {}", last, num_trees);
  }
  if (static_cast<std::size_t>(start) > last) {
    fail(ErrorKind::kUsage, "the window begins at tree {} and ends at tree {}", start, last);
  }
  return last;
}

}  // namespace glassrank::cli
