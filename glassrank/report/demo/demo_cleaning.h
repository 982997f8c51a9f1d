#pragma once
// The wrongly judged books of the demo: what SOUR finds, how much of it is true (the book shop
// knows), and the model trained without them.

#include <cstddef>
#include <string>

#include "glassrank/data/synth/bookshop.h"
#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/training/trained_model.h"
#include "glassrank/report/demo/demo_table.h"

namespace glassrank {

struct DemoCleaning {
  Model model;          // trained on what is left
  std::string summary;  // of the cleaning
  std::size_t num_dropped = 0;
  std::size_t num_wrong = 0;     // dropped books whose grade is wrong indeed
  std::size_t num_mistakes = 0;  // wrong grades in the training part
  std::size_t num_rows = 0;      // of it
  DemoTable books;               // some of the dropped ones
};

// `params` of the plain model, to which the cleaner is added; `inputs` are its data.
DemoCleaning clean_bookshop(const Bookshop& shop, const TrainInputs& inputs,
                            LambdamartParams params, const Context& context);

// "Of the 140 books dropped 97 are judged wrongly indeed (69 %; 2 % of all are): ..."
std::string found_text(const DemoCleaning& cleaning);

}  // namespace glassrank
