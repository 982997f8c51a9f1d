#include "glassrank/data/data_results.h"

namespace glassrank {

void CacheResult::visit(ResultVisitor& visitor) const {
  visitor.field("out", out, "the cache");
  visitor.field("kind", kind, "values, or bins for tree learners");
  visitor.field("num_rows", num_rows, "its rows");
  visitor.field("num_queries", num_queries, "its queries");
  visitor.field("num_features", num_features, "its features");
  visitor.field("num_bytes", num_bytes, "size of the file");
}

void SplitPart::visit(ResultVisitor& visitor) const {
  visitor.field("out", out, "file of the part");
  visitor.field("num_queries", num_queries, "its queries");
  visitor.field("num_rows", num_rows, "its rows");
}

void SplitResult::visit(ResultVisitor& visitor) const {
  visitor.list("parts", parts, "the files written, fold by fold");
}

void NoiseResult::visit(ResultVisitor& visitor) const {
  visitor.field("out", out, "the data with flipped grades");
  visitor.field("num_rows", num_rows, "its rows");
  visitor.field("num_flipped", num_flipped, "grades flipped");
}

void SyntheticResult::visit(ResultVisitor& visitor) const {
  visitor.field("out", out, "the data");
  visitor.field("num_rows", num_rows, "its rows");
  visitor.field("num_queries", num_queries, "its queries");
  visitor.field("num_features", num_features, "its features");
  visitor.field("num_main_effects", num_main_effects, "features with a true effect of their own");
  visitor.field("num_interactions", num_interactions, "true pair interactions");
  visitor.field("num_flipped", num_flipped, "grades flipped as noise");
}

void BookshopResult::visit(ResultVisitor& visitor) const {
  visitor.field("out", out, "folder of the data");
  visitor.list("parts", parts, "train, valid and test");
  visitor.field("num_features", num_features, "features of the data");
  visitor.field("num_mistakes", num_mistakes, "books judged wrongly on purpose");
  visitor.field("truth", truth, "JSON file of the truth behind the data");
}

}  // namespace glassrank
