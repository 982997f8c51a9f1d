#pragma once
// Masked scores of a forest for S + f with every feature f at once: the inner step of greedy
// selection, for the documents of one query against one typical row.
//
// With only S known, a document walks the typical row's way at every node whose feature is not in
// S. Adding f changes its path only if at a node of f on that path its own value goes the other
// way: a flip event. So one descent per tree with S gives every document's leaf and all events of
// all features, and only the documents of an event walk on, in the subtree on the other side:
//   score(d, S + f) = score(d, S) + sum over events of f with d of (new leaf - old leaf)
// A subtree whose typical path meets no feature of S + f is left at once for its typical leaf.
// Whole numbers (fixed_point.h): differences are exact, and so is the result.
// Cost per tree: one descent with the documents as bits, and the few events. Documents are taken
// 128 at a time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/explain/masks/branch_bits.h"
#include "glassrank/explain/masks/forest_table.h"

namespace glassrank {

inline constexpr std::size_t kFlipWords = 2;
inline constexpr std::size_t kFlipDocuments = 64 * kFlipWords;
using FlipDocuments = std::array<std::uint64_t, kFlipWords>;

// A node as seen from the typical row.
struct FlipNode {
  std::uint32_t feature = 0;
  std::int32_t usual = 0;           // child that the typical row goes to
  std::int32_t unusual = 0;         // the other one
  std::int32_t usual_leaf = 0;      // where the typical row ends below this node
  std::uint64_t path_features = 0;  // on its way there, this node's too: bit feature % 64
  std::uint64_t turn = 0;           // all bits if the usual child is the left one
};

// What one descent writes and the next one uses again.
struct FlipWorkspace {
  explicit FlipWorkspace(const ForestTable& table);

  struct Waiting {
    std::int32_t node = 0;
    bool restores = false;  // `documents` are what left[feature] was
    std::uint32_t feature = 0;
    FlipDocuments documents = {};
  };
  struct Event {
    std::int32_t node = 0;
    FlipDocuments documents = {};
  };
  std::vector<Waiting> waiting;
  std::vector<Event> events;
  std::vector<FlipDocuments> left;  // by feature: documents with an event of it further up
  Buffer<Fixed> leaves;             // of the documents in one tree, with S
  Buffer<Fixed> base;               // sums with S
  Buffer<Fixed> sums;               // by feature and document: what adding the feature changes
};

class FlipEvents {
 public:
  // The table must outlive it; documents and typical row are only read here.
  FlipEvents(const ForestTable& table, MatrixView<const float> documents,
             std::span<const float> typical, const Context& context);

  std::size_t num_documents() const { return num_documents_; }
  // sums[f * num_documents + d] = score of document d with `known` and f known; for an f in `known`
  // that with `known` alone. Not from several threads at once.
  void extend(std::span<const std::uint32_t> known, std::span<Fixed> sums, const Context& context);

 private:
  const ForestTable& table_;
  std::size_t num_documents_;
  BranchBits documents_;
  std::vector<FlipNode> nodes_;  // of all trees
  std::vector<FlipWorkspace> workspaces_;
};

}  // namespace glassrank
