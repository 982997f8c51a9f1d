#pragma once
// Reading and writing models, whatever the format: the door every command goes through.
//
// A file is known by its content, never by its name; gzip and zstd packed files and "-" (standard
// input) are read too. Written files appear whole or not at all.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/models/io/read_params.h"
#include "glassrank/models/model.h"

namespace glassrank {

// What a format can hold. A model of another kind is brought over when it is written, if it can be
// (model_kinds.h).
enum class FormatBody { kAnyKind, kForest, kGam };

struct ModelFormat {
  std::string_view name;
  std::string_view doc;
  // Whether these first bytes of a file are of this format.
  bool (*matches)(std::string_view bytes);
  Model (*read)(std::string_view bytes, const ModelReadParams& read);  // null: only written
  std::string (*write)(const Model& model, const Context& context);    // null: only read
  FormatBody body = FormatBody::kForest;
  bool keeps_provenance = false;
  bool has_best_round = false;  // says after which round training should have stopped
};

std::span<const ModelFormat> model_formats();

// Names of the formats that can be written, for parameters that are one of them.
std::vector<std::string> written_formats();

// Throws Error{kUsage} with the nearest name.
const ModelFormat& model_format(std::string_view name);

// The format of a file with this content; throws Error{kInput} when it is none we know.
const ModelFormat& detect_model_format(std::string_view bytes);

// Throws Error{kIo} when the file cannot be read, Error{kInput} "file: ..." when it is wrong,
// Error{kUsage} for read.all_trees of a format that never leaves trees out.
Model load_model(const std::string& path, const Context& context, const ModelReadParams& read = {});
// The same, and which format the file was in.
struct LoadedModel {
  Model model;
  const ModelFormat& format;
};
LoadedModel load_model_and_format(const std::string& path, const Context& context,
                                  const ModelReadParams& read = {});

// Several files; read.all_trees must be of use to one of them.
std::vector<Model> load_models(std::span<const std::string> paths, const Context& context,
                               const ModelReadParams& read = {});

// From bytes in memory, unpacked; `name` stands in messages.
LoadedModel read_model_and_format(std::string_view bytes, const std::string& name,
                                  const ModelReadParams& read = {});

// Whether the program whose format it is adds the values of leaves up in float32.
bool sums_in_float32(std::string_view format);

// The model as the format holds it: itself, a forest or an additive model. Throws Error{kInput} for
// a forest that is not additive.
Model model_for(const ModelFormat& format, const Model& model);

// Throws Error{kUsage} for a format that does not exist or is only read, Error{kInput} for a model
// the format cannot express.
std::string write_model(const Model& model, std::string_view format, const Context& context);
// The same to a file. A notice says when the record of edits is lost.
void save_model(const std::string& path, const Model& model, std::string_view format,
                const Context& context);

}  // namespace glassrank
