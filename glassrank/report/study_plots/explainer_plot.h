#pragma once
// The study of explainers against the truth: its tables and its picture.

#include "glassrank/explain/audit/truth_study.h"
#include "glassrank/report/plots/picture.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {

StudyTables study_tables(const TruthStudy& study);
// Bars of Pearson's correlation, one group per question.
Picture study_picture(const TruthStudy& study);

}  // namespace glassrank
