#pragma once
// A search for parameters: over a grid, or over sets drawn at random with successive halving
// (Jamieson & Talwalkar, AISTATS 2016).
//
// Where ranges are choices alone, of at most kLargestGrid sets, every set is a trial and trained
// whole, as people expect of a grid; so it is where there are no more sets than trials. Otherwise
// 16 different sets are drawn, with three rungs:
//
//   Rung 1 trains every trial for 1 / 2^(rungs - 1) of its rounds; the better half of a rung goes
//   on to twice as many; the last rung trains all of them.
// Methods that can go on from a shorter training do so: LambdaMART from its trees, RankGAM from its
// epochs. ILMART goes on with its main effects and begins its interactions again where there are
// more of those; EBM begins anew in each rung.
// A trial's value is its best validation metric so far, the mean over the splits when there are
// several (folds); equal values: the smaller number first. A trial that stopped early keeps its
// value without further work. Trials are trained one after the other, each with every thread.
// Deterministic for data, parameters and seed. The first rung judges by few trees: it favours large
// learning rates, so search those in a narrow range or with one rung (plain random search).
// With a cleaner every trial first trains a base model of num_trees trees on each split: halving
// then saves less.
// Cost for n trials of T rounds that can go on: about n T / 2^(rungs - 1) + (rungs - 1) n T /
// 2^rungs trees.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/method.h"

namespace glassrank {

inline constexpr std::size_t kLargestGrid = 64;

struct SearchParams {
  std::vector<std::string> ranges;  // see search_space.h
  int trials = 0;                   // 0: every set of a grid, else 16
  int rungs = 0;                    // 0: 1 where every set is a trial, else 3

  void visit(ParamVisitor& visitor);
};

// Where every trial is tried: trained on one part, measured on the other.
struct SearchSplit {
  Dataset train;
  Dataset valid;
};

// Training and validation part of each fold of data/split.h; its test part stays unseen.
std::vector<SearchSplit> fold_splits(const Dataset& data, int num_folds, const Context& context);

struct Trial {
  std::size_t number = 0;                                   // from 1
  std::vector<std::pair<std::string, std::string>> values;  // drawn, by parameter
  std::shared_ptr<const Method> method;                     // with these values
  std::size_t rung = 0;                                     // reached, from 1
  TrainingLength length;                                    // mean over splits
  double value = 0;
  void visit(ResultVisitor& visitor) const;
};

struct SearchResult {
  std::string metric;         // "valid ndcg@10"
  std::vector<Trial> trials;  // best first: by rung reached, then by value
  TrainResult best;           // of the best trial on the first split
  void visit(ResultVisitor& visitor) const;
};

// All trials, tab-separated, with every digit.
std::string trials_tsv(const SearchResult& found);

// Throws Error{kUsage} for ranges that cannot be searched, Error{kInterrupted} when stopped.
SearchResult random_search(std::span<const SearchSplit> splits, const Method& method,
                           const SearchParams& search, const Context& context);

}  // namespace glassrank
