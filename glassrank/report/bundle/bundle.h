#pragma once
// Everything the report's page shows, as one result: JSON that a page, a notebook or another
// program reads. docs/reference/results.md lists the keys.
//
// Large arrays are packed (packed_array.h). Documents are those of the queries that the bundle
// holds, query after query; a document's number is its place in that list, a query's number its
// place among those queries. Arrays of documents x features hold one feature after the other.
// Metrics, importances and audits are over all data, whatever the bundle holds.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/result.h"
#include "glassrank/data/stats_report.h"
#include "glassrank/explain/audit/audit_result.h"
#include "glassrank/explain/counterfactual/counterfactual.h"
#include "glassrank/metrics/compare.h"
#include "glassrank/report/bundle/packed_array.h"

namespace glassrank {

// A text that the models know no category for.
struct BundleUnknown {
  std::uint32_t document = 0;
  std::string text;

  void visit(ResultVisitor& visitor) const;
};

// One feature, over the data and, where there is some, the training data.
struct BundleFeature {
  std::string name;
  bool is_switch = false;    // 0 and 1 are its only values
  bool is_of_query = false;  // one value in all documents of every query
  float low = 0;             // of all values seen
  float high = 0;
  std::size_t num_missing = 0;  // in the data
  std::size_t num_distinct = 0;
  bool is_category = false;
  std::vector<std::string> categories = {};  // by code; empty: values are the codes
  std::vector<BundleUnknown> unknown = {};   // documents whose category the models do not know

  void visit(ResultVisitor& visitor) const;
};

// What a model makes of one feature.
struct BundleImportance {
  std::optional<double> drop;  // of the first metric when the feature is permuted
  std::optional<double> drop_low;
  std::optional<double> drop_high;
  std::optional<double> gain;
  std::optional<std::uint64_t> splits;
  std::optional<double> mean_amount;  // attribution_summary.h
  std::optional<double> mean_amount_within;
  std::optional<double> direction;

  void visit(ResultVisitor& visitor) const;
};

// A curve or surface of an additive model; cells as in models/gam/gam.h.
struct BundleAxis {
  std::uint32_t feature = 0;
  PackedArray edges;

  void visit(ResultVisitor& visitor) const;
};
struct BundleEffect {
  std::string name;
  std::vector<BundleAxis> axes;
  PackedArray values;
  std::optional<PackedArray> errors;
  std::optional<PackedArray> weights;
  double importance = 0;  // mean |effect| over rows, or over cells where weights are not known

  void visit(ResultVisitor& visitor) const;
};

// Partial dependence and accumulated local effects of one feature, both around their mean.
struct BundleDependence {
  std::uint32_t feature = 0;
  PackedArray points;   // values; NaN, last: missing
  PackedArray weights;  // rows by point
  PackedArray partial;
  std::optional<PackedArray> ale_points;
  std::optional<PackedArray> ale;

  void visit(ResultVisitor& visitor) const;
};

// The trees of a forest, for "what if" in the page; nodes and leaves of all trees, one after the
// other. A child c >= 0 is node c of its tree, c < 0 is leaf ~c.
struct BundleTrees {
  PackedArray num_nodes;  // of each tree
  PackedArray features;
  PackedArray thresholds;
  PackedArray left;
  PackedArray right;
  // 1: missing goes left; 2: zero counts as missing; 4: asks for categories, and the threshold is
  // the number of the set: words set_starts[i] to set_starts[i + 1] of set_words, a bit per code
  PackedArray flags;
  PackedArray set_starts;
  PackedArray set_words;
  PackedArray leaves;

  void visit(ResultVisitor& visitor) const;
};

struct BundleLinear {
  PackedArray weights;
  PackedArray fills;  // values that stand in for missing ones

  void visit(ResultVisitor& visitor) const;
};

// The attributions of all documents by one explainer: amount * step of the document.
struct BundleAttributions {
  std::string explainer;
  std::string doc;
  bool is_sampled = false;
  PackedArray base_values;  // of each document
  PackedArray steps;        // of each document
  PackedArray amounts;      // documents x features
  // Standard errors where the explainer samples and knows them: error * step of the document.
  std::optional<PackedArray> error_steps;  // of each document
  std::optional<PackedArray> errors;       // documents x features

  void visit(ResultVisitor& visitor) const;
};

// What explains the ranking of a query.
struct BundleSet {
  std::size_t query = 0;
  std::string explainer;
  std::vector<std::uint32_t> features;  // best first
  ExplanationAudit audit;
  std::string summary;

  void visit(ResultVisitor& visitor) const;
};

struct BundleCounterfactual {
  std::size_t query = 0;
  std::size_t document = 0;
  Counterfactual answer;

  void visit(ResultVisitor& visitor) const;
};

// Quality after the first trees, or after the rounds of a training.
struct BundleSeries {
  std::string name;  // "data ndcg@10"
  std::vector<double> values;

  void visit(ResultVisitor& visitor) const;
};
struct BundleCurve {
  bool is_recorded = false;            // by the training; else the model was cut off
  std::vector<std::size_t> num_trees;  // or rounds of the training
  std::vector<BundleSeries> series;

  void visit(ResultVisitor& visitor) const;
};

struct BundleEdit {
  std::string edit;
  std::string effect_on_metric;  // as the provenance says; empty: not measured

