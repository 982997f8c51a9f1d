#include "glassrank/report/server/request_body.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/report/server/json_scanner.h"

namespace glassrank {
namespace {

constexpr float kMissingValue = std::numeric_limits<float>::quiet_NaN();

std::string option_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  fail(ErrorKind::kInput, "a number, a text, true, false or a list of such is expected, not {}",
       value.type_name());
}

// Null is as if it were not there.
void add_option(std::string name, std::string_view text, std::vector<ParamAssignment>& options) {
  try {
    const Json value = parse_json_text(text);
    if (value.is_null()) return;
    ParamAssignment option{.name = name, .values = {}};
    if (value.is_array()) {
      for (const Json& item : value) option.values.push_back(option_text(item));
    } else {
      option.values.push_back(option_text(value));
    }
    options.push_back(std::move(option));
  } catch (Error& error) {
    error.add_context(fmt::format("\"{}\"", name));
    throw;
  }
}

// Calls `member(key)` for every key of the object that follows; it reads the value.
template <typename Member>
void for_members(JsonScanner& scanner, std::string_view what, Member&& member) {
  scanner.expect('{', what);
  if (scanner.take('}')) return;
  do {
    std::string key = scanner.string();
    scanner.expect(':', "':' is expected");
    member(std::move(key));
  } while (scanner.take(','));
  scanner.expect('}', "',' or '}' is expected");
}

}  // namespace

Dataset RequestDocuments::dataset(const std::string& query,
                                  std::span<const std::string> features) const {
  DatasetParts parts;
  parts.schema = Schema::of_features({features.begin(), features.end()});
  parts.grades.resize(num_rows);
  const std::size_t sizes[] = {num_rows};
  parts.queries = QueryGroups({query.empty() ? "the request" : query}, sizes);
  if (!ids.empty()) {
    StringColumnBuilder names;
    for (const std::string& id : ids) names.add(id);
    parts.document_ids = names.finish();
  }
  parts.features = Buffer<float>(values.size());
  std::ranges::copy(values, parts.features.data());
  return Dataset(std::move(parts));
}

RequestReader::RequestReader(std::span<const std::string> features, std::size_t most_rows,
                             const CategoryNames& categories)
    : features_(features), most_rows_(most_rows), codes_(categories.size()) {
  for (std::size_t f = 0; f < categories.size(); ++f) {
    for (const std::string& name : categories[f]) {
      codes_[f].emplace(name, static_cast<float>(codes_[f].size()));
    }
  }
  for (std::size_t f = 0; f < features.size(); ++f) places_.emplace(features[f], f);
}

// A name of a category, or a number. What training did not see has the code behind the last.
float RequestReader::read_value(JsonScanner& scanner, std::size_t feature) const {
  const bool has_names = feature < codes_.size() && !codes_[feature].empty();
  if (!has_names || scanner.peek() != '"') return scanner.number();
  const auto found = codes_[feature].find(scanner.string());
  return found != codes_[feature].end() ? found->second
                                        : static_cast<float>(codes_[feature].size());
}

void RequestReader::fail_rows() const {
  fail(ErrorKind::kInput, "more than {} documents in one request; --max-documents sets the limit",
       most_rows_);
}

void RequestReader::read_named(JsonScanner& scanner, std::span<float> row) const {
  std::ranges::fill(row, kMissingValue);
  for_members(scanner, "'[' or '{' is expected", [&](const std::string& name) {
    const auto found = places_.find(name);
    if (found == places_.end()) {
      throw Error(ErrorKind::kInput, unknown_name_message("feature", name, features_));
    }
    row[found->second] = read_value(scanner, found->second);
  });
}

