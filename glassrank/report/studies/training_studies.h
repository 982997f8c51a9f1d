#pragma once
// The studies that train models, for reading: `noise` (methods/studies/noise_study.h), `sampling`
// (methods/studies/sampling_study.h) and `interactions` (methods/studies/interaction_study.h).

#include "glassrank/methods/studies/interaction_study.h"
#include "glassrank/methods/studies/noise_study.h"
#include "glassrank/methods/studies/sampling_study.h"
#include "glassrank/report/studies/study_result.h"

namespace glassrank {

StudyResult interaction_result(const InteractionStudy& study);
StudyResult noise_result(const NoiseStudy& study);
StudyResult sampling_result(const SamplingStudy& study);

}  // namespace glassrank
