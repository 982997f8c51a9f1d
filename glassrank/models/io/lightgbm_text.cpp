#include "glassrank/models/io/lightgbm_text.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/category_json.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/lacks.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {
namespace {

using Fields = std::map<std::string_view, std::string_view>;

constexpr int kCategoricalBit = 1;
enum MissingType { kNone = 0, kZero = 1, kNan = 2 };

std::string_view field(const Fields& fields, std::string_view key) {
  const auto found = fields.find(key);
  if (found == fields.end()) fail(ErrorKind::kInput, "'{}=' is missing", key);
  return found->second;
}

template <typename T>
T number_field(const Fields& fields, std::string_view key) {
  const std::string_view text = trim_blanks(field(fields, key));
  T value{};
  if (!parse_number(text, value)) fail(ErrorKind::kInput, "{}: '{}' is not a number", key, text);
  return value;
}

// The numbers of one field; there must be `size` of them.
template <typename T>
std::vector<T> array_field(const Fields& fields, std::string_view key, std::size_t size) {
  const std::vector<std::string_view> words = split_words(field(fields, key));
  if (words.size() != size) {
    fail(ErrorKind::kInput, "{} has {} values, not {}", key, words.size(), size);
  }
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (!parse_number(words[i], values[i])) {
      fail(ErrorKind::kInput, "{}: '{}' is not a number", key, words[i]);
    }
  }
  return values;
}

// The same for what training knew: empty when it is not written.
template <typename T>
std::vector<T> statistic_field(const Fields& fields, std::string_view key, std::size_t size) {
  const auto found = fields.find(key);
  if (found == fields.end() || trim_blanks(found->second).empty()) return {};
  return array_field<T>(fields, key, size);
}

void add_field(Fields& fields, std::string_view line) {
  const std::size_t equals = line.find('=');
  const bool has_value = equals != std::string_view::npos;
  fields[line.substr(0, equals)] = has_value ? line.substr(equals + 1) : std::string_view();
}

Fields read_header(LineReader& lines) {
  if (trim_blanks(lines.next()) != "tree") {
    fail(ErrorKind::kInput, "not a LightGBM model: its first line must be 'tree'");
  }
  Fields header;
  while (!lines.at_end() && !lines.peek().starts_with("Tree=") && lines.peek() != "end of trees") {
    add_field(header, lines.next());
  }
  const std::string_view version = field(header, "version");
  if (version != "v2" && version != "v3" && version != "v4") {
    fail(ErrorKind::kInput, "LightGBM model version '{}' is not supported; v2 to v4 are", version);
  }
  for (const std::string_view key : {"num_class", "num_tree_per_iteration"}) {
    if (trim_blanks(field(header, key)) != "1") {
      fail(ErrorKind::kInput, "{}={}: only models with one score per row are supported", key,
           field(header, key));
    }
  }
  return header;
}

// The sets of a tree's splits on categories: set i is the words cat_boundaries[i] ..
// cat_boundaries[i + 1] of cat_threshold, a bit per category.
std::vector<CategorySet> read_sets(const Fields& fields) {
  const auto num_sets = number_field<std::uint64_t>(fields, "num_cat");
  if (num_sets == 0) return {};
  const std::size_t num_words = split_words(field(fields, "cat_threshold")).size();
  const auto words = array_field<std::uint32_t>(fields, "cat_threshold", num_words);
  if (num_sets > num_words) {
    fail(ErrorKind::kInput, "num_cat is {}, cat_threshold has {} words", num_sets, num_words);
  }
  const auto ends = array_field<std::uint64_t>(fields, "cat_boundaries", num_sets + 1);
  if (ends.front() != 0 || ends.back() != num_words || !std::ranges::is_sorted(ends)) {
    fail(ErrorKind::kInput, "cat_boundaries do not fit the {} words of cat_threshold", num_words);
  }
  std::vector<CategorySet> sets;
  for (std::size_t s = 0; s < num_sets; ++s) {
    std::vector<std::uint32_t> codes;
    for (std::size_t bit = 0; bit < 32 * (ends[s + 1] - ends[s]); ++bit) {
      if ((words[ends[s] + bit / 32] >> (bit % 32) & 1) != 0) {
        codes.push_back(static_cast<std::uint32_t>(bit));
      }
    }
    sets.emplace_back(codes);
  }
  return sets;
}

