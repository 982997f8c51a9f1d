#pragma once
// Files of data whose truth is known. What `glassrank data synth` does.

#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/bin_edges.h"
#include "glassrank/data/data_results.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/data/synth/category_shop.h"
#include "glassrank/data/synth/params.h"

namespace glassrank {

// All of them or none.
struct SynthFiles {
  std::string out;         // .cache: values, .bins: bins, else text; the book shop's folder
  std::string truth = {};  // empty: none; of the book shop truth.json in its folder
  bool utilities = false;  // in the truth: of every row; not of the book shop
  WriteParams write = {};  // of text
  BinParams bins = {};     // of .bins
};

// Made block by block, so that data of any size needs little memory. The seed is the context's.
// Throws Error{kUsage} as resolve() does, and for a cache that is to be sparse.
SyntheticResult write_synthetic(const SyntheticParams& params, const SynthFiles& files,
                                const Context& context);

// train.txt, valid.txt, test.txt and the truth, in that order.
std::vector<std::string> bookshop_paths(const SynthFiles& files);
BookshopResult write_bookshop(const BookshopParams& params, const SynthFiles& files,
                              const Context& context);

// train.csv, valid.csv, test.csv and the truth, in that order. Throws Error{kUsage} for sparse
// ones.
std::vector<std::string> category_shop_paths(const SynthFiles& files);
BookshopResult write_category_shop(const CategoryShopParams& params, const SynthFiles& files,
                                   const Context& context);

}  // namespace glassrank
