#pragma once
// The body of a request to the API: an object with documents and options.
//
//   {"documents": [{"id": "book-12", "features": [7.1, null, 0]}], "document": "book-12"}
//
// `features` has a number for every feature of the model, in its order, or is an object by name, in
// which what is left out is missing; null is missing. Everything but "documents" becomes an
// assignment of a parameter, which the request's own visit() checks.
// Rows of plain float32 numbers, little-endian, one document after the other, are the quick way in.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/data/category_names.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

struct RequestDocuments {
  std::vector<float> values;     // row after row
  std::vector<std::string> ids;  // empty: none has one
  std::size_t num_rows = 0;

  // One query of this name; documents without an id are called by their place.
  Dataset dataset(const std::string& query, std::span<const std::string> features) const;
};

struct RequestBody {
  std::optional<RequestDocuments> documents;
  std::vector<ParamAssignment> options;
};

// Reads bodies for one model.
class RequestReader {
 public:
  // `features` and `categories` must stay: values of features that have names of categories may be
  // given by name.
  RequestReader(std::span<const std::string> features, std::size_t most_rows,
                const CategoryNames& categories = {});

  // An empty body is an object without keys. Throws Error{kInput} that says where.
  RequestBody read_json(std::string body) const;
  RequestDocuments read_binary(std::string_view body) const;

 private:
  RequestDocuments read_documents(class JsonScanner& scanner) const;
  void read_document(class JsonScanner& scanner, RequestDocuments& documents) const;
  void read_features(class JsonScanner& scanner, std::vector<float>& values, std::size_t row) const;
  void read_named(class JsonScanner& scanner, std::span<float> row) const;
  float read_value(class JsonScanner& scanner, std::size_t feature) const;
  [[noreturn]] void fail_rows() const;

  std::span<const std::string> features_;
  std::unordered_map<std::string_view, std::size_t> places_;
  std::size_t most_rows_;
  // Of each feature the codes of its categories; empty where it has none.
  std::vector<std::unordered_map<std::string, float>> codes_;
};

// Sets the parameters that the body names. Throws Error{kUsage} for those that the request does
// not have, with the nearest, and for values that do not fit.
template <Parameters P>
void set_options(P& request, const RequestBody& body) {
  for (const ParamAssignment& option : body.options) {
    set_param(request, option.name, option.values);
  }
}

}  // namespace glassrank
