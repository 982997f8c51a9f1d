#pragma once
// Trees as RankLib and QuickRank write them, in nested XML:
//
//   <ensemble>
//     <tree id="1" weight="0.1">
//       <split>
//         <feature> 2 </feature>            counted from 1
//         <threshold> 0.5 </threshold>      x <= threshold goes left, both float32
//         <split pos="left">
//           <output> -1.5 </output>         a leaf
//         </split>
//         <split pos="right"> ... </split>
//       </split>
//     </tree>
//   </ensemble>
//
// The score is the sum of weight * output. Neither format knows missing values, a base score, names
// of features or how many there are: the number of features is the highest one used. Nodes are
// numbered in preorder, leaves from left to right.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/models/forest/forest.h"
#include "glassrank/models/io/missing_rules.h"

namespace glassrank {

struct XmlEnsemble {
  std::vector<Tree> trees;
  std::size_t num_features = 0;
  std::vector<std::pair<std::string, std::string>> info;  // <info>'s children, where there is one
};

// `root` is the element that holds <ensemble>, empty for the document itself. Throws Error{kInput}
// "tree T: ...", and where there is no tree.
XmlEnsemble read_xml_ensemble(std::string_view xml, const char* root, NanRule rule);

// One tag a line; a base score becomes a first tree of one leaf; every weight is 1.
void write_xml_ensemble(std::string& out, const Forest& forest);
// Whether that first tree is written: for a base score, and where there would be no tree at all,
// which nobody reads.
bool has_constant_tree(const Forest& forest);

// The most leaves a tree of the forest has.
std::size_t most_leaves(const Forest& forest);

}  // namespace glassrank
