#include "glassrank/methods/training/pipeline.h"

#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/bagged_method.h"
#include "glassrank/methods/training/cleaned_method.h"

namespace glassrank {

std::unique_ptr<Method> make_pipeline(std::string_view method) {
  std::unique_ptr<Method> made = make_method(method);
  if (made->traits().can_be_bagged) made = make_bagged(std::move(made));
  return make_cleaned(std::move(made));
}

}  // namespace glassrank
