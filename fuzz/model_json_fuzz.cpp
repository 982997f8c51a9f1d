// Models and dumps in JSON: the first byte chooses the reader. Whatever the bytes, telling them
// apart must end.

#include "fuzz/model_fuzz.h"
#include "glassrank/models/io/catboost_json.h"
#include "glassrank/models/io/foreign_models.h"
#include "glassrank/models/io/lightgbm_dump.h"
#include "glassrank/models/io/solr_json.h"
#include "glassrank/models/io/xgboost_dump.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace glassrank;
  if (size == 0) return 0;
  const std::string_view bytes = as_text(data + 1, size - 1);
  json_kind(bytes);
  outer_json_keys(bytes, 5);
  try {
    refuse_foreign_model(bytes);
  } catch (const Error&) {
  }
  switch (data[0] % 4) {
    case 0:
      fuzz_model_reader(bytes, read_xgboost_dump, write_xgboost_dump);
      break;
    case 1:
      fuzz_model_reader(bytes, read_lightgbm_dump, write_lightgbm_dump);
      break;
    case 2:
      fuzz_model_reader(bytes, read_solr_json,
                        [](const Model& model) { return write_solr_json(model, {}); });
      break;
    default:
      fuzz_model_reader(bytes, read_catboost_json, write_xgboost_dump);
  }
  return 0;
}
