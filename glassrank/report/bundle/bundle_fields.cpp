#include "glassrank/report/bundle/bundle.h"

namespace glassrank {

void BundleUnknown::visit(ResultVisitor& visitor) const {
  visitor.field("document", document, "its number");
  visitor.field("text", text, "of the category");
}

void BundleFeature::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "its name");
  visitor.field("is_switch", is_switch, "0 and 1 are its only values");
  visitor.field("is_of_query", is_of_query, "the same in all documents of a query, in every query");
  visitor.field("low", low, "smallest value in the data and the training data");
  visitor.field("high", high, "largest value");
  visitor.field("num_missing", num_missing, "documents of the data without a value");
  visitor.field("num_distinct", num_distinct, "different values in the data, at most 1000");
  visitor.field("is_category", is_category, "values are codes of categories");
  visitor.field("categories", categories, "their names, by code; empty: they have none");
  visitor.list("unknown", unknown, "documents whose category the models do not know");
}

void BundleImportance::visit(ResultVisitor& visitor) const {
  visitor.field("drop", drop, "what the first metric loses when the feature is permuted");
  visitor.field("drop_low", drop_low, "lower end of its interval");
  visitor.field("drop_high", drop_high, "upper end");
  visitor.field("gain", gain, "sum of the gains of its splits");
  visitor.field("splits", splits, "splits on it");
  visitor.field("mean_amount", mean_amount, "mean over documents of its attribution's amount");
  visitor.field("mean_amount_within", mean_amount_within,
                "the same without what is common to a query");
  visitor.field("direction", direction,
                "rank correlation of value and attribution: 1, the more the better");
}

void BundleAxis::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its index");
  visitor.object("edges", edges,
                 "borders of cells, ascending; two more cells follow: above the last, missing");
}

void BundleEffect::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "of its features");
  visitor.list("axes", axes, "one or two");
  visitor.object("values", values,
                 "what each cell adds to the score; of two axes the second is fastest");
  visitor.object("errors", errors, "standard deviation over bags, by cell");
  visitor.object("weights", weights, "training rows, by cell");
  visitor.field("importance", importance, "mean amount over rows, or over cells without weights");
}

void BundleDependence::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its index");
  visitor.object("points", points, "values of the feature; NaN, last: missing");
  visitor.object("weights", weights, "rows by point");
  visitor.object("partial", partial, "mean score when every document has the value, less its mean");
  visitor.object("ale_points", ale_points, "values of the feature for ale");
  visitor.object("ale", ale, "accumulated local effects, less their mean");
}

void BundleTrees::visit(ResultVisitor& visitor) const {
  visitor.object("num_nodes", num_nodes, "inner nodes of each tree");
  visitor.object("features", features, "of nodes");
  visitor.object("thresholds", thresholds, "of nodes: left if value <= threshold");
  visitor.object("left", left, "child: node of the tree, or ~leaf");
  visitor.object("right", right, "child");
  visitor.object("flags", flags,
                 "1: missing goes left; 2: zero counts as missing; 4: asks for the set "
                 "of categories whose number is the threshold");
  visitor.object("set_starts", set_starts, "where the words of each set begin, and end");
  visitor.object("set_words", set_words, "32 codes each, a bit for every code of the set");
  visitor.object("leaves", leaves, "values of leaves");
}

void BundleLinear::visit(ResultVisitor& visitor) const {
  visitor.object("weights", weights, "one per feature");
  visitor.object("fills", fills, "values that stand in for missing ones");
}

void BundleAttributions::visit(ResultVisitor& visitor) const {
  visitor.field("explainer", explainer, "its name");
  visitor.field("doc", doc, "what it does");
  visitor.field("is_sampled", is_sampled, "another seed gives another answer");
  visitor.object("base_values", base_values, "score with no feature known, by document");
  visitor.object("steps", steps, "unit of the amounts, by document");
  visitor.object("amounts", amounts,
                 "attribution / step, documents x features, one feature after the other");
  visitor.object("error_steps", error_steps, "unit of the errors, by document");
  visitor.object("errors", errors,
                 "standard error / step, as the amounts; absent: nothing was sampled, or the "
                 "explainer does not know its errors");
}

void BundleSet::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its number");
  visitor.field("explainer", explainer, "its name");
  visitor.field("features", features, "indices of the features that explain the order, best first");
  visitor.object("audit", audit, "how far it can be trusted");
  visitor.field("summary", summary, "in words");
}

void BundleCounterfactual::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "number of the query");
  visitor.field("document", document, "number of the document");
  visitor.object("answer", answer, "as counterfactual prints it");
}

void BundleSeries::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "data and metric");
  visitor.field("values", values, "after each of the numbers of trees or rounds");
}

void BundleCurve::visit(ResultVisitor& visitor) const {
  visitor.field(
      "is_recorded", is_recorded,
      "rounds as the training recorded them; else the model cut off after its first trees");
  visitor.field("num_trees", num_trees, "first trees that rank, or rounds");
  visitor.list("series", series, "metrics");
}

void BundleEdit::visit(ResultVisitor& visitor) const {
  visitor.field("edit", edit, "the edit, as glassrank edit takes it");
  visitor.field("effect_on_metric", effect_on_metric, "metric before and after, as recorded");
}

