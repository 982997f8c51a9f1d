#pragma once
// pFound (Gulin, Karpovich, Raskovalov, Segalovich 2009): the probability that a reader finds what
// she looks for. She is the cascade reader (cascade.h) who also gives up after each document with
// probability `break`:
//
//   pFound = sum over ranks r of (1 - break)^r * P(stop at r)
//
// RankEval raises p_abandonment itself to the power r; its default 0.15 is break = 0.85 here.

#include "glassrank/metrics/metric.h"

namespace glassrank {

MetricInfo pfound_info();

}  // namespace glassrank
