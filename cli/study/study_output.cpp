#include "cli/study/study_output.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "glassrank/base/output_file.h"

namespace glassrank::cli {
void StudyFiles::visit(ParamVisitor& visitor) {
  visitor.field("out", out, "write all numbers to PREFIX.tsv and the picture to PREFIX.svg",
                {.required = true, .value_name = "PREFIX"});
}

std::vector<NamedFile> StudyFiles::written() const {
  return {{"the numbers of --out", data_file()}, {"the picture of --out", picture_file()}};
}

void StudyFiles::check() const {
  for (const NamedFile& file : written()) refuse_unwritable(file.path);
}

void StudyFiles::write(const StudyTables& tables, const Picture& picture) const {
  write_text_files({{{data_file(), table_tsv(tables.data)}, {picture_file(), picture.svg()}}});
}

void StudyFiles::print(const StudyTables& tables, Output& output) const {
  output.out << table_text(tables.shown) << '\n';
  for (const std::string& note : tables.notes) fmt::print(output.out, "{}\n", note);
  fmt::print(output.out, "written: {}, {}\n", data_file(), picture_file());
}

}  // namespace glassrank::cli