void BundleModel::visit(ResultVisitor& visitor) const {
  visitor.field("name", name, "of the model");
  visitor.field("file", file, "it was read from");
  visitor.field("format", format, "of the file");
  visitor.field("kind", kind, "of model");
  visitor.field("size", size, "in words");
  visitor.field("objective", objective, "it was trained for");
  visitor.field("intercept", intercept, "score before any effect or tree");
  visitor.texts("provenance", provenance, "how it was made");
  visitor.field("seen", seen,
                "what the ranked data was to it: training data, validation data; or empty");
  visitor.list("edits", edits, "changes by hand, in order");
  visitor.list("importance", importance, "one entry per feature");
  visitor.list("effects", effects, "of an additive or linear model, the most important first");
  visitor.list("dependence", dependence, "of other models: the most important features");
  visitor.object("trees", trees, "of a forest that is not too large");
  visitor.object("linear", linear, "weights of a linear model");
  visitor.object("curve", curve, "quality by number of trees");
  visitor.object("scores", scores, "of documents");
  visitor.object("ranks", ranks, "of documents in their query, from 0");
  visitor.object("query_values", query_values, "first metric of each query");
  visitor.list("attributions", attributions, "by explainer");
  visitor.list("sets", sets, "what explains each ranking");
  visitor.list("counterfactuals", counterfactuals, "smallest changes that put a document first");
}

void BundleColumn::visit(ResultVisitor& visitor) const {
  visitor.object("levels", levels, "values there are, ascending; NaN, last: missing");
  visitor.object("codes", codes, "level of each document");
}

void BundleDocuments::visit(ResultVisitor& visitor) const {
  visitor.field("queries", queries, "names of queries");
  visitor.field("first", first, "first document of each query, then their number");
  visitor.field("names", names, "of documents");
  visitor.object("grades", grades, "of documents");
  visitor.list("values", values, "one entry per feature");
  visitor.field("is_rounded", is_rounded, "values are rounded to three digits");
  visitor.field("num_left_out", num_left_out, "documents of the data that are not here");
}

void BundleOddFeature::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its name");
  visitor.field("value", value, "of the document");
  visitor.field("typical", typical, "of documents with its grade");
  visitor.field("difference", difference, "of places among all documents, -1 to 1");
}

void BundleOutlier::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its name");
  visitor.field("document", document, "its name");
  visitor.field("grade", grade, "it has");
  visitor.field("looks_like", looks_like, "grade whose typical values are closest");
  visitor.field("share", share, "of the numbers of trees at which it is an outlier");
  visitor.field("changes", changes,
                "numbers of trees at which it becomes an outlier or stops being one, in turn");
  visitor.list("odd_features", odd_features, "in which it differs most from its grade");
}

void BundleHistory::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its name");
  visitor.field("document", document, "its name");
  visitor.field("grade", grade, "it has");
  visitor.field("changes", changes,
                "numbers of trees at which it becomes an outlier or stops being one, in turn");
}

void BundleTraceDocument::visit(ResultVisitor& visitor) const {
  visitor.field("document", document, "its name");
  visitor.field("grade", grade, "its grade");
  visitor.field("is_outlier", is_outlier, "found as an outlier");
  visitor.field("ranks", ranks, "after each number of trees, from 0");
}

void BundleTrace::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "its name");
  visitor.field("num_trees", num_trees, "numbers of trees");
  visitor.list("documents", documents, "of the query");
}

void BundleQueryGroup::visit(ResultVisitor& visitor) const {
  visitor.field("group", group, "of queries");
  visitor.field("num_queries", num_queries, "that count");
  visitor.values("means", means, "of the first metric, by model");
}

void BundleOutliers::visit(ResultVisitor& visitor) const {
  visitor.field("model", model, "whose trees were followed");
  visitor.field("data", data, "that was ranked");
  visitor.field("cutoff", cutoff, "ranks that count as the top");
  visitor.field("num_trees", num_trees, "of the model");
  visitor.field("window_start", window_start,
                "first number of trees of the window; it ends with the last");
  visitor.field("num_rows", num_rows, "documents looked at");
  visitor.field("num_negative", num_negative,
                "consistent outliers of the lowest grade, ranked at the top");
  visitor.field("num_positive", num_positive,
                "consistent outliers of higher grades, ranked below the top");
  visitor.field("trees", trees, "numbers of trees at which outliers are counted");
  visitor.field("negative", negative, "outliers of the lowest grade there");
  visitor.field("positive", positive, "outliers of higher grades there");
  visitor.field("num_ever", num_ever, "documents that are outliers after some tree");
  visitor.list("histories", histories, "some of these, the most often wrong first");
  visitor.list("documents", documents,
               "outliers over the window, those that look most like another grade first");
  visitor.list("traces", traces, "ranks of all documents of some queries");
  visitor.list("groups", groups, "quality on queries with and without outliers");
}

void BundleData::visit(ResultVisitor& visitor) const {
  visitor.field("file", file, "its name");
  visitor.object("stats", stats, "as data stats prints them");
}

void ReportBundle::visit(ResultVisitor& visitor) const {
  visitor.field("format", format, "of this bundle");
  visitor.field("title", title, "of the report");
  visitor.field("date", date, "of its making");
  visitor.field("version", version, "of the program");
  visitor.field("command", command, "that made it");
  visitor.field("is_live", is_live, "a server answers questions");
  visitor.field("metric", metric, "that queries and importances go by");
  visitor.field("warnings", warnings, "what a reader should know first");
  visitor.list("features", features, "of the models");
  visitor.object("data", data, "the ranked data");
  visitor.object("train", train, "the training data, if known");
  visitor.object("comparison", comparison, "of models and single features");
  visitor.field("notes", notes, "what each system of the comparison is");
  visitor.object("documents", documents, "that can be looked at one by one");
  visitor.list("models", models, "first the one that is explained");
  visitor.object("outliers", outliers, "documents that are probably judged wrongly");
  visitor.object("audit", audit, "explainers side by side");
  visitor.texts("measures", measures, "of the audit, in words");
  visitor.values("named", named,
                 "by explainer of the audit: features that it named, mean over rankings");
}

}  // namespace glassrank
