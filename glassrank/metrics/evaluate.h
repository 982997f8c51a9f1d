#pragma once
// Values of several metrics for every query, and their means.
//
// Each query is ranked once, as deep as the deepest metric needs; queries are spread over the
// Context's threads, each writes its own place, and sums are exact: the same bits for any number of
// threads. Every query counts alike. Several machines have queries of their own each; sums, means
// and counts are of all of them, values of this one's queries (then evaluate() is collective).

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/result.h"
#include "glassrank/data/dataset.h"
#include "glassrank/metrics/convention.h"
#include "glassrank/metrics/metric.h"
#include "glassrank/metrics/ranking.h"

namespace glassrank {

// Where ranked lists come from: a dataset with scores, a run with judgments, arrays.
class ListSource {
 public:
  virtual ~ListSource() = default;
  virtual std::size_t num_queries() const = 0;
  // `ids` is room for RankedList::document_ids, to be filled only if `with_ids`. Called
  // concurrently.
  virtual RankedList list(std::size_t query, bool with_ids,
                          std::vector<std::string_view>& ids) const = 0;
  virtual std::string query_name(std::size_t query) const = 0;
  virtual std::string document_name(std::size_t query, std::size_t slot) const = 0;
};

// The rows of a dataset ranked by one score each. The arrays must outlive it.
class DatasetLists final : public ListSource {
 public:
  // Throws Error{kInput} unless there is one score per row.
  DatasetLists(const Dataset& data, std::span<const double> scores)
      : DatasetLists(data.table(), scores) {}
  DatasetLists(const RowTable& table, std::span<const double> scores);

  std::size_t num_queries() const override { return table_.queries.num_queries(); }
  RankedList list(std::size_t query, bool with_ids,
                  std::vector<std::string_view>& ids) const override;
  std::string query_name(std::size_t query) const override;
  std::string document_name(std::size_t query, std::size_t slot) const override;

 private:
  const RowTable& table_;
  std::span<const double> scores_;
};

struct MetricValues {
  MetricSpec metric;
  std::vector<double> values;  // one per query; NaN: skipped
  double mean = 0;             // sum / num_counted; NaN when no query counts
  std::size_t num_counted = 0;
  std::size_t num_empty = 0;                  // without relevant documents, in this metric's sense
  double sum = 0;                             // over the queries that count
  std::optional<NamedValues> per_query = {};  // the values that count, by query, where asked for

  void visit(ResultVisitor& visitor) const;
};

struct Evaluation {
  Convention convention;
  std::vector<MetricValues> metrics;
  std::size_t num_queries = 0;
  std::size_t num_documents = 0;  // in the lists
  std::size_t num_tied = 0;       // queries in which some documents have equal scores
  double greatest_grade = 0;      // of all documents, listed or not

  void visit(ResultVisitor& visitor) const;
};

// Of several rankings of the same queries, by name.
struct NamedEvaluation {
  std::string name;
  Evaluation evaluation;

  void visit(ResultVisitor& visitor) const;
};
struct Evaluations {
  std::vector<NamedEvaluation> rankings;

  void visit(ResultVisitor& visitor) const;
};

// What a reader of the numbers should know: err and pfound that assume another greatest grade than
// the data have.
std::vector<std::string> notices_of(const Evaluation& evaluation);

// Throws Error{kInput} naming query and document when a score is NaN or a grade does not fit a
// metric, Error{kUsage} when ties need document ids and there are none.
Evaluation evaluate(const ListSource& lists, std::span<const MetricSpec> metrics,
                    const Convention& convention, const Context& context);

}  // namespace glassrank
