#pragma once
// How the columns of data meet the features that somebody wants: those of a model, or of training
// data. One place decides it for every command.
//
// By name where both sides have names: columns are put in order, columns that nobody wants are left
// out, a name that the data does not have is an error. Columns that are only numbered (LETOR text,
// LightGBM's Column_0, a model without names) are matched by place, if there are as many:
//   one counts from 0, the other from 1, and has one column less    ids of text by number, with a
//                                                                   notice; else an error
//   other counts                                                    an error, unless text is sparse
// A model of some of these numbers ("1", "3", "11") takes the columns of these ids.
// Where one side has names and the other has not, by place too, and with a warning: nothing
// shows whether the columns stand in the order of the training. A model that has only the names it
// uses cannot be matched so: an error.
// Sparse text ends at the highest feature that some row names: data may have more features than
// its file shows. Two things tell such a file from other data: its rows do not all begin and end
// with the same features, and one side has at least half as many features as the other.
// MatchColumns::kPosition takes columns by place, whatever names and counts say.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

enum class MatchColumns { kName, kPosition };
template <>
struct EnumNames<MatchColumns> {
  static std::span<const std::pair<std::string_view, MatchColumns>> table();
};

// What a model of LightGBM or XGBoost tells of its first column. They count the columns of LETOR
// text from 0 when they read it themselves; the ids begin with 1, so that column 0 is empty.
enum class FirstColumn {
  kKnown,   // the first feature, for sure
  kUnused,  // in no tree: may be id 0
  kEmpty,   // it had one value in training: is id 0 or a useless feature
};

struct WantedFeatures {
  std::span<const std::string> names;  // empty, or one per feature
  std::size_t num_features = 0;
  std::string who = "the model";  // for messages
  bool knows_all = true;   // false: its file has only the features it uses, data may have more
  bool is_sparse = false;  // of data: FeaturePadding::is_sparse
  FirstColumn first = FirstColumn::kKnown;
  // Empty, or what the codes of each feature that is a category stand for: codes of other data are
  // translated. is_category: empty, or 1 for those.
  CategoryNames categories = {};
  std::vector<std::uint8_t> is_category = {};
};

struct ColumnMatch {
  static constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> columns;  // of every wanted feature
  std::string notice;                  // what the user should know; empty: nothing
  bool is_certain = true;              // else the notice is a warning

  // Feature f is column f of the data, which may have more.
  bool is_in_place() const;
};

struct MatchRules {
  std::string file;  // the data, for messages
  MatchColumns match = MatchColumns::kName;
  bool is_first_given = false;  // the user said which id is the first column
};

// Throws Error{kInput} where columns cannot be matched, with the way out. O(features).
ColumnMatch match_columns(const WantedFeatures& wanted, const Schema& data,
                          const MatchRules& rules);

// Tells the notice, if there is one.
void tell(const ColumnMatch& match, const Context& context);

// Whether the columns stand where they are wanted, and their categories have the codes wanted.
bool is_as_wanted(const Schema& data, const WantedFeatures& wanted, const ColumnMatch& match);

enum class OtherColumns { kDrop, kKeepBehind };
// The wanted features in their order; absent ones have the value that absent has in the data (0 if
// that is not known). Names are the wanted ones where there are any. The data as they are if that
// is what they are; else the cost is a copy of the matrix.
Dataset take_columns(const Dataset& data, const WantedFeatures& wanted, const ColumnMatch& match,
                     OtherColumns others, const Context& context);

// What other data wants: data to validate or test on must look like the training data, `who`.
WantedFeatures features_of(const Schema& data, std::string who);
// The two together, with the notice: exactly the features of the training data.
Dataset fit_to(const WantedFeatures& wanted, const Dataset& data, const MatchRules& rules,
               const Context& context);

}  // namespace glassrank
