#include "glassrank/base/result.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/json.h"

namespace glassrank {
namespace {

constexpr const char* kTypeNames[] = {"bool",
                                      "int",
                                      "int",
                                      "float",
                                      "text",
                                      "list of int",
                                      "list of int",
                                      "list of int",
                                      "list of int",
                                      "list of float",
                                      "list of float",
                                      "list of text",
                                      "object of float",
                                      "object of text",
                                      "list of objects"};
static_assert(std::size(kTypeNames) == std::variant_size_v<ResultValue>);

Json json_of(bool value) { return value; }
Json json_of(std::int64_t value) { return value; }
Json json_of(std::uint64_t value) { return value; }
Json json_of(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json json_of(std::string_view text) { return valid_utf8(text); }

template <typename T>
Json json_of(std::span<const T> items) {
  Json array = Json::array();
  for (const T& item : items) {
    if constexpr (std::is_integral_v<T>) {
      array.push_back(item);
    } else {
      array.push_back(json_of(item));
    }
  }
  return array;
}

Json json_of(std::span<const NamedValue> values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[valid_utf8(name)] = json_of(value);
  return object;
}

Json json_of(std::span<const NamedText> texts) {
  Json object = Json::object();
  for (const auto& [name, text] : texts) object[valid_utf8(name)] = valid_utf8(text);
  return object;
}

Json json_of(const Json* value) { return *value; }

class JsonWriter final : public ResultVisitor {
 public:
  Json take() { return std::move(open_.front()); }

 protected:
  void on_field(std::string_view key, const ResultValue& value, std::string_view) override {
    open_.back()[std::string(key)] =
        std::visit([](const auto& held) { return json_of(held); }, value);
  }
  void on_absent(std::string_view, const ResultValue&, std::string_view) override {}
  void begin_object(std::string_view key, std::string_view, bool) override {
    begin(key, Json::object());
  }
  void end_object() override { end(); }
  void begin_list(std::string_view key, std::string_view) override { begin(key, Json::array()); }
  void end_list() override { end(); }
  void begin_item() override { open_.push_back(Json::object()); }
  void end_item() override {
    Json item = std::move(open_.back());
    open_.pop_back();
    open_.back().push_back(std::move(item));
  }

 private:
  void begin(std::string_view key, Json empty) {
    keys_.emplace_back(key);
    open_.push_back(std::move(empty));
  }
  void end() {
    Json closed = std::move(open_.back());
    open_.pop_back();
    open_.back()[keys_.back()] = std::move(closed);
    keys_.pop_back();
  }

  std::vector<Json> open_ = {Json::object()};  // from the whole result inwards
  std::vector<std::string> keys_;              // under which the inner ones go
};

class MarkdownWriter final : public ResultVisitor {
 public:
  std::string text = "| key | type | meaning |\n|---|---|---|\n";

 protected:
  bool describes_types() const override { return true; }
  void on_field(std::string_view key, const ResultValue& value, std::string_view doc) override {
    row(key, kTypeNames[value.index()], doc);
  }
  void on_absent(std::string_view key, const ResultValue& type, std::string_view doc) override {
    row(key, fmt::format("{}, or no key", kTypeNames[type.index()]), doc);
  }
  void begin_object(std::string_view key, std::string_view doc, bool is_always_there) override {
    row(key, is_always_there ? "object" : "object, or no key", doc);
    prefix_.push_back(fmt::format("{}.", key));
  }
  void end_object() override { prefix_.pop_back(); }
  void begin_list(std::string_view key, std::string_view doc) override {
    row(key, "list of objects", doc);
    prefix_.push_back(fmt::format("{}[].", key));
  }
  void end_list() override { prefix_.pop_back(); }
  void begin_item() override {}
  void end_item() override {}

 private:
  void row(std::string_view key, std::string_view type, std::string_view doc) {
    text += fmt::format("| `{}{}` | {} | {} |\n", fmt::join(prefix_, ""), key, type, doc);
  }

  std::vector<std::string> prefix_;
};

}  // namespace

Json result_json(ResultVisit visit) {
  JsonWriter writer;
  visit(writer);
  return writer.take();
}

std::string result_json_text(ResultVisit visit) { return result_json(visit).dump(2) + '\n'; }

std::string result_json_line(ResultVisit visit) { return result_json(visit).dump() + '\n'; }

std::string result_markdown(ResultVisit visit) {
  MarkdownWriter writer;
  visit(writer);
  return std::move(writer.text);
}

std::string valid_utf8(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  std::string valid(text);
  if (std::ranges::all_of(valid, is_ascii)) return valid;
  // The JSON library holds the decoder: what it writes with replacements is valid.
  return Json::parse(Json(std::move(valid)).dump(-1, ' ', false, Json::error_handler_t::replace))
      .get<std::string>();
}

}  // namespace glassrank
