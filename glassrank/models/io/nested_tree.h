#pragma once
// Trees as other programs dump them in JSON: an inner node holds its two children, and so on down.
//
// Each format says what one of its nodes is; the way down, numbering (nodes in preorder, leaves
// from left to right) and the way back to text are here once. Without recursion: a tree may be as
// deep as it has leaves.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/function_ref.h"
#include "glassrank/base/json.h"
#include "glassrank/models/forest/forest.h"

namespace glassrank {

// Levels of JSON that a dumped tree may have.
inline constexpr std::size_t kMostNestedLevels = 4096;

struct NestedNode {
  const Json* left = nullptr;  // null: a leaf
  const Json* right = nullptr;
  TreeNode node;     // of an inner node
  double value = 0;  // of a leaf
  // What training knew; kept if it is known of every node, or leaf, of the tree.
  std::optional<double> gain;
  std::optional<double> mean;
  std::optional<double> weight;
  std::optional<double> count;
};

Tree read_nested_tree(const Json& root, FunctionRef<NestedNode(const Json&)> look);

// The texts around the children of a node: before the left one, between them, behind the right one.
struct NestedText {
  std::string before;
  std::string between;
  std::string behind;
};
struct NestedPlace {
  std::size_t index = 0;  // of the inner node or the leaf
  std::size_t depth = 0;
};
void write_nested_tree(std::string& out, const Tree& tree,
                       FunctionRef<NestedText(NestedPlace)> inner,
                       FunctionRef<std::string(NestedPlace)> leaf);

// Features that a format knows by name only, numbered as they come.
class NamedFeatures {
 public:
  std::uint32_t index_of(const std::string& name);
  // Gives the features of the trees their final numbers. Names "f0", "f1", ... (XGBoost's, of data
  // without names) are numbers of columns and no names.
  void settle(ForestParts& parts);

 private:
  std::map<std::string, std::uint32_t, std::less<>> indices_;
  std::vector<std::string> names_;
};

// A number of JSON or a text that is one. Throws Error{kInput}.
double number_member(const Json& object, std::string_view key);
std::optional<double> optional_number(const Json& object, std::string_view key);
std::string text_value(const Json& object, std::string_view key);
// The same as float32; beyond its range it is infinite.
float float_member(const Json& object, std::string_view key);

}  // namespace glassrank