  void visit(ResultVisitor& visitor) const;
};

struct BundleModel {
  std::string name;
  std::string file;
  std::string format;
  std::string kind;
  std::string size;  // "100 trees of at most 16 leaves"
  std::string objective;
  double intercept = 0;  // of additive and linear models; a forest's base score
  NamedTexts provenance;
  std::string seen;  // what the ranked data was to it: "training data", "validation data"; or empty
  std::vector<BundleEdit> edits;
  std::vector<BundleImportance> importance;  // one per feature
  std::vector<BundleEffect> effects;         // of additive and linear models, most important first
  std::vector<BundleDependence> dependence;  // of others
  std::optional<BundleTrees> trees;
  std::optional<BundleLinear> linear;
  std::optional<BundleCurve> curve;
  PackedArray scores;        // of documents
  PackedArray ranks;         // of documents, from 0
  PackedArray query_values;  // first metric of each query; NaN: has none
  std::vector<BundleAttributions> attributions;
  std::vector<BundleSet> sets;
  std::vector<BundleCounterfactual> counterfactuals;

  void visit(ResultVisitor& visitor) const;
};

struct BundleColumn {
  PackedArray levels;  // the values there are, ascending; NaN, last: missing
  PackedArray codes;   // of each document: place of its value in the levels

  void visit(ResultVisitor& visitor) const;
};

struct BundleDocuments {
  std::vector<std::string> queries;
  std::vector<std::uint32_t> first;  // document of each query, then the number of documents
  std::vector<std::string> names;
  PackedArray grades;
  std::vector<BundleColumn> values;  // one per feature
  bool is_rounded = false;           // values have three digits
  std::size_t num_left_out = 0;      // documents of the data that the bundle does not hold

  void visit(ResultVisitor& visitor) const;
};

// Documents that the trees rank far from their grade, tree after tree (studies/outlier_trace.h).
struct BundleOddFeature {
  std::string feature;
  double value = 0;
  double typical = 0;     // of documents of this grade
  double difference = 0;  // of places among all documents, -1 to 1

  void visit(ResultVisitor& visitor) const;
};
struct BundleOutlier {
  std::string query;
  std::string document;
  double grade = 0;
  double looks_like = 0;               // the grade whose typical values are closest
  double share = 0;                    // of the trees after which it is an outlier
  std::vector<std::uint32_t> changes;  // trees after which it becomes or stops being one, in turn
  std::vector<BundleOddFeature> odd_features;

  void visit(ResultVisitor& visitor) const;
};
// One of many documents that are ever outliers.
struct BundleHistory {
  std::string query;
  std::string document;
  double grade = 0;
  std::vector<std::uint32_t> changes;

  void visit(ResultVisitor& visitor) const;
};
struct BundleTraceDocument {
  std::string document;
  double grade = 0;
  bool is_outlier = false;
  std::vector<std::uint32_t> ranks;  // after each of the traced trees, from 0

  void visit(ResultVisitor& visitor) const;
};
struct BundleTrace {
  std::string query;
  std::vector<std::uint32_t> num_trees;
  std::vector<BundleTraceDocument> documents;

  void visit(ResultVisitor& visitor) const;
};
struct BundleQueryGroup {
  std::string group;
  std::size_t num_queries = 0;
  NamedValues means;  // by model

  void visit(ResultVisitor& visitor) const;
};
struct BundleOutliers {
  std::string model;
  std::string data;  // "training data" or "data"
  std::size_t cutoff = 0;
  std::size_t num_trees = 0;
  std::size_t window_start = 0;
  std::size_t num_rows = 0;
  std::size_t num_negative = 0;  // consistent ones, of the lowest grade
  std::size_t num_positive = 0;
  std::vector<std::uint32_t> trees;  // at which the counts below are taken
  std::vector<std::uint32_t> negative;
  std::vector<std::uint32_t> positive;
  std::size_t num_ever = 0;              // documents that are outliers after some tree
  std::vector<BundleHistory> histories;  // some of these, most often wrong first, evenly
  std::vector<BundleOutlier> documents;  // most suspicious first
  std::vector<BundleTrace> traces;
  std::vector<BundleQueryGroup> groups;

  void visit(ResultVisitor& visitor) const;
};

struct BundleData {
  std::string file;
  StatsReport stats;

  void visit(ResultVisitor& visitor) const;
};

struct ReportBundle {
  int format = 1;  // of the bundle
  std::string title;
  std::string date;
  std::string version;  // of the program
  std::string command;
  bool is_live = false;  // a server answers questions
  std::string metric;    // the first one
  std::vector<std::string> warnings;
  std::vector<BundleFeature> features;
  std::optional<BundleData> data;
  std::optional<BundleData> train;
  Comparison comparison;
  std::vector<std::string> notes;  // what each system of the comparison is
  BundleDocuments documents;
  std::vector<BundleModel> models;
  std::optional<BundleOutliers> outliers;
  std::optional<AuditResult> audit;
  NamedTexts measures;  // of the audit, in words
  NamedValues named;    // by explainer: features that it named, mean over the audited rankings

  void visit(ResultVisitor& visitor) const;
};

}  // namespace glassrank
