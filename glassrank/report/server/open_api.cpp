#include "glassrank/report/server/open_api.h"

#include <cmath>
#include <utility>

#include "glassrank/base/json.h"
#include "glassrank/base/version.h"
#include "glassrank/report/server/requests.h"

namespace glassrank {
namespace {

Json typed(const char* type) { return Json{{"type", type}}; }
Json nullable(const char* type) { return Json{{"type", Json::array({type, "null"})}}; }
Json list_of(Json items) { return Json{{"type", "array"}, {"items", std::move(items)}}; }

Json schema_of(bool) { return typed("boolean"); }
Json schema_of(std::int64_t) { return typed("integer"); }
Json schema_of(std::uint64_t) { return typed("integer"); }
Json schema_of(double) { return nullable("number"); }  // null: not finite
Json schema_of(std::string_view) { return typed("string"); }
template <typename T>
Json schema_of(std::span<const T>) {
  return list_of(schema_of(T{}));
}
Json schema_of(std::span<const int>) { return list_of(typed("integer")); }
Json schema_of(std::span<const std::uint32_t>) { return list_of(typed("integer")); }
Json schema_of(std::span<const float>) { return list_of(nullable("number")); }
Json schema_of(std::span<const std::string>) { return list_of(typed("string")); }
Json schema_of(std::span<const NamedValue>) {
  return Json{{"type", "object"}, {"additionalProperties", nullable("number")}};
}
Json schema_of(std::span<const NamedText>) {
  return Json{{"type", "object"}, {"additionalProperties", typed("string")}};
}
Json schema_of(const Json*) { return Json::object(); }

// The JSON schema of a result, from its visit().
class SchemaWriter final : public ResultVisitor {
 public:
  SchemaWriter() { open_.push_back(object()); }
  Json take() { return std::move(open_.front()); }

 protected:
  bool describes_types() const override { return true; }
  void on_field(std::string_view key, const ResultValue& value, std::string_view doc) override {
    add(key, schema(value), doc, true);
  }
  void on_absent(std::string_view key, const ResultValue& type, std::string_view doc) override {
    add(key, schema(type), doc, false);
  }
  void begin_object(std::string_view key, std::string_view doc, bool is_always_there) override {
    begin(key, doc, is_always_there, false);
  }
  void end_object() override { end(); }
  void begin_list(std::string_view key, std::string_view doc) override {
    begin(key, doc, true, true);
  }
  void end_list() override { end(); }
  void begin_item() override {}
  void end_item() override {}

 private:
  struct Place {
    std::string key;
    std::string doc;
    bool is_always_there = true;
    bool is_list = false;
  };

  static Json object() { return Json{{"type", "object"}, {"properties", Json::object()}}; }
  static Json schema(const ResultValue& value) {
    return std::visit([](const auto& held) { return schema_of(held); }, value);
  }
  void add(std::string_view key, Json schema, std::string_view doc, bool is_always_there) {
    schema["description"] = doc;
    open_.back()["properties"][std::string(key)] = std::move(schema);
    if (is_always_there) open_.back()["required"].push_back(key);
  }
  void begin(std::string_view key, std::string_view doc, bool is_always_there, bool is_list) {
    places_.push_back({std::string(key), std::string(doc), is_always_there, is_list});
    open_.push_back(object());
  }
  void end() {
    Json closed = std::move(open_.back());
    open_.pop_back();
    const Place place = std::move(places_.back());
    places_.pop_back();
    add(place.key, place.is_list ? list_of(std::move(closed)) : std::move(closed), place.doc,
        place.is_always_there);
  }

  std::vector<Json> open_;
  std::vector<Place> places_;
};

Json schema_of_param(const ParamInfo& info) {
  Json schema;
  if (info.type == "bool") {
    schema = typed("boolean");
    schema["default"] = info.value == "true";
  } else if (info.type == "int" || info.type == "float") {
    schema = typed(info.type == "int" ? "integer" : "number");
    schema["default"] = Json::parse(info.value);
    if (std::isfinite(info.range.low)) {
      schema[info.range.open_low ? "exclusiveMinimum" : "minimum"] = info.range.low;
    }
    if (std::isfinite(info.range.high)) {
      schema[info.range.open_high ? "exclusiveMaximum" : "maximum"] = info.range.high;
    }
  } else if (info.is_list) {
    schema = list_of(typed(info.type == "list of float" ? "number" : "string"));
  } else {
    schema = typed("string");
    if (!info.value.empty()) schema["default"] = info.value;
    if (!info.choices.empty()) {
      schema["enum"] = info.choices;
      if (info.value.empty()) schema["enum"].push_back("");
    }
  }
  schema["description"] = info.doc;
  return schema;
}

Json documents_schema() {
  Json features;
  const Json value{{"type", {"number", "string", "null"}}};
  features["oneOf"] = {list_of(value), Json{{"type", "object"}, {"additionalProperties", value}}};
  features["description"] =
      "a number for every feature of the model, in its order, or by name; a text where the values "
      "are categories with names (/v1/model tells them); null is missing, and so "
      "is a name that is left out";
  Json document{{"type", "object"}, {"required", {"features"}}};
  document["properties"] = {{"id", typed("string")}, {"features", std::move(features)}};
  Json documents = list_of(std::move(document));
  documents["description"] = "of one query; without them: those of \"query\" in the server's data";
  return documents;
}

Json request_schema(const ApiEntry& entry) {
  Json schema{{"type", "object"}, {"additionalProperties", false}};
  schema["properties"]["documents"] = documents_schema();
  for (const ParamInfo& info : entry.params) {
    schema["properties"][info.name] = schema_of_param(info);
    if (info.style.required) schema["required"].push_back(info.name);
  }
  return schema;
}

Json operation(const ApiEntry& entry) {
  Json operation{{"summary", entry.summary}};
  if (entry.takes_documents) {
    Json& content = operation["requestBody"]["content"];
    content["application/json"]["schema"] = request_schema(entry);
    if (entry.takes_binary) {
      content["application/octet-stream"]["schema"] = {
          {"type", "string"},
          {"format", "binary"},
          {"description", "float32 numbers, little-endian, document after document"}};
    }
  }
  Json& responses = operation["responses"];
  responses["200"]["description"] = entry.summary;
  Json& content = responses["200"]["content"][std::string(entry.media_type)];
  content = Json::object();
  if (entry.answer != nullptr) {
    SchemaWriter writer;
    entry.answer(writer);
    content["schema"] = writer.take();
  }
  SchemaWriter error;
  ErrorAnswer{}.visit(error);
  responses["default"]["description"] = "why there is no answer";
  responses["default"]["content"]["application/json"]["schema"] = error.take();
  return operation;
}

}  // namespace

std::string open_api_text(std::span<const ApiEntry> entries, bool asks_token) {
  Json text{{"openapi", "3.1.0"}, {"info", {{"title", "glassrank serve"}, {"version", kVersion}}}};
  if (asks_token) {
    text["components"]["securitySchemes"]["token"] = {{"type", "http"}, {"scheme", "bearer"}};
    text["security"] = Json::array({Json{{"token", Json::array()}}});
  }
  for (const ApiEntry& entry : entries) {
    std::string method(entry.method);
    for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
    text["paths"][std::string(entry.path)][method] = operation(entry);
  }
  return text.dump(2) + '\n';
}

}  // namespace glassrank