// What is in the set goes left, everything else right: NaN, too.
TreeNode make_set_node(std::uint32_t feature, double set, const std::vector<CategorySet>& sets) {
  if (!(set >= 0) || !(set < static_cast<double>(sets.size()))) {
    fail(ErrorKind::kInput, "the set of categories {} is none of the {} there are", set,
         sets.size());
  }
  return {.feature = feature, .categories = sets[static_cast<std::size_t>(set)]};
}

TreeNode make_node(std::uint32_t feature, double threshold, int decision_type) {
  if (std::isnan(threshold)) fail(ErrorKind::kInput, "a threshold is NaN");
  TreeNode node{.feature = feature, .threshold = float_at_most(threshold)};
  node.missing_left = (decision_type & kLightgbmDefaultLeft) != 0;
  const int missing_type = decision_type >> 2;
  if (missing_type < kNone || missing_type > kNan) {
    fail(ErrorKind::kInput, "decision_type {} is unknown", decision_type);
  }
  if (missing_type == kNone) node.missing_left = 0.0F <= node.threshold;
  node.zero_is_missing = missing_type == kZero;
  return node;
}

Tree make_tree(const Fields& fields) {
  const auto num_leaves = number_field<std::uint64_t>(fields, "num_leaves");
  if (num_leaves == 0) fail(ErrorKind::kInput, "a tree has at least one leaf");
  const std::vector<CategorySet> sets = read_sets(fields);
  if (fields.contains("is_linear") && trim_blanks(field(fields, "is_linear")) != "0") {
    fail(ErrorKind::kInput, "linear trees are not supported");
  }
  const std::size_t num_nodes = num_leaves - 1;
  Tree tree;
  tree.leaf_values = array_field<double>(fields, "leaf_value", num_leaves);
  tree.statistics = {
      .node_gain = statistic_field<double>(fields, "split_gain", num_nodes),
      .node_value = statistic_field<double>(fields, "internal_value", num_nodes),
      .node_weight = statistic_field<double>(fields, "internal_weight", num_nodes),
      .node_count = statistic_field<std::uint64_t>(fields, "internal_count", num_nodes),
      .leaf_weight = statistic_field<double>(fields, "leaf_weight", num_leaves),
      .leaf_count = statistic_field<std::uint64_t>(fields, "leaf_count", num_leaves)};
  if (num_nodes == 0) return tree;
  const auto features = array_field<std::uint32_t>(fields, "split_feature", num_nodes);
  const auto thresholds = array_field<double>(fields, "threshold", num_nodes);
  const auto decisions = array_field<std::int32_t>(fields, "decision_type", num_nodes);
  const auto left = array_field<std::int32_t>(fields, "left_child", num_nodes);
  const auto right = array_field<std::int32_t>(fields, "right_child", num_nodes);
  for (std::size_t n = 0; n < num_nodes; ++n) {
    TreeNode node = (decisions[n] & kCategoricalBit) != 0
                        ? make_set_node(features[n], thresholds[n], sets)
                        : make_node(features[n], thresholds[n], decisions[n]);
    node.left = left[n];
    node.right = right[n];
    tree.nodes.push_back(node);
  }
  return tree;
}

std::vector<Tree> read_trees(LineReader& lines) {
  std::vector<Tree> trees;
  while (lines.peek() != "end of trees") {
    if (lines.at_end()) {
      fail(ErrorKind::kInput, "the model is cut off: 'end of trees' is missing");
    }
    const std::string_view first = lines.next();
    if (first.empty()) continue;
    if (first != fmt::format("Tree={}", trees.size())) {
      fail(ErrorKind::kInput, "line {}: 'Tree={}' is expected here", lines.line_number(),
           trees.size());
    }
    Fields fields;
    while (!lines.at_end() && !lines.peek().empty() && !lines.peek().starts_with("Tree=") &&
           lines.peek() != "end of trees") {
      add_field(fields, lines.next());
    }
    try {
      trees.push_back(make_tree(fields));
    } catch (Error& error) {
      error.add_context(fmt::format("tree {}", trees.size()));
      throw;
    }
  }
  lines.next();
  return trees;
}

// "[name: value]" lines between "parameters:" and "end of parameters".
void read_parameters(LineReader& lines, Provenance& provenance) {
  while (!lines.at_end() && lines.peek() != "parameters:") lines.next();
  if (lines.at_end()) return;
  lines.next();
  while (lines.peek() != "end of parameters") {
    if (lines.at_end()) {
      fail(ErrorKind::kInput, "the model is cut off: 'end of parameters' is missing");
    }
    const std::string_view line = lines.next();
    const std::size_t colon = line.find(": ");
    if (!line.starts_with('[') || !line.ends_with(']') || colon == std::string_view::npos) continue;
    provenance.emplace_back(fmt::format("lightgbm.{}", line.substr(1, colon - 1)),
                            line.substr(colon + 2, line.size() - colon - 3));
  }
}

