#pragma once
// What every kind of model says of itself, so that whatever works for all kinds names none of them.
//
// A kind K is an immutable class in a folder of its own. Its class has
//   kKind, kParts, kNative, kHasSteps    "neural network", "layers", its name in native files, and
//                                        whether scores change in steps only (trees, tables)
//   num_features(), feature_names(), objective(), num_parts(), used_features(), score(row), parts()
// and its header declares, defined in files of its own,
//   Verification verify(const K&);                  what it can depend on (gam/verify_gam.h)
//   K mean_of(std::span<const K> bags);             its mean over bags (mean_model.h)
//   void write_native_body(std::string&, const K&);
//   void read_native_body(NativeReader&, K&);       its native text (io/native.h)
//   std::unique_ptr<KindReport> report_of(const K&, const ReportRequest&, const Context&);
//                                                   what inspect says (kind_report.h)
// They are found by the type of their argument. A kind that lacks one does not compile.

#include <memory>
#include <span>
#include <string>

namespace glassrank {

struct Context;
struct ReportRequest;
struct Verification;
class KindReport;
class NativeReader;

// For means of models that replace missing values. Throws Error{kUsage} when they do so in
// different ways.
void check_same_fills(std::span<const float> first, std::span<const float> next);

}  // namespace glassrank
