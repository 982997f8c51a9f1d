#pragma once
// LightGBM's train.conf in our parameters, through one explicit table.
//
// "key = value" lines, # comments, a pair of quotes around a value, aliases as in LightGBM 4. A
// parameter's own name counts before its aliases wherever it stands, as there; of a name given
// twice, and of two aliases, the first counts. Listed as lost is what changes
// the model, has no counterpart and is not set to the value that does nothing, and every name that
// LightGBM does not have. What only takes another way (seeds, machines), or changes nothing with
// the objective at hand, gets a note; what cannot change a model (verbosity, device layout) is
// passed over. Where LightGBM's default differs from ours the import sets it: without
// early_stopping_round every tree is kept (patience 0), with it and without metric a ranking
// objective watches ndcg@1 to ndcg@5, of which the first stops training. Features are numbered from
// 0 there: in CSV files column i is feature i + 1 here, in LETOR/SVMlight files the number is the
// id in the file; of interaction_constraints feature 0, which most such files lack, is then left
// out with a note.

#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/params.h"

namespace glassrank {

struct ImportedConfig {
  std::vector<ParamAssignment> settings;  // of `glassrank train`, files and threads included
  std::vector<std::string> notes;         // what is done in another way, one line each
  // What changes the model and cannot be had: a training without it gives another kind of model.
  std::vector<std::string> lost;
};

// Throws Error{kInput} "line N: ..." for a line that is no assignment or a value that is no flag
// or no list of numbers where one is needed.
ImportedConfig import_lightgbm_config(std::string_view text);

}  // namespace glassrank
