"""The attributes of results, as docs/reference/results.md lists them.

Made by tools/generate_python.py from that page; do not edit. At run time these classes only say that
an object which is absent is None.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank._results import Result


class TrainingCleaningGrid(Result):
    cleaner: str
    type: str | None = None
    start: int | None = None
    end: int | None = None
    p: float | None = None
    threshold: float | None = None
    contamination: float | None = None
    num_dropped: int
    share: float
    num_rounds: int
    value: float
    is_chosen: bool


class TrainingCleaning(Result):
    summary: str
    num_dropped: int
    grid: list[TrainingCleaningGrid]


class TrainingMainEffects(Result):
    num_features: int
    num_trees: int
    num_rounds: int
    value: float | None = None


class TrainingTowers(Result):
    num_epochs: int
    best_epoch: int
    value: float
    tables_value: float


class TrainingPairs(Result):
    features: list[str]
    statistic: float
    is_used: bool


class TrainingBagsCurves(Result):
    num_rounds: int
    kept_rounds: float
    start_loss: float | None = None
    best_loss: float | None = None


class TrainingBagsSurfaces(Result):
    num_rounds: int
    kept_rounds: float
    start_loss: float | None = None
    best_loss: float | None = None


class TrainingBags(Result):
    num_rows: int
    num_held_out_rows: int
    num_rounds: int | None = None
    num_trees: int | None = None
    num_main_trees: int | None = None
    value: float | None = None
    curves: TrainingBagsCurves | None = None
    surfaces: TrainingBagsSurfaces | None = None


class TrainingFields(Result):
    method: str
    outcome: str
    num_trees: int | None = None
    num_rounds: int | None = None
    best_round: int | None = None
    num_curves: int | None = None
    num_surfaces: int | None = None
    cleaning: TrainingCleaning | None = None
    main_effects: TrainingMainEffects | None = None
    num_interaction_rounds: int | None = None
    towers: TrainingTowers | None = None
    pairs: list[TrainingPairs]
    bags: list[TrainingBags]
    row_share: float | None = None
    ms_per_tree: float | None = None
    train: dict[str, float]
    valid: dict[str, float]
    test: dict[str, float]
    out_of_bag: dict[str, float]


class CrossValidationFolds(Result):
    num_rounds: int | None = None
    valid: dict[str, float]
    test: dict[str, float]


class CrossValidationValid(Result):
    pass


class CrossValidationTest(Result):
    pass


class CrossValidationModelCleaningGrid(Result):
    cleaner: str
    type: str | None = None
    start: int | None = None
    end: int | None = None
    p: float | None = None
    threshold: float | None = None
    contamination: float | None = None
    num_dropped: int
    share: float
    num_rounds: int
    value: float
    is_chosen: bool


class CrossValidationModelCleaning(Result):
    summary: str
    num_dropped: int
    grid: list[CrossValidationModelCleaningGrid]


class CrossValidationModelMainEffects(Result):
    num_features: int
    num_trees: int
    num_rounds: int
    value: float | None = None


class CrossValidationModelTowers(Result):
    num_epochs: int
    best_epoch: int
    value: float
    tables_value: float


class CrossValidationModelPairs(Result):
    features: list[str]
    statistic: float
    is_used: bool


class CrossValidationModelBagsCurves(Result):
    num_rounds: int
    kept_rounds: float
    start_loss: float | None = None
    best_loss: float | None = None


class CrossValidationModelBagsSurfaces(Result):
    num_rounds: int
    kept_rounds: float
    start_loss: float | None = None
    best_loss: float | None = None


class CrossValidationModelBags(Result):
    num_rows: int
    num_held_out_rows: int
    num_rounds: int | None = None
    num_trees: int | None = None
    num_main_trees: int | None = None
    value: float | None = None
    curves: CrossValidationModelBagsCurves | None = None
    surfaces: CrossValidationModelBagsSurfaces | None = None


class CrossValidationModel(Result):
    method: str
    model: str
    outcome: str
    num_trees: int | None = None
    num_rounds: int | None = None
    best_round: int | None = None
    num_curves: int | None = None
    num_surfaces: int | None = None
    cleaning: CrossValidationModelCleaning | None = None
    main_effects: CrossValidationModelMainEffects | None = None
    num_interaction_rounds: int | None = None
    towers: CrossValidationModelTowers | None = None
    pairs: list[CrossValidationModelPairs]
    bags: list[CrossValidationModelBags]
    row_share: float | None = None
    ms_per_tree: float | None = None
    train: dict[str, float]
    valid: dict[str, float]
    test: dict[str, float]
    out_of_bag: dict[str, float]


class CrossValidationFields(Result):
    folds: list[CrossValidationFolds]
    valid: CrossValidationValid
    test: CrossValidationTest
    model: CrossValidationModel | None = None


class SearchTrials(Result):
    trial: int
    rung: int
    value: float
    values: list[str]


class SearchFields(Result):
    metric: str
    trials: list[SearchTrials]
    test: dict[str, float]


class RecordRun(Result):
    pass


class RecordReportCleaningGrid(Result):
    cleaner: str
    type: str | None = None
    start: int | None = None
    end: int | None = None
    p: float | None = None
    threshold: float | None = None
    contamination: float | None = None
    num_dropped: int
    share: float
    num_rounds: int
    value: float
    is_chosen: bool


class RecordReportCleaning(Result):
    summary: str
    num_dropped: int
    grid: list[RecordReportCleaningGrid]


class RecordReportMainEffects(Result):
    num_features: int
    num_trees: int
    num_rounds: int
    value: float | None = None


class RecordReportTowers(Result):
    num_epochs: int
    best_epoch: int
    value: float
    tables_value: float


class RecordReportPairs(Result):
    features: list[str]
    statistic: float
    is_used: bool


class RecordReportBagsCurves(Result):
    num_rounds: int
    kept_rounds: float
    start_loss: float | None = None
    best_loss: float | None = None


class RecordReportBagsSurfaces(Result):
    num_rounds: int
    kept_rounds: float
    start_loss: float | None = None
    best_loss: float | None = None


class RecordReportBags(Result):
    num_rows: int
    num_held_out_rows: int
    num_rounds: int | None = None
    num_trees: int | None = None
    num_main_trees: int | None = None
    value: float | None = None
    curves: RecordReportBagsCurves | None = None
    surfaces: RecordReportBagsSurfaces | None = None


class RecordReport(Result):
    method: str
    model: str
    outcome: str
    num_trees: int | None = None
    num_rounds: int | None = None
    best_round: int | None = None
    num_curves: int | None = None
    num_surfaces: int | None = None
    cleaning: RecordReportCleaning | None = None
    main_effects: RecordReportMainEffects | None = None
    num_interaction_rounds: int | None = None
    towers: RecordReportTowers | None = None
    pairs: list[RecordReportPairs]
    bags: list[RecordReportBags]
    row_share: float | None = None
    ms_per_tree: float | None = None
    train: dict[str, float]
    valid: dict[str, float]
    test: dict[str, float]
    out_of_bag: dict[str, float]


class RecordRounds(Result):
    bag: int | None = None
    round: int
    num_rows: int | None = None
    row_share: float | None = None
    ms: float | None = None
    metrics: dict[str, float]


class RecordFields(Result):
    run: RecordRun
    report: RecordReport
    rounds: list[RecordRounds]


class EvaluationMetrics(Result):
    metric: str
    mean: float
    num_queries: int
    num_empty: int
    per_query: dict[str, float] | None = None


class EvaluationConvention(Result):
    name: str
    gain: str
    gain_table: str
    empty: str
    map_empty: str
    r_empty: str
    ties: str
    score_precision: str
    ap_divisor: str
    map_no_hits: str
    precision_divisor: str
    relevant_grade: str
    stop: str
    max_grade: str


class EvaluationFields(Result):
    metrics: list[EvaluationMetrics]
    num_queries: int
    num_rows: int
    num_tied: int
    convention: EvaluationConvention


class ComparisonMetricsSystems(Result):
    system: str
    mean: float
    interval: np.ndarray
    beats: list[str]


class ComparisonMetricsPairs(Result):
    a: str
    b: str
    difference: float
    interval: np.ndarray
    statistic: float
    p: float
    p_greater: float
    p_less: float
    exact: bool
    p_corrected: float
    significant: bool
    num_wins: int
    num_ties: int
    num_losses: int


class ComparisonMetrics(Result):
    metric: str
    num_queries: int
    num_skipped: int
    systems: list[ComparisonMetricsSystems]
    pairs: list[ComparisonMetricsPairs]


class ComparisonFields(Result):
    test: str
    correction: str
    alpha: float
    permutations: int
    resamples: int
    interval: str
    blocks: bool
    baseline: str
    convention_text: str
    seed: int
    systems: list[str]
    metrics: list[ComparisonMetrics]


class ExplanationDocuments(Result):
    document: str
    rank: int
    score: float
    grade: float | None = None


class ExplanationFeatures(Result):
    index: int
    feature: str
    is_chosen: bool
    value: float | None = None
    other_value: float | None = None
    low: float | None = None
    high: float | None = None
    attribution: float | None = None
    standard_error: float | None = None
    share: float | None = None
    gain: float | None = None
    category: str | None = None
    other_category: str | None = None


class ExplanationInteractions(Result):
    index: int
    other_index: int
    feature: str
    other: str
    attribution: float


class ExplanationAudit(Result):
    additivity_residual: float | None = None
    error_share: float | None = None
    fit: float | None = None
    validity: float | None = None
    completeness: float | None = None
    stability: float | None = None
    reliability: float | None = None


class ExplanationFields(Result):
    explainer: str
    query: str
    target: str
    abstains: str | None = None
    summary: str
    num_documents: int
    documents: list[ExplanationDocuments]
    measure: str
    value: float
    base_value: float
    features: list[ExplanationFeatures]
    interactions: list[ExplanationInteractions]
    audit: ExplanationAudit


class AuditMethodsMeasures(Result):
    measure: str
    mean: float
    standard_error: float
    standard_deviation: float
    num_queries: int
    num_undefined: int
    is_best: bool
    is_clearly_best: bool
    p_best: float | None = None


class AuditMethods(Result):
    method: str
    explainer: str
    params: dict[str, str]
    is_sampled: bool
    seconds_per_query: float
    num_abstained: int
    measures: list[AuditMethodsMeasures]


class AuditDifferences(Result):
    measure: str
    a: str
    b: str
    num_queries: int
    mean_difference: float
    p: float
    corrected_p: float
    significant: bool


class AuditDepthsDepthsGroupsValues(Result):
    count: int
    mean: float
    standard_deviation: float
    least: float
    lower_quartile: float
    median: float
    upper_quartile: float
    largest: float


class AuditDepthsDepthsGroups(Result):
    depth: int
    values: AuditDepthsDepthsGroupsValues


class AuditDepthsDepths(Result):
    correlation: float | None = None
    groups: list[AuditDepthsDepthsGroups]


class AuditDepths(Result):
    method: str
    measure: str
    depths: AuditDepthsDepths


class AuditFields(Result):
    k: int
    num_queries: int
    num_without_order: int
    num_documents: int
    seeds: int
    test: str
    correction: str
    alpha: float
    methods: list[AuditMethods]
    differences: list[AuditDifferences]
    depths: list[AuditDepths]


class CounterfactualChanges(Result):
    feature: str
    to: float
    cost: float
    from_category: str | None = None
    to_category: str | None = None


class CounterfactualFields(Result):
    query: str
    document: str
    above: str
    top: int
    is_reached: bool
    optimality: str
    rank_before: int
    rank_after: int
    score_before: float
    score_after: float
    score_to_pass: float
    cost: float
    least_cost: float | None = None
    changes: list[CounterfactualChanges]
    text: str


class DependenceAxes(Result):
    feature: str
    is_exact: bool
    edges: np.ndarray
    points: np.ndarray
    has_missing: bool
    categories: list[str]
    weights: np.ndarray


class DependenceCurves(Result):
    query: str
    document: str
    value: float
    score: float
    values: np.ndarray


class DependenceFields(Result):
    kind: str
    num_rows: int
    num_left_out: int
    axes: list[DependenceAxes]
    values: np.ndarray
    curves: list[DependenceCurves]


class SummaryAllFeatures(Result):
    feature: str
    mean: float
    mean_amount: float
    mean_amount_within: float
    direction: float
    quantiles: np.ndarray
    quantiles_within: np.ndarray


class SummaryAll(Result):
    name: str
    num_queries: int
    num_rows: int
    features: list[SummaryAllFeatures]


class SummaryGroupsFeatures(Result):
    feature: str
    mean: float
    mean_amount: float
    mean_amount_within: float
    direction: float
    quantiles: np.ndarray
    quantiles_within: np.ndarray


class SummaryGroups(Result):
    name: str
    num_queries: int
    num_rows: int
    features: list[SummaryGroupsFeatures]


class SummaryFields(Result):
    shares: np.ndarray
    all: SummaryAll
    groups: list[SummaryGroups]


class ImportancePermutation(Result):
    metric: str
    value: float
    num_queries: int
    num_skipped: int
    permute: str
    repeats: int
    resamples: int
    level: float


class ImportanceImportance(Result):
    index: int
    feature: str
    splits: int | None = None
    gain: float | None = None
    drop: float | None = None
    low: float | None = None
    high: float | None = None
    spread: float | None = None


class ImportanceFields(Result):
    permutation: ImportancePermutation | None = None
    importance: list[ImportanceImportance]


class InspectionPermutation(Result):
    metric: str
    value: float
    num_queries: int
    num_skipped: int
    permute: str
    repeats: int
    resamples: int
    level: float


class InspectionImportance(Result):
    index: int
    feature: str
    splits: int | None = None
    gain: float | None = None
    drop: float | None = None
    low: float | None = None
    high: float | None = None
    spread: float | None = None


class InspectionTrees(Result):
    pass


class InspectionEffects(Result):
    name: str
    features: np.ndarray
    cells: int
    mean_effect: float | None = None
    mean_cell: float
    plot: str | None = None


class InspectionWeights(Result):
    name: str
    feature: int
    weight: float
    fill: float


class InspectionLayers(Result):
    num_outputs: int
    activation: str


class InspectionFields(Result):
    format: str
    objective: str
    provenance: dict[str, str]
    permutation: InspectionPermutation | None = None
    importance: list[InspectionImportance]
    num_trees: int | None = None
    num_leaves: int | None = None
    most_leaves: int | None = None
    depth: int | None = None
    mean_leaf_depth: float | None = None
    num_features: int | None = None
    num_used: int | None = None
    base_score: float | None = None
    has_gains: bool | None = None
    has_counts: bool | None = None
    unused: list[str] | None = None
    trees: list[InspectionTrees] | None = None
    intercept: float | None = None
    effects: list[InspectionEffects] | None = None
    weights: list[InspectionWeights] | None = None
    num_weights: int | None = None
    layers: list[InspectionLayers] | None = None


class VerificationEffects(Result):
    features: list[str]
    num_trees: int | None = None
    tree: int | None = None
    without_curve: list[str] | None = None


class VerificationConstant(Result):
    features: list[str]
    num_trees: int | None = None
    tree: int | None = None
    without_curve: list[str] | None = None


class VerificationLargeTrees(Result):
    features: list[str]
    num_trees: int | None = None
    tree: int | None = None
    without_curve: list[str] | None = None


class VerificationOrphans(Result):
    features: list[str]
    num_trees: int | None = None
    tree: int | None = None
    without_curve: list[str] | None = None


class VerificationDirections(Result):
    feature: str
    direction: str
    largest_fall: float
    fall_edge: float | None = None
    largest_rise: float
    rise_edge: float | None = None


class VerificationFields(Result):
    additive: bool
    heredity: bool
    num_features: int
    num_trees: int | None = None
    no_power: list[str]
    effects: list[VerificationEffects]
    constant: list[VerificationConstant]
    large_trees: list[VerificationLargeTrees]
    orphans: list[VerificationOrphans]
    directions: list[VerificationDirections]


class StatsDocumentsPerQuery(Result):
    min: int
    median: float
    mean: float
    max: int


class StatsGrades(Result):
    grade: float
    num_rows: int


class StatsDuplicateFeatures(Result):
    feature: str
    copy_of: str


class StatsGradeConflictsDocuments(Result):
    document: str
    grade: float


class StatsGradeConflicts(Result):
    query: str
    documents: list[StatsGradeConflictsDocuments]


class StatsFeatures(Result):
    feature: str
    min: float
    max: float
    mean: float
    num_missing: int
    num_zeros: int
    num_distinct: int
    distinct_capped: bool


class StatsFields(Result):
    num_rows: int
    num_queries: int
    num_features: int
    documents_per_query: StatsDocumentsPerQuery
    grades: list[StatsGrades]
    num_missing: int
    constant_features: list[str]
    duplicate_features: list[StatsDuplicateFeatures]
    num_queries_without_relevant: int
    num_queries_with_one_grade: int
    num_queries_with_one_document: int
    num_duplicate_rows: int
    num_duplicate_rows_within_query: int
    grade_conflicts: list[StatsGradeConflicts]
    features: list[StatsFeatures]


class ParityFields(Result):
    num_rows: int
    num_different: int
    tolerance: float
    num_beyond: int
    largest_difference: float
    row: int | None = None
    query: str | None = None
    document: str | None = None
    before: float | None = None
    after: float | None = None


class CleanGrades(Result):
    grade: float
    num_rows: int
    num_dropped: int


class CleanMostConvincingRanks(Result):
    round: int
    rank: int


class CleanMostConvincingOddFeatures(Result):
    feature: str
    value: float
    typical: float
    difference: float


class CleanMostConvincing(Result):
    query: str
    document: str
    line: int
    grade: float
    looks_like: float
    evidence: float
    ranks: list[CleanMostConvincingRanks]
    odd_features: list[CleanMostConvincingOddFeatures]


class CleanFields(Result):
    summary: str
    num_rows: int
    num_dropped: int
    num_queries: int
    num_queries_touched: int
    num_queries_emptied: int
    grades: list[CleanGrades]
    evidence: str
    most_convincing: list[CleanMostConvincing]
