#include "glassrank/data/io/foreign_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

using std::string_view_literals::operator""sv;

struct Foreign {
  std::string_view magic;
  std::string_view what;
  std::string_view way_out;  // {0}: the file, {1}: the file as CSV
};

constexpr std::array<Foreign, 7> kForeign = {{
    {"PAR1"sv, "a Parquet file",
     "python3 -c \"import pandas; pandas.read_parquet('{0}').to_csv('{1}', index=False)\" makes "
     "CSV of it; the Python package reads it as it is (glassrank.read)"},
    {"ARROW1"sv, "an Arrow (Feather) file",
     "python3 -c \"import pandas; pandas.read_feather('{0}').to_csv('{1}', index=False)\" makes "
     "CSV of it"},
    {"PK\x03\x04"sv, "a spreadsheet or another zip archive",
     "python3 -c \"import pandas; pandas.read_excel('{0}').to_csv('{1}', index=False)\" makes CSV "
     "of a spreadsheet"},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file",
     "python3 -c \"import pandas; pandas.read_hdf('{0}').to_csv('{1}', index=False)\" makes CSV of "
     "a "
     "table that pandas wrote"},
    {"\x93NUMPY"sv, "a NumPy array",
     "python3 -c \"import numpy, pandas; pandas.DataFrame(numpy.load('{0}')).add_prefix('x')"
     ".to_csv('{1}', index=False)\" makes CSV of it, with columns x0, x1, ...; --label and --qid "
     "name those of the grade and the query"},
    {"\xff\xfe"sv, "text in UTF-16", "iconv -f utf-16 -t utf-8 '{0}' > '{1}' makes UTF-8 of it"},
    {"\xfe\xff"sv, "text in UTF-16", "iconv -f utf-16 -t utf-8 '{0}' > '{1}' makes UTF-8 of it"},
}};

constexpr std::string_view kBlanks = " \t\r\n";
constexpr Foreign kJson = {
    {},
    "JSON",
    "python3 -c \"import pandas; pandas.read_json('{0}').to_csv('{1}', index=False)\" makes CSV of "
    "a list of objects"};
constexpr Foreign kJsonLines = {
    {},
    "JSON lines",
    "python3 -c \"import pandas; pandas.read_json('{0}', lines=True).to_csv('{1}', index=False)\" "
    "makes CSV of it"};

// An object in the first line and another in the second, or one value.
const Foreign* json_kind_of(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  if (!text.starts_with('{') && !text.starts_with('[')) return nullptr;
  std::string_view inside = text.substr(1);
  inside.remove_prefix(std::min(inside.find_first_not_of(kBlanks), inside.size()));
  if (inside.find_first_of("\"{[]}-0123456789") != 0) return nullptr;
  const std::size_t line_end = text.find('\n');
  const std::size_t next =
      line_end == text.npos ? text.npos : text.find_first_not_of(kBlanks, line_end);
  const bool is_lines = text.starts_with('{') && next != text.npos && text[next] == '{';
  return is_lines ? &kJsonLines : &kJson;
}

const Foreign* foreign_kind_of(std::string_view bytes) {
  for (const Foreign& foreign : kForeign) {
    if (bytes.starts_with(foreign.magic)) return &foreign;
  }
  return json_kind_of(bytes);
}

}  // namespace

void refuse_foreign_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  std::array<char, 65536> begin{};
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), begin.size());
  const Foreign* const foreign =
      foreign_kind_of({begin.data(), static_cast<std::size_t>(file.gcount())});
  if (foreign == nullptr) return;
  const std::string csv = std::filesystem::path(path).replace_extension(".new.csv").string();
  fail(ErrorKind::kInput, "{} is {}; text is expected: {}", path, foreign->what,
       fmt::format(fmt::runtime(foreign->way_out), path, csv));
}

}  // namespace glassrank
