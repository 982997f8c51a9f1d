#include "glassrank/methods/sample_params.h"

#include <array>

#include "glassrank/base/error.h"

namespace glassrank {

std::span<const std::pair<std::string_view, SampleMethod>> EnumNames<SampleMethod>::table() {
  static constexpr std::array<std::pair<std::string_view, SampleMethod>, 4> kNames = {
      {{"none", SampleMethod::kNone},
       {"rows", SampleMethod::kRows},
       {"queries", SampleMethod::kQueries},
       {"goss", SampleMethod::kGoss}}};
  return kNames;
}

void SampleParams::visit(ParamVisitor& visitor) {
  visitor.field("method", method,
                "what a tree sees: every row, a share of the rows or of the queries, or GOSS: rows "
                "with large gradients and a share of the others",
                {.alias = "sample"});
  visitor.field("fraction", fraction, "share drawn by rows and queries",
                Range{.low = 0, .high = 1, .open_low = true});
  visitor.field("every", every, "rows and queries are drawn anew every so many rounds",
                Range{.low = 1});
  visitor.field("top", top, "goss: share of the rows with the largest gradients, all kept", kShare);
  visitor.field("other", other, "goss: share of all rows drawn from the rest", kShare);
}

std::unique_ptr<Sampler> make_sampler(const SampleParams& params) {
  switch (params.method) {
    case SampleMethod::kRows:
      return std::make_unique<RowBagging>(
          BaggingParams{.fraction = params.fraction, .every = params.every});
    case SampleMethod::kQueries:
      return std::make_unique<QueryBagging>(
          BaggingParams{.fraction = params.fraction, .every = params.every});
    case SampleMethod::kGoss:
      if (params.top + params.other > 1 || params.top + params.other == 0) {
        fail(ErrorKind::kUsage,
             "sample.top {} and sample.other {} add up to {}; goss needs more than 0 and at most 1",
             params.top, params.other, params.top + params.other);
      }
      return std::make_unique<Goss>(GossParams{.top = params.top, .other = params.other});
    case SampleMethod::kNone:
      break;
  }
  return nullptr;
}

}  // namespace glassrank
