#pragma once
// The studies that train models, for reading: `noise` (studies/noise_study.h), `sampling`
// (studies/sampling_study.h) and `interactions` (methods/studies/interaction_study.h).

#include "glassrank/report/studies/study_result.h"
#include "glassrank/studies/interaction_study.h"
#include "glassrank/studies/noise_study.h"
#include "glassrank/studies/sampling_study.h"

namespace glassrank {

StudyResult interaction_result(const InteractionStudy& study);
StudyResult noise_result(const NoiseStudy& study);
StudyResult sampling_result(const SamplingStudy& study);

}  // namespace glassrank