void RequestReader::read_features(JsonScanner& scanner, std::vector<float>& values,
                                  std::size_t row) const {
  const std::size_t first = row * features_.size();
  values.resize(first + features_.size());
  if (scanner.peek() == '{') {
    read_named(scanner, std::span(values).subspan(first));
    return;
  }
  scanner.expect('[', "features are a list or an object");
  std::size_t count = 0;
  if (!scanner.take(']')) {
    do {
      const float value = read_value(scanner, count);
      if (count < features_.size()) values[first + count] = value;
      ++count;
    } while (scanner.take(','));
    scanner.expect(']', "',' or ']' is expected");
  }
  if (count != features_.size()) {
    fail(ErrorKind::kInput, "document {} has {} features, the model has {}", row + 1, count,
         features_.size());
  }
}

void RequestReader::read_document(JsonScanner& scanner, RequestDocuments& documents) const {
  const std::size_t row = documents.num_rows++;
  bool has_features = false;
  for_members(scanner, "a document is an object with \"features\"", [&](const std::string& key) {
    if (key == "features" && !has_features) {
      read_features(scanner, documents.values, row);
      has_features = true;
    } else if (key == "id") {
      documents.ids.resize(row + 1);
      documents.ids[row] = scanner.peek() == '"' ? scanner.string() : std::string(scanner.value());
    } else {
      scanner.fail_here(fmt::format("a document has \"id\" and \"features\", not \"{}\"{}", key,
                                    key == "features" ? " again" : ""));
    }
  });
  if (!has_features) {
    fail(ErrorKind::kInput, "document {} has no \"features\"", row + 1);
  }
}

RequestDocuments RequestReader::read_documents(JsonScanner& scanner) const {
  RequestDocuments documents;
  scanner.expect('[', "\"documents\" is a list");
  if (!scanner.take(']')) {
    do {
      if (documents.num_rows == most_rows_) fail_rows();
      read_document(scanner, documents);
    } while (scanner.take(','));
    scanner.expect(']', "',' or ']' is expected");
  }
  if (documents.num_rows == 0) fail(ErrorKind::kInput, "\"documents\" is empty");
  if (!documents.ids.empty()) {
    documents.ids.resize(documents.num_rows);
    for (std::size_t row = 0; row < documents.num_rows; ++row) {
      if (documents.ids[row].empty()) documents.ids[row] = std::to_string(row + 1);
    }
  }
  return documents;
}

RequestBody RequestReader::read_json(std::string body) const {
  const std::size_t size = body.size();
  body.append(kScanSlack, '\0');
  JsonScanner scanner(std::string_view(body).substr(0, size));
  RequestBody result;
  if (scanner.peek() == '\0') {
    scanner.expect_end();
    return result;
  }
  for_members(scanner, "the body must be a JSON object", [&](std::string key) {
    const bool is_known = std::ranges::any_of(
        result.options, [&](const ParamAssignment& option) { return option.name == key; });
    if (is_known || (key == "documents" && result.documents)) {
      scanner.fail_here(fmt::format("\"{}\" is given twice", key));
    }
    if (key == "documents" && scanner.peek() != 'n') {
      result.documents = read_documents(scanner);
    } else {
      const std::string_view value = scanner.value();
      if (key != "documents") add_option(std::move(key), value, result.options);
    }
  });
  scanner.expect_end();
  return result;
}

RequestDocuments RequestReader::read_binary(std::string_view body) const {
  static_assert(std::endian::native == std::endian::little);
  const std::size_t row_size = features_.size() * sizeof(float);
  if (body.empty() || row_size == 0 || body.size() % row_size != 0) {
    fail(ErrorKind::kInput,
         "the body has {} bytes; documents of {} float32 features have a multiple of {}",
         body.size(), features_.size(), row_size);
  }
  RequestDocuments documents;
  documents.num_rows = body.size() / row_size;
  if (documents.num_rows > most_rows_) fail_rows();
  documents.values.resize(body.size() / sizeof(float));
  std::memcpy(documents.values.data(), body.data(), body.size());
  for (const float value : documents.values) {
    if (value - value != 0 && value == value) {
      fail(ErrorKind::kInput, "a feature is infinite; NaN is a missing one");
    }
  }
  return documents;
}

}  // namespace glassrank
