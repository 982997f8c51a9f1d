#pragma once
// Every method by name.
//
// Besides its own folder nothing names a method but this table: the command line, help, reference
// pages and the classes of the Python package are made from it. Programs that know which method
// they want (studies, the demo, tests) make it with parameters of its own by the functions below.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "glassrank/base/function_ref.h"
#include "glassrank/methods/coordinate_ascent/coordinate_ascent.h"
#include "glassrank/methods/ebm/ebm.h"
#include "glassrank/methods/ilmart/ilmart.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/linear/linear_method.h"
#include "glassrank/methods/method.h"
#include "glassrank/methods/random_forest/random_forest.h"
#include "glassrank/methods/rankboost/rankboost_training.h"
#include "glassrank/methods/rankgam/rankgam.h"
#include "glassrank/methods/ranknet/ranknet.h"
#include "glassrank/methods/tree/tree.h"

namespace glassrank {

struct MethodInfo {
  std::string_view name;
  std::string_view doc;
  std::unique_ptr<Method> (*make)();
};

// In the order in which they are listed.
std::span<const MethodInfo> method_table();

// Names of those whose traits satisfy `has`, for messages: "lambdamart, mart, ilmart".
std::string methods_with(FunctionRef<bool(const MethodTraits&)> has);

// With its defaults. Throws Error{kUsage} for an unknown name, with the nearest one.
std::unique_ptr<Method> make_method(std::string_view name);

// With given parameters, each in its method's folder.
std::unique_ptr<Method> make_lambdamart(LambdamartParams params);
std::unique_ptr<Method> make_ilmart(IlmartParams params);
std::unique_ptr<Method> make_ebm(EbmParams params);
std::unique_ptr<Method> make_rankgam(RankgamParams params);
std::unique_ptr<Method> make_rankboost(RankboostParams params);
std::unique_ptr<Method> make_linear(LinearParams params);
std::unique_ptr<Method> make_coordinate_ascent(CoordinateAscentParams params);
std::unique_ptr<Method> make_ranknet(RanknetParams params);
std::unique_ptr<Method> make_mart(LambdamartParams params);
std::unique_ptr<Method> make_random_forest(RandomForestParams params);
std::unique_ptr<Method> make_tree(TreeParams params);

}  // namespace glassrank
