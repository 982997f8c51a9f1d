#include "glassrank/data/split_files.h"

#include <cstddef>
#include <filesystem>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/folders.h"
#include "glassrank/data/io/kept_rows.h"
#include "glassrank/data/io/svmlight/svmlight_writer.h"
#include "glassrank/data/split.h"

namespace glassrank {
namespace {

std::string ending_of(const SplitFiles& files) {
  if (!is_table_file(files.from, files.read)) return ".txt";
  return data_format(files.from, files.read) == DataFormat::kCsv ? ".csv" : ".tsv";
}

std::string fold_folder(const std::string& folder, std::size_t number) {
  return (std::filesystem::path(folder) / fmt::format("Fold{}", number)).string();
}

// The queries of each file of split_paths().
std::vector<QueryList> queries_of_files(std::size_t num_queries, const SplitParams& params,
                                        std::uint64_t seed) {
  if (params.folds == 0) {
    const std::vector<double> thirds = {0.6, 0.2, 0.2};
    return split_queries(num_queries, params.fractions.empty() ? thirds : params.fractions, seed);
  }
  std::vector<QueryList> parts;
  for (Fold& fold : fold_queries(num_queries, params.folds, seed)) {
    parts.push_back(std::move(fold.train));
    parts.push_back(std::move(fold.valid));
    parts.push_back(std::move(fold.test));
  }
  return parts;
}

}  // namespace

void SplitParams::visit(ParamVisitor& visitor) {
  visitor.field("fractions", fractions,
                "shares of the queries: two for train and test, three for train, valid and test "
                "(0.6,0.2,0.2 unless folds are asked for)",
                kShare);
  visitor.field("folds", folds,
                "write Fold1, Fold2, ... instead: in Fold i, part i is for testing, part i + 1 for "
                "validation, the rest for training",
                kNotNegative);
}

void check_split(const SplitParams& params) {
  if (params.folds > 0 && !params.fractions.empty()) {
    fail(ErrorKind::kUsage, "give fractions or folds, not both");
  }
  const std::size_t num_fractions = params.fractions.size();
  if (num_fractions != 0 && num_fractions != 2 && num_fractions != 3) {
    fail(ErrorKind::kUsage, "fractions has {} shares; it takes two or three", num_fractions);
  }
}

std::vector<std::string> split_paths(const SplitParams& params, const SplitFiles& files) {
  std::vector<std::string> parts = {"train", "valid", "test"};
  if (params.fractions.size() == 2) parts = {"train", "test"};
  std::vector<std::string> paths;
  const std::string ending = ending_of(files);
  const auto add = [&](const std::filesystem::path& where) {
    for (const std::string& part : parts) paths.push_back((where / (part + ending)).string());
  };
  if (params.folds == 0) add(files.folder);
  for (int fold = 1; fold <= params.folds; ++fold) {
    add(fold_folder(files.folder, static_cast<std::size_t>(fold)));
  }
  return paths;
}

SplitResult write_split(const Dataset& data, const SplitParams& params, const SplitFiles& files,
                        const Context& context) {
  check_split(params);
  const std::vector<QueryList> parts = queries_of_files(data.num_queries(), params, context.seed);
  const std::vector<std::string> paths = split_paths(params, files);
  const bool is_table = is_table_file(files.from, files.read);
  SplitResult result;
  SvmlightFiles texts;
  std::vector<CopiedRows> copies;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    make_folder(std::filesystem::path(paths[i]).parent_path().string());
    const DatasetView part = select_queries(data, parts[i]);
    if (is_table) {
      const std::vector<std::uint32_t> rows(part.rows().begin(), part.rows().end());
      copies.emplace_back(
          KeptRows{.from = files.from, .read = files.read, .data = data, .rows = rows}, paths[i],
          context);
    } else {
      texts.add(paths[i], part, files.write, context);
    }
    result.parts.push_back(
        {.out = paths[i], .num_queries = parts[i].size(), .num_rows = part.num_rows()});
  }
  texts.commit();
  for (CopiedRows& copy : copies) copy.commit();
  return result;
}

}  // namespace glassrank
