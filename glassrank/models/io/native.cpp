#include "glassrank/models/io/native.h"

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/models/io/native_text.h"

namespace glassrank {
namespace {

constexpr std::uint64_t kVersion = 1;
// What programs of before categories cannot read. All else stays as it was, to the byte.
constexpr std::uint64_t kCategoryVersion = 2;
constexpr std::string_view kChecksumWord = "checksum ";
constexpr std::size_t kChecksumLineSize = kChecksumWord.size() + 16 + 1;

// The text above the checksum line, once that line is found to be right.
std::string_view checked_content(std::string_view text) {
  const std::size_t size = text.size() < kChecksumLineSize ? 0 : text.size() - kChecksumLineSize;
  const std::string_view line = text.substr(size);
  if (!line.starts_with(kChecksumWord) || !line.ends_with('\n')) {
    fail(ErrorKind::kInput, "the model file is cut off or changed: it must end in a checksum line");
  }
  const std::string_view content = text.substr(0, size);
  const std::string sum = fmt::format("{:016x}", hash_name(content));
  const std::string_view written = line.substr(kChecksumWord.size(), 16);
  if (written != sum) {
    fail(ErrorKind::kInput,
         "the model file was changed after it was written: its checksum is {}, the file says {}",
         sum, written);
  }
  return content;
}

void check_version(std::string_view text) {
  if (!text.starts_with(kNativeMagic)) {
    fail(ErrorKind::kInput, "not a glassrank model: it must start with '{}{}'", kNativeMagic,
         kVersion);
  }
  const std::string_view version =
      text.substr(kNativeMagic.size(), text.find('\n') - kNativeMagic.size());
  if (version != fmt::to_string(kVersion) && version != fmt::to_string(kCategoryVersion)) {
    fail(ErrorKind::kInput,
         "the model file has format version '{}'; this program reads versions {} and {}",
         version.substr(0, 20), kVersion, kCategoryVersion);
  }
}

Provenance read_provenance(NativeReader& reader) {
  const std::size_t num_lines = reader.count("provenance");
  Provenance provenance;
  provenance.reserve(num_lines);
  for (std::size_t i = 0; i < num_lines; ++i) {
    const std::string_view line = reader.line();
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) reader.fail_here("provenance must be 'key<tab>value'");
    provenance.emplace_back(reader.unescape(line.substr(0, tab)),
                            reader.unescape(line.substr(tab + 1)));
  }
  return provenance;
}

// The body of the kind that the file names, among all there are.
template <typename... Bodies>
void read_body(std::string_view kind, NativeReader& reader, std::variant<Bodies...>& body) {
  const auto read_if = [&]<typename Body>(Body made) {
    if (kind != Body::kNative) return false;
    read_native_body(reader, made);
    body = std::move(made);
    return true;
  };
  if (!(read_if(Bodies{}) || ...)) {
    reader.fail_here(fmt::format("unknown kind of model '{}'", kind));
  }
}

// Whether the body has what came with version 2.
bool has_categories(const Model& model) {
  return match(
      model,
      [](const Forest& forest) {
        return has_categories(forest.trees()) || !forest.categories().empty();
      },
      [](const Gam& gam) { return !gam.categories().empty(); }, [](const auto&) { return false; });
}

}  // namespace

std::string write_native(const Model& model) {
  const std::uint64_t version = has_categories(model) ? kCategoryVersion : kVersion;
  std::string text = fmt::format("{}{}\n", kNativeMagic, version);
  text += fmt::format("provenance {}\n", model.provenance.size());
  for (const auto& [key, value] : model.provenance) {
    append_escaped(text, key);
    text += '\t';
    append_escaped(text, value);
    text += '\n';
  }
  match(model, [&]<typename Body>(const Body& body) {
    text += fmt::format("body {}\n", Body::kNative);
    write_native_body(text, body);
  });
  text += fmt::format("{}{:016x}\n", kChecksumWord, hash_name(text));
  return text;
}

Model read_native(std::string_view text) {
  check_version(text);
  NativeReader reader(checked_content(text));
  reader.line();
  Model model;
  model.provenance = read_provenance(reader);
  read_body(reader.value("body"), reader, model.body);
  if (!reader.at_end()) reader.fail_here("text after the model's end");
  return model;
}

}  // namespace glassrank
