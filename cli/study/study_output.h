#pragma once
// What every `glassrank study` command shares: the options for its files, and how they are written.

#include <string>
#include <vector>

#include "cli/command.h"
#include "glassrank/base/result.h"
#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/study_inputs.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank::cli {

struct StudyFiles {
  std::string out;

  void visit(ParamVisitor& visitor);
  std::string data_file() const { return out + ".tsv"; }
  std::string picture_file() const { return out + ".svg"; }
  std::vector<NamedFile> written() const;
  // Before the work: throws Error{kIo} if the files cannot be written.
  void check() const;
  // Writes both files or none, and prints the table with its notes, or one JSON document.
  template <Result Study>
  void write(const Study& study, Output& output) const;
  void write(const StudyTables& tables, const Picture& picture) const;
  void print(const StudyTables& tables, Output& output) const;
};

// A study's result and where its files are: what --json prints.
template <Result Study>
struct WrittenStudy {
  std::string out;
  std::string picture;
  const Study* study = nullptr;  // null: to be described only

  void visit(ResultVisitor& visitor) const {
    visitor.field("out", out, "file with all numbers");
    visitor.field("picture", picture, "file with the picture");
    study != nullptr ? study->visit(visitor) : Study{}.visit(visitor);
  }
};

template <Result Study>
void StudyFiles::write(const Study& study, Output& output) const {
  const StudyTables tables = study_tables(study);
  write(tables, study_picture(study));
  if (output.json) {
    output.out << json_text(WrittenStudy<Study>{data_file(), picture_file(), &study});
  } else {
    print(tables, output);
  }
}

}  // namespace glassrank::cli
