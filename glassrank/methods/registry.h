#pragma once
// Every method by name.

#include <memory>
#include <span>
#include <string_view>

#include "glassrank/methods/ebm/ebm.h"
#include "glassrank/methods/ilmart/ilmart.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/method.h"
#include "glassrank/methods/rankgam/rankgam.h"

namespace glassrank {

struct MethodInfo {
  std::string_view name;
  std::string_view doc;
  std::unique_ptr<Method> (*make)();
};

// In the order in which they are listed.
std::span<const MethodInfo> method_table();

// With its defaults. Throws Error{kUsage} for an unknown name, with the nearest one.
std::unique_ptr<Method> make_method(std::string_view name);

// With given parameters, each in its method's folder.
std::unique_ptr<Method> make_lambdamart(LambdamartParams params);
std::unique_ptr<Method> make_ilmart(IlmartParams params);
std::unique_ptr<Method> make_ebm(EbmParams params);
std::unique_ptr<Method> make_rankgam(RankgamParams params);

}  // namespace glassrank