void divide_leaf_values(std::vector<Tree>& trees) {
  for (Tree& tree : trees) {
    for (double& value : tree.leaf_values) value /= static_cast<double>(trees.size());
  }
}

std::string_view known_value(const Provenance& lines, std::string_view key) {
  const auto found = std::ranges::find(lines, key, &Provenance::value_type::first);
  return found == lines.end() ? std::string_view() : found->second;
}

// The features of categories: those that training was told, else those that the file treats so (a
// numeric feature's info is its range "[0:1]", that of one with a single value "none").
std::vector<std::size_t> category_columns(const ForestParts& parts, const Provenance& provenance) {
  std::vector<bool> found(parts.num_features);
  std::string told(known_value(provenance, "lightgbm.categorical_feature"));
  std::ranges::replace(told, ',', ' ');
  for (const std::string_view word : split_words(told)) {
    std::uint64_t feature = 0;
    if (parse_number(word, feature) && feature < found.size()) found[feature] = true;
  }
  if (std::ranges::find(found, true) == found.end()) {
    const auto infos = split_words(known_value(provenance, "lightgbm.feature_infos"));
    for (std::size_t f = 0; f < infos.size() && f < found.size(); ++f) {
      found[f] = infos[f] != "none" && !infos[f].starts_with('[');
    }
    for (const Tree& tree : parts.trees) {
      for (const TreeNode& node : tree.nodes) {
        if (node.asks_category() && node.feature < found.size()) found[node.feature] = true;
      }
    }
  }
  std::vector<std::size_t> columns;
  for (std::size_t f = 0; f < found.size(); ++f) {
    if (found[f]) columns.push_back(f);
  }
  return columns;
}

// The names behind the codes, from the line that LightGBM's Python package adds.
void read_category_names(LineReader& lines, ForestParts& parts, Provenance& provenance) {
  constexpr std::string_view kKey = "pandas_categorical:";
  while (!lines.at_end() && !lines.peek().starts_with(kKey)) lines.next();
  if (lines.at_end()) return;
  const Json lists = parse_json_text(lines.next().substr(kKey.size()));
  if (!lists.is_array() || lists.empty()) return;
  const std::vector<std::size_t> columns = category_columns(parts, provenance);
  if (columns.size() != lists.size()) {
    provenance.emplace_back(
        kLacks, fmt::format("the names of categories: it has {} lists of them for {} features of "
                            "categories, so that the codes have no names",
                            lists.size(), columns.size()));
    return;
  }
  parts.categories = read_pandas_categorical(lists, columns, parts.num_features);
}

}  // namespace

Model read_lightgbm_text(std::string_view text) {
  LineReader lines(text);
  const Fields header = read_header(lines);
  ForestParts parts;
  const auto max_feature = number_field<std::int32_t>(header, "max_feature_idx");
  if (max_feature < -1) fail(ErrorKind::kInput, "max_feature_idx={} is below 0", max_feature);
  parts.num_features = static_cast<std::size_t>(max_feature + std::int64_t{1});
  for (const std::string_view name : split_words(field(header, "feature_names"))) {
    parts.feature_names.emplace_back(name);
  }
  if (parts.feature_names.size() != parts.num_features) {
    fail(ErrorKind::kInput, "feature_names has {} names for {} features",
         parts.feature_names.size(), parts.num_features);
  }
  const auto objective = header.find("objective");
  if (objective != header.end()) parts.objective = objective->second;

  Model model;
  model.provenance.emplace_back("format", fmt::format("lightgbm {}", field(header, "version")));
  const auto infos = header.find("feature_infos");
  if (infos != header.end()) {
    model.provenance.emplace_back("lightgbm.feature_infos", infos->second);
  }
  parts.trees = read_trees(lines);
  const auto sizes = header.find("tree_sizes");
  if (sizes != header.end() && split_words(sizes->second).size() != parts.trees.size()) {
    fail(ErrorKind::kInput, "tree_sizes names {} trees, the model has {}",
         split_words(sizes->second).size(), parts.trees.size());
  }
  read_parameters(lines, model.provenance);
  read_category_names(lines, parts, model.provenance);
  if (header.contains("average_output")) divide_leaf_values(parts.trees);
  model.body = Forest(std::move(parts));
  return model;
}

}  // namespace glassrank
