#include "glassrank/data/io/foreign_files.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

using std::string_view_literals::operator""sv;

struct Foreign {
  std::string_view magic;
  std::string_view what;
  std::string_view way_out;  // {0}: the file, {1}: the file as CSV
};

constexpr std::array<Foreign, 5> kForeign = {{
    {"PAR1"sv, "a Parquet file",
     "python3 -c \"import pandas; pandas.read_parquet('{0}').to_csv('{1}', index=False)\" makes "
     "CSV of it; the Python package reads it as it is (glassrank.read)"},
    {"ARROW1"sv, "an Arrow (Feather) file",
     "python3 -c \"import pandas; pandas.read_feather('{0}').to_csv('{1}', index=False)\" makes "
     "CSV of it"},
    {"PK\x03\x04"sv, "a spreadsheet or another zip archive",
     "python3 -c \"import pandas; pandas.read_excel('{0}').to_csv('{1}', index=False)\" makes CSV "
     "of a spreadsheet"},
    {"\xff\xfe"sv, "text in UTF-16", "iconv -f utf-16 -t utf-8 '{0}' > '{1}' makes UTF-8 of it"},
    {"\xfe\xff"sv, "text in UTF-16", "iconv -f utf-16 -t utf-8 '{0}' > '{1}' makes UTF-8 of it"},
}};

}  // namespace

void refuse_foreign_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  std::array<char, 8> begin{};
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), begin.size());
  const std::string_view bytes(begin.data(), static_cast<std::size_t>(file.gcount()));
  for (const Foreign& foreign : kForeign) {
    if (!bytes.starts_with(foreign.magic)) continue;
    const std::string csv = std::filesystem::path(path).replace_extension(".new.csv").string();
    fail(ErrorKind::kInput, "{} is {}; text is expected: {}", path, foreign.what,
         fmt::format(fmt::runtime(foreign.way_out), path, csv));
  }
}

}  // namespace glassrank
