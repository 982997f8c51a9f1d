"""Methods, samplers and cleaners with their parameters.

Made by tools/generate_python.py from the engine itself; do not edit.
"""
from __future__ import annotations

from typing import Any, Callable, Sequence

from glassrank.training import Cleaner, Method, Sampler

__all__ = [
    "Lambdamart",
    "Ilmart",
    "Ebm",
    "Rankgam",
    "Rankboost",
    "Linear",
    "CoordinateAscent",
    "Ranknet",
    "Mart",
    "RandomForest",
    "Tree",
    "Rows",
    "Queries",
    "Goss",
    "Selective",
    "HighLow",
    "RandomNegatives",
    "Sour",
    "PSour",
    "LastSour",
    "CurrSour",
    "IsolationForest",
]


class Lambdamart(Method):
    """Boosted trees on ranking gradients.

    Parameters
    ----------
    num_trees : int, default 100; x >= 0
        maximum number of trees
    learning_rate : float, default 0.1; x > 0
        factor for every leaf value
    num_leaves : int, default 31; 1 <= x <= 65536
        maximum number of leaves of a tree
    max_depth : int, default 0; x >= 0
        maximum number of splits on the path to a leaf; 0 for no limit
    growth : str, default leaf; one of leaf, depth
        which leaf is split next: the best one, or level by level
    min_leaf_rows : int, default 20; x >= 0
        minimum number of rows in a leaf
    min_leaf_hessian : float, default 0.001; x >= 0
        minimum sum of hessians in a leaf
    l1 : float, default 0; x >= 0
        L1 penalty on leaf values
    l2 : float, default 0; x >= 0
        L2 penalty on leaf values
    min_gain : float, default 0; x >= 0
        a split must gain more than this
    cat_smooth : float, default 10; x >= 0
        categories are sorted by gradient / (hessian + this) before they are divided; a category
        with fewer rows than this stays with the rest
    cat_l2 : float, default 10; x >= 0
        L2 penalty on splits by categories, added to l2
    max_cat_to_onehot : int, default 4; x >= 0
        a feature with at most this many categories splits off one category at a time
    max_cat_threshold : int, default 32; 1 <= x <= 256
        maximum number of categories that a split sends to the left
    min_data_per_group : int, default 100; x >= 0
        minimum number of rows that categories must add to a split before it is tried again
    feature_fraction : float, default 1; 0 < x <= 1
        share of the features each tree may use
    precision : str, default fast; one of fast, full
        precision of histograms: fast rounds gradients to small integers, full sums doubles
    active : str, default auto; one of auto, all, share
        rows that precision = fast puts into histograms: all, or a share drawn by gradient; auto
        draws a share from 100,000 rows on
    active_share : float, default 0.15; 0 < x <= 1
        share of the rows that active = share draws
    objective : str | Callable[..., Any], default lambdarank; one of lambdarank, rank_xendcg, pairwise, peer, listnet, squared_error, logistic
        what training minimises (glassrank list objectives); or function(scores, grades, query) for
        every query, which returns (gradients, hessians)
    norm : bool, default true; one of true, false
        lambdarank, peer: LightGBM's normalisation, by score distance and per query; pairwise: per
        query
    pair_truncation : int, default 30; x >= 0
        lambdarank, peer, pairwise: pairs need a document ranked above this; 0 uses every pair
    ideal_truncation : int, default -1; x >= -1
        lambdarank, peer with target ndcg: cutoff of the ideal DCG; -1 is pair_truncation, 0 the
        whole list
    sigma : float, default 1; x > 0
        lambdarank, peer, pairwise: steepness of the pairwise logistic
    target : str, default ndcg
        lambdarank, peer: metric whose change weights a pair: ndcg, map, mrr, err or another one,
        with or without a cutoff
    peer_alpha : float, default 0.1; x >= 0
        peer: weight of the correction for random grades; 0 is lambdarank
    max_bins : int, default 255; 2 <= x <= 65535
        maximum number of bins per feature, without the one for missing values
    sample_rows : int, default 200000; x >= 0
        number of rows from which cut points are chosen; 0 is all
    min_bin_rows : int, default 3; 1 <= x <= 1000000000
        minimum number of sampled rows in a bin
    max_categories : int, default 4096; 0 <= x <= 32767
        maximum number of categories of a feature that get a bin of their own; if there are more
        than max_bins, only those that cover 99 % of the rows do; 0 is max_bins
    monotone : Sequence[str] | str, default none
        monotone features: with +FEATURE the score never falls as the feature rises, with -FEATURE
        it never rises
    interactions : Sequence[str] | str, default none
        sets of features that may appear together on a branch; a feature in no set is not used
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    patience : int, default 50; x >= 0
        stop after this many rounds without a better validation metric and keep the trees up to the
        best round; 0 never stops and keeps every tree
    min_delta : float, default 0; x >= 0
        a round counts as better only if the metric rises by more than this
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    sample : Sampler | str
        a sampler, as HighLow(0.2, 0.4): which rows a tree sees; all without one
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "lambdamart"

    def __init__(
        self,
        *,
        num_trees: int | None = None,
        learning_rate: float | None = None,
        num_leaves: int | None = None,
        max_depth: int | None = None,
        growth: str | None = None,
        min_leaf_rows: int | None = None,
        min_leaf_hessian: float | None = None,
        l1: float | None = None,
        l2: float | None = None,
        min_gain: float | None = None,
        cat_smooth: float | None = None,
        cat_l2: float | None = None,
        max_cat_to_onehot: int | None = None,
        max_cat_threshold: int | None = None,
        min_data_per_group: int | None = None,
        feature_fraction: float | None = None,
        precision: str | None = None,
        active: str | None = None,
        active_share: float | None = None,
        objective: str | Callable[..., Any] | None = None,
        norm: bool | None = None,
        pair_truncation: int | None = None,
        ideal_truncation: int | None = None,
        sigma: float | None = None,
        target: str | None = None,
        peer_alpha: float | None = None,
        max_bins: int | None = None,
        sample_rows: int | None = None,
        min_bin_rows: int | None = None,
        max_categories: int | None = None,
        monotone: Sequence[str] | str | None = None,
        interactions: Sequence[str] | str | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        patience: int | None = None,
        min_delta: float | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        sample: Sampler | str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "num_trees": num_trees,
                "learning_rate": learning_rate,
                "num_leaves": num_leaves,
                "max_depth": max_depth,
                "growth": growth,
                "min_leaf_rows": min_leaf_rows,
                "min_leaf_hessian": min_leaf_hessian,
                "l1": l1,
                "l2": l2,
                "min_gain": min_gain,
                "cat_smooth": cat_smooth,
                "cat_l2": cat_l2,
                "max_cat_to_onehot": max_cat_to_onehot,
                "max_cat_threshold": max_cat_threshold,
                "min_data_per_group": min_data_per_group,
                "feature_fraction": feature_fraction,
                "precision": precision,
                "active": active,
                "active_share": active_share,
                "objective": objective,
                "norm": norm,
                "pair_truncation": pair_truncation,
                "ideal_truncation": ideal_truncation,
                "sigma": sigma,
                "target": target,
                "peer_alpha": peer_alpha,
                "max_bins": max_bins,
                "sample_rows": sample_rows,
                "min_bin_rows": min_bin_rows,
                "max_categories": max_categories,
                "monotone": monotone,
                "interactions": interactions,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "patience": patience,
                "min_delta": min_delta,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "sample": sample,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Ilmart(Method):
    """A glass box: LambdaMART of one feature a tree, then of a few chosen pairs.

    Parameters
    ----------
    num_trees : int, default 100; x >= 0
        maximum number of trees
    learning_rate : float, default 0.1; x > 0
        factor for every leaf value
    num_leaves : int, default 4; 1 <= x <= 65536
        maximum number of leaves of a tree
    max_depth : int, default 0; x >= 0
        maximum number of splits on the path to a leaf; 0 for no limit
    growth : str, default leaf; one of leaf, depth
        which leaf is split next: the best one, or level by level
    min_leaf_rows : int, default 20; x >= 0
        minimum number of rows in a leaf
    min_leaf_hessian : float, default 0.001; x >= 0
        minimum sum of hessians in a leaf
    l1 : float, default 0; x >= 0
        L1 penalty on leaf values
    l2 : float, default 0; x >= 0
        L2 penalty on leaf values
    min_gain : float, default 0; x >= 0
        a split must gain more than this
    cat_smooth : float, default 10; x >= 0
        categories are sorted by gradient / (hessian + this) before they are divided; a category
        with fewer rows than this stays with the rest
    cat_l2 : float, default 10; x >= 0
        L2 penalty on splits by categories, added to l2
    max_cat_to_onehot : int, default 4; x >= 0
        a feature with at most this many categories splits off one category at a time
    max_cat_threshold : int, default 32; 1 <= x <= 256
        maximum number of categories that a split sends to the left
    min_data_per_group : int, default 100; x >= 0
        minimum number of rows that categories must add to a split before it is tried again
    feature_fraction : float, default 1; 0 < x <= 1
        share of the features each tree may use
    precision : str, default fast; one of fast, full
        precision of histograms: fast rounds gradients to small integers, full sums doubles
    active : str, default auto; one of auto, all, share
        rows that precision = fast puts into histograms: all, or a share drawn by gradient; auto
        draws a share from 100,000 rows on
    active_share : float, default 0.15; 0 < x <= 1
        share of the rows that active = share draws
    objective : str | Callable[..., Any], default lambdarank; one of lambdarank, rank_xendcg, pairwise, peer, listnet, squared_error, logistic
        what training minimises (glassrank list objectives); or function(scores, grades, query) for
        every query, which returns (gradients, hessians)
    norm : bool, default true; one of true, false
        lambdarank, peer: LightGBM's normalisation, by score distance and per query; pairwise: per
        query
    pair_truncation : int, default 30; x >= 0
        lambdarank, peer, pairwise: pairs need a document ranked above this; 0 uses every pair
    ideal_truncation : int, default -1; x >= -1
        lambdarank, peer with target ndcg: cutoff of the ideal DCG; -1 is pair_truncation, 0 the
        whole list
    sigma : float, default 1; x > 0
        lambdarank, peer, pairwise: steepness of the pairwise logistic
    target : str, default ndcg
        lambdarank, peer: metric whose change weights a pair: ndcg, map, mrr, err or another one,
        with or without a cutoff
    peer_alpha : float, default 0.1; x >= 0
        peer: weight of the correction for random grades; 0 is lambdarank
    max_bins : int, default 255; 2 <= x <= 65535
        maximum number of bins per feature, without the one for missing values
    sample_rows : int, default 200000; x >= 0
        number of rows from which cut points are chosen; 0 is all
    min_bin_rows : int, default 3; 1 <= x <= 1000000000
        minimum number of sampled rows in a bin
    max_categories : int, default 4096; 0 <= x <= 32767
        maximum number of categories of a feature that get a bin of their own; if there are more
        than max_bins, only those that cover 99 % of the rows do; 0 is max_bins
    monotone : Sequence[str] | str, default none
        monotone features: with +FEATURE the score never falls as the feature rises, with -FEATURE
        it never rises
    interactions : Sequence[str] | str, default none
        sets of features that may appear together on a branch; a feature in no set is not used
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    patience : int, default 50; x >= 0
        stop after this many rounds without a better validation metric and keep the trees up to the
        best round; 0 never stops and keeps every tree
    min_delta : float, default 0; x >= 0
        a round counts as better only if the metric rises by more than this
    num_interactions : int, default -1; x >= -1
        number of feature pairs with a surface; 0 for none, -1 for 50 or all there are
    heredity : bool, default true; one of true, false
        form pairs only from features that have a main effect
    interaction_trees : int, default 0; x >= 0
        maximum number of trees of pairs; 0 is num_trees
    interaction_leaves : int, default 0; x >= 0
        maximum number of leaves of a tree of a pair; 0 is num_leaves
    interaction_learning_rate : float, default 0; x >= 0
        learning rate of the trees of pairs; 0 is learning_rate
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    tables : bool, default true; one of true, false
        write curves and surfaces instead of the trees that they come from
    centre : bool, default true; one of true, false
        shift curves and surfaces to mean 0 over the training data; the intercept takes up the means
    purify : bool, default true; one of true, false
        move what a surface says about one feature alone into that feature's curve; centred tables
        are needed; a model of bags stays as it is, since the errors of its cells would be lost
    sample : Sampler | str
        a sampler, as HighLow(0.2, 0.4): which rows a tree sees; all without one
    pair_selection : dict[str, Any] | str
        A text is its method; keys of the dict:
        method : str, default paper; one of paper, first-seen, contribution, fast
            how the pairs are chosen: by trees of two features (paper), by any trees of three leaves
            (first-seen), by their mean effect in such trees (contribution), by EBM's FAST (fast)
        max_rounds : int, default 2000; x >= 1
            maximum number of trees that choose pairs; fast needs none
        learning_rate : float, default 0.1; x > 0
            learning rate of the trees that choose pairs
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "ilmart"
    _groups = ("pair_selection",)

    def __init__(
        self,
        *,
        num_trees: int | None = None,
        learning_rate: float | None = None,
        num_leaves: int | None = None,
        max_depth: int | None = None,
        growth: str | None = None,
        min_leaf_rows: int | None = None,
        min_leaf_hessian: float | None = None,
        l1: float | None = None,
        l2: float | None = None,
        min_gain: float | None = None,
        cat_smooth: float | None = None,
        cat_l2: float | None = None,
        max_cat_to_onehot: int | None = None,
        max_cat_threshold: int | None = None,
        min_data_per_group: int | None = None,
        feature_fraction: float | None = None,
        precision: str | None = None,
        active: str | None = None,
        active_share: float | None = None,
        objective: str | Callable[..., Any] | None = None,
        norm: bool | None = None,
        pair_truncation: int | None = None,
        ideal_truncation: int | None = None,
        sigma: float | None = None,
        target: str | None = None,
        peer_alpha: float | None = None,
        max_bins: int | None = None,
        sample_rows: int | None = None,
        min_bin_rows: int | None = None,
        max_categories: int | None = None,
        monotone: Sequence[str] | str | None = None,
        interactions: Sequence[str] | str | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        patience: int | None = None,
        min_delta: float | None = None,
        num_interactions: int | None = None,
        heredity: bool | None = None,
        interaction_trees: int | None = None,
        interaction_leaves: int | None = None,
        interaction_learning_rate: float | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        tables: bool | None = None,
        centre: bool | None = None,
        purify: bool | None = None,
        sample: Sampler | str | None = None,
        pair_selection: dict[str, Any] | str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "num_trees": num_trees,
                "learning_rate": learning_rate,
                "num_leaves": num_leaves,
                "max_depth": max_depth,
                "growth": growth,
                "min_leaf_rows": min_leaf_rows,
                "min_leaf_hessian": min_leaf_hessian,
                "l1": l1,
                "l2": l2,
                "min_gain": min_gain,
                "cat_smooth": cat_smooth,
                "cat_l2": cat_l2,
                "max_cat_to_onehot": max_cat_to_onehot,
                "max_cat_threshold": max_cat_threshold,
                "min_data_per_group": min_data_per_group,
                "feature_fraction": feature_fraction,
                "precision": precision,
                "active": active,
                "active_share": active_share,
                "objective": objective,
                "norm": norm,
                "pair_truncation": pair_truncation,
                "ideal_truncation": ideal_truncation,
                "sigma": sigma,
                "target": target,
                "peer_alpha": peer_alpha,
                "max_bins": max_bins,
                "sample_rows": sample_rows,
                "min_bin_rows": min_bin_rows,
                "max_categories": max_categories,
                "monotone": monotone,
                "interactions": interactions,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "patience": patience,
                "min_delta": min_delta,
                "num_interactions": num_interactions,
                "heredity": heredity,
                "interaction_trees": interaction_trees,
                "interaction_leaves": interaction_leaves,
                "interaction_learning_rate": interaction_learning_rate,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "tables": tables,
                "centre": centre,
                "purify": purify,
                "sample": sample,
                "pair_selection": pair_selection,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Ebm(Method):
    """A glass box: bags of curves boosted in turn, and surfaces chosen by FAST.

    Parameters
    ----------
    objective : str | Callable[..., Any], default squared_error; one of lambdarank, rank_xendcg, pairwise, peer, listnet, squared_error, logistic
        what training minimises (glassrank list objectives); or function(scores, grades, query) for
        every query, which returns (gradients, hessians)
    norm : bool, default true; one of true, false
        lambdarank, peer: LightGBM's normalisation, by score distance and per query; pairwise: per
        query
    pair_truncation : int, default 30; x >= 0
        lambdarank, peer, pairwise: pairs need a document ranked above this; 0 uses every pair
    ideal_truncation : int, default -1; x >= -1
        lambdarank, peer with target ndcg: cutoff of the ideal DCG; -1 is pair_truncation, 0 the
        whole list
    sigma : float, default 1; x > 0
        lambdarank, peer, pairwise: steepness of the pairwise logistic
    target : str, default ndcg
        lambdarank, peer: metric whose change weights a pair: ndcg, map, mrr, err or another one,
        with or without a cutoff
    peer_alpha : float, default 0.1; x >= 0
        peer: weight of the correction for random grades; 0 is lambdarank
    max_bins : int, default 256; 3 <= x <= 256
        maximum number of cells of a curve, including the one for missing values
    pair_bins : int, default 32; 3 <= x <= 128
        maximum number of cells of each axis of a surface
    num_interactions : int, default 0; x >= 0
        number of surfaces, chosen by FAST
    bags : int, default 8; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default bag; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    split : str, default query; one of query, row
        bags hold out whole queries, or single rows as interpret does
    learning_rate : float, default 0.01; x > 0
        factor for every step
    num_leaves : int, default 3; 2 <= x <= 256
        number of leaves of a step of a curve
    min_leaf_rows : int, default 2; 1 <= x <= 1000000000
        minimum number of rows in a leaf
    min_leaf_hessian : float, default 0.001; x >= 0
        minimum sum of hessians in a leaf
    max_rounds : int, default 5000; 0 <= x <= 1000000000
        maximum number of visits of every effect
    patience : int, default 50; x >= 0
        stop after this many rounds that are not better by `tolerance`; 0 never stops
    tolerance : float, default 0.0001; x >= 0
        a round counts as better only if it improves by more than this
    gradients_every : int, default 0; x >= 0
        for objectives other than squared_error: take new gradients after this many visits; 0 is
        once per round
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "ebm"

    def __init__(
        self,
        *,
        objective: str | Callable[..., Any] | None = None,
        norm: bool | None = None,
        pair_truncation: int | None = None,
        ideal_truncation: int | None = None,
        sigma: float | None = None,
        target: str | None = None,
        peer_alpha: float | None = None,
        max_bins: int | None = None,
        pair_bins: int | None = None,
        num_interactions: int | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        split: str | None = None,
        learning_rate: float | None = None,
        num_leaves: int | None = None,
        min_leaf_rows: int | None = None,
        min_leaf_hessian: float | None = None,
        max_rounds: int | None = None,
        patience: int | None = None,
        tolerance: float | None = None,
        gradients_every: int | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "objective": objective,
                "norm": norm,
                "pair_truncation": pair_truncation,
                "ideal_truncation": ideal_truncation,
                "sigma": sigma,
                "target": target,
                "peer_alpha": peer_alpha,
                "max_bins": max_bins,
                "pair_bins": pair_bins,
                "num_interactions": num_interactions,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "split": split,
                "learning_rate": learning_rate,
                "num_leaves": num_leaves,
                "min_leaf_rows": min_leaf_rows,
                "min_leaf_hessian": min_leaf_hessian,
                "max_rounds": max_rounds,
                "patience": patience,
                "tolerance": tolerance,
                "gradients_every": gradients_every,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Rankgam(Method):
    """A glass box: a small network a feature, trained for NDCG.

    Parameters
    ----------
    first_units : int, default 16; 1 <= x <= 4096
        units of a tower's first layer
    second_units : int, default 8; 1 <= x <= 4096
        units of a tower's second layer
    dropout : float, default 0.5; 0 <= x <= 0.99
        chance that a unit is left out of a batch (in 256ths)
    temperature : float, default 0.1; x > 0
        temperature of ApproxNDCG: a smaller one is nearer to NDCG and less smooth
    learning_rate : float, default 0.05; x > 0
        learning rate of Adagrad
    batch_queries : int, default 128; 1 <= x <= 1000000000
        queries per batch
    max_epochs : int, default 2000; 1 <= x <= 1000000000
        maximum number of passes over the queries
    patience : int, default 100; x >= 0
        stop after this many epochs without a better validation metric; 0 never stops
    momentum : float, default 0.999; 0 <= x < 1
        momentum of the running means of batch norm
    clip : float, default 1000000; x > 0
        values are clipped to [-clip, clip]
    log1p : bool, default false; one of true, false
        replace values by sign(x) * log(1 + |x|)
    max_bins : int, default 256; 3 <= x <= 65535
        maximum number of cells of a curve, including the one for missing values
    valid_share : float, default 0.15; 0 < x < 1
        share of the queries that is held out when there is no validation data
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "rankgam"

    def __init__(
        self,
        *,
        first_units: int | None = None,
        second_units: int | None = None,
        dropout: float | None = None,
        temperature: float | None = None,
        learning_rate: float | None = None,
        batch_queries: int | None = None,
        max_epochs: int | None = None,
        patience: int | None = None,
        momentum: float | None = None,
        clip: float | None = None,
        log1p: bool | None = None,
        max_bins: int | None = None,
        valid_share: float | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "first_units": first_units,
                "second_units": second_units,
                "dropout": dropout,
                "temperature": temperature,
                "learning_rate": learning_rate,
                "batch_queries": batch_queries,
                "max_epochs": max_epochs,
                "patience": patience,
                "momentum": momentum,
                "clip": clip,
                "log1p": log1p,
                "max_bins": max_bins,
                "valid_share": valid_share,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Rankboost(Method):
    """A glass box: votes of tests "feature above threshold", pair by pair.

    Parameters
    ----------
    num_rounds : int, default 300; x >= 1
        number of voting tests "feature above threshold"
    thresholds : int, default 10; 0 <= x <= 65535
        number of thresholds to try per feature, evenly from its greatest value down; 0 tries all
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    patience : int, default 0; x >= 0
        stop after this many rounds without a better validation metric; 0 never stops. The best
        round is kept in any case
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "rankboost"

    def __init__(
        self,
        *,
        num_rounds: int | None = None,
        thresholds: int | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        patience: int | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "num_rounds": num_rounds,
                "thresholds": thresholds,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "patience": patience,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Linear(Method):
    """A weighted sum of features: linear regression, or by a ranking loss.

    Parameters
    ----------
    normalise : str, default standardise; one of standardise, none
        put features on a common scale: standardise to mean 0 and deviation 1, or none
    objective : str | Callable[..., Any], default squared_error; one of lambdarank, rank_xendcg, pairwise, peer, listnet, squared_error, logistic
        what training minimises (glassrank list objectives); or function(scores, grades, query) for
        every query, which returns (gradients, hessians)
    norm : bool, default true; one of true, false
        lambdarank, peer: LightGBM's normalisation, by score distance and per query; pairwise: per
        query
    pair_truncation : int, default 30; x >= 0
        lambdarank, peer, pairwise: pairs need a document ranked above this; 0 uses every pair
    ideal_truncation : int, default -1; x >= -1
        lambdarank, peer with target ndcg: cutoff of the ideal DCG; -1 is pair_truncation, 0 the
        whole list
    sigma : float, default 1; x > 0
        lambdarank, peer, pairwise: steepness of the pairwise logistic
    target : str, default ndcg
        lambdarank, peer: metric whose change weights a pair: ndcg, map, mrr, err or another one,
        with or without a cutoff
    peer_alpha : float, default 0.1; x >= 0
        peer: weight of the correction for random grades; 0 is lambdarank
    optimiser : str, default adam; one of adam, sgd
        adam, or plain steps against the gradient
    learning_rate : float, default 0.01; x > 0
        size of a step
    epochs : int, default 100; x >= 1
        maximum number of passes over the training data
    batch_queries : int, default 16; x >= 1
        queries per step
    l2 : float, default 0; x >= 0
        L2 penalty on the weights
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    patience : int, default 20; x >= 0
        stop after this many epochs without a better validation metric; 0 never stops. The best
        epoch is kept in any case
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "linear"

    def __init__(
        self,
        *,
        normalise: str | None = None,
        objective: str | Callable[..., Any] | None = None,
        norm: bool | None = None,
        pair_truncation: int | None = None,
        ideal_truncation: int | None = None,
        sigma: float | None = None,
        target: str | None = None,
        peer_alpha: float | None = None,
        optimiser: str | None = None,
        learning_rate: float | None = None,
        epochs: int | None = None,
        batch_queries: int | None = None,
        l2: float | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        patience: int | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "normalise": normalise,
                "objective": objective,
                "norm": norm,
                "pair_truncation": pair_truncation,
                "ideal_truncation": ideal_truncation,
                "sigma": sigma,
                "target": target,
                "peer_alpha": peer_alpha,
                "optimiser": optimiser,
                "learning_rate": learning_rate,
                "epochs": epochs,
                "batch_queries": batch_queries,
                "l2": l2,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "patience": patience,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class CoordinateAscent(Method):
    """A weighted sum of features that climbs a metric, weight by weight.

    Parameters
    ----------
    restarts : int, default 5; x >= 1
        number of climbs from the start, each with the features in another order
    iterations : int, default 25; 1 <= x <= 60
        number of steps to try in each direction
    step_base : float, default 0.05; x > 0
        first step as a share of the weight
    step_scale : float, default 2; 1 <= x <= 100
        factor from one step to the next
    tolerance : float, default 0.001; x >= 0
        a climb ends when all features together gain less than this
    normalise : str, default standardise; one of standardise, none
        put features on a common scale: standardise to mean 0 and deviation 1, or none
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "coordinate-ascent"

    def __init__(
        self,
        *,
        restarts: int | None = None,
        iterations: int | None = None,
        step_base: float | None = None,
        step_scale: float | None = None,
        tolerance: float | None = None,
        normalise: str | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "restarts": restarts,
                "iterations": iterations,
                "step_base": step_base,
                "step_scale": step_scale,
                "tolerance": tolerance,
                "normalise": normalise,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Ranknet(Method):
    """A neural network trained on pairs of documents.

    Parameters
    ----------
    preset : str, default none; one of none, ranklib
        ranklib trains RankLib's network as RankLib does; the options that this decides are then
        refused
    hidden : Sequence[float], default [32]; 1 <= x <= 65536
        number of units of each hidden layer
    activation : str, default relu; one of identity, sigmoid, tanh, relu
        activation function of the hidden units
    normalise : str, default standardise; one of standardise, none
        put features on a common scale: standardise to mean 0 and deviation 1, or none
    objective : str | Callable[..., Any], default pairwise; one of lambdarank, rank_xendcg, pairwise, peer, listnet, squared_error, logistic
        what training minimises (glassrank list objectives); or function(scores, grades, query) for
        every query, which returns (gradients, hessians)
    norm : bool, default true; one of true, false
        lambdarank, peer: LightGBM's normalisation, by score distance and per query; pairwise: per
        query
    pair_truncation : int, default 0; x >= 0
        lambdarank, peer, pairwise: pairs need a document ranked above this; 0 uses every pair
    ideal_truncation : int, default -1; x >= -1
        lambdarank, peer with target ndcg: cutoff of the ideal DCG; -1 is pair_truncation, 0 the
        whole list
    sigma : float, default 1; x > 0
        lambdarank, peer, pairwise: steepness of the pairwise logistic
    target : str, default ndcg
        lambdarank, peer: metric whose change weights a pair: ndcg, map, mrr, err or another one,
        with or without a cutoff
    peer_alpha : float, default 0.1; x >= 0
        peer: weight of the correction for random grades; 0 is lambdarank
    optimiser : str, default adam; one of adam, sgd
        adam, or plain steps against the gradient
    learning_rate : float, default 0.001; x > 0
        size of a step
    epochs : int, default 100; x >= 1
        maximum number of passes over the training data
    batch_queries : int, default 16; x >= 1
        queries per step
    l2 : float, default 0; x >= 0
        L2 penalty on the weights
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    patience : int, default 20; x >= 0
        stop after this many epochs without a better validation metric; 0 never stops. The best
        epoch is kept in any case
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "ranknet"

    def __init__(
        self,
        *,
        preset: str | None = None,
        hidden: Sequence[float] | None = None,
        activation: str | None = None,
        normalise: str | None = None,
        objective: str | Callable[..., Any] | None = None,
        norm: bool | None = None,
        pair_truncation: int | None = None,
        ideal_truncation: int | None = None,
        sigma: float | None = None,
        target: str | None = None,
        peer_alpha: float | None = None,
        optimiser: str | None = None,
        learning_rate: float | None = None,
        epochs: int | None = None,
        batch_queries: int | None = None,
        l2: float | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        patience: int | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "preset": preset,
                "hidden": hidden,
                "activation": activation,
                "normalise": normalise,
                "objective": objective,
                "norm": norm,
                "pair_truncation": pair_truncation,
                "ideal_truncation": ideal_truncation,
                "sigma": sigma,
                "target": target,
                "peer_alpha": peer_alpha,
                "optimiser": optimiser,
                "learning_rate": learning_rate,
                "epochs": epochs,
                "batch_queries": batch_queries,
                "l2": l2,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "patience": patience,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Mart(Method):
    """Boosted trees on the grades, whatever the query.

    Parameters
    ----------
    num_trees : int, default 100; x >= 0
        maximum number of trees
    learning_rate : float, default 0.1; x > 0
        factor for every leaf value
    num_leaves : int, default 31; 1 <= x <= 65536
        maximum number of leaves of a tree
    max_depth : int, default 0; x >= 0
        maximum number of splits on the path to a leaf; 0 for no limit
    growth : str, default leaf; one of leaf, depth
        which leaf is split next: the best one, or level by level
    min_leaf_rows : int, default 20; x >= 0
        minimum number of rows in a leaf
    min_leaf_hessian : float, default 0.001; x >= 0
        minimum sum of hessians in a leaf
    l1 : float, default 0; x >= 0
        L1 penalty on leaf values
    l2 : float, default 0; x >= 0
        L2 penalty on leaf values
    min_gain : float, default 0; x >= 0
        a split must gain more than this
    cat_smooth : float, default 10; x >= 0
        categories are sorted by gradient / (hessian + this) before they are divided; a category
        with fewer rows than this stays with the rest
    cat_l2 : float, default 10; x >= 0
        L2 penalty on splits by categories, added to l2
    max_cat_to_onehot : int, default 4; x >= 0
        a feature with at most this many categories splits off one category at a time
    max_cat_threshold : int, default 32; 1 <= x <= 256
        maximum number of categories that a split sends to the left
    min_data_per_group : int, default 100; x >= 0
        minimum number of rows that categories must add to a split before it is tried again
    feature_fraction : float, default 1; 0 < x <= 1
        share of the features each tree may use
    precision : str, default fast; one of fast, full
        precision of histograms: fast rounds gradients to small integers, full sums doubles
    active : str, default auto; one of auto, all, share
        rows that precision = fast puts into histograms: all, or a share drawn by gradient; auto
        draws a share from 100,000 rows on
    active_share : float, default 0.15; 0 < x <= 1
        share of the rows that active = share draws
    max_bins : int, default 255; 2 <= x <= 65535
        maximum number of bins per feature, without the one for missing values
    sample_rows : int, default 200000; x >= 0
        number of rows from which cut points are chosen; 0 is all
    min_bin_rows : int, default 3; 1 <= x <= 1000000000
        minimum number of sampled rows in a bin
    max_categories : int, default 4096; 0 <= x <= 32767
        maximum number of categories of a feature that get a bin of their own; if there are more
        than max_bins, only those that cover 99 % of the rows do; 0 is max_bins
    monotone : Sequence[str] | str, default none
        monotone features: with +FEATURE the score never falls as the feature rises, with -FEATURE
        it never rises
    interactions : Sequence[str] | str, default none
        sets of features that may appear together on a branch; a feature in no set is not used
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    patience : int, default 50; x >= 0
        stop after this many rounds without a better validation metric and keep the trees up to the
        best round; 0 never stops and keeps every tree
    min_delta : float, default 0; x >= 0
        a round counts as better only if the metric rises by more than this
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    sample : Sampler | str
        a sampler, as HighLow(0.2, 0.4): which rows a tree sees; all without one
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "mart"

    def __init__(
        self,
        *,
        num_trees: int | None = None,
        learning_rate: float | None = None,
        num_leaves: int | None = None,
        max_depth: int | None = None,
        growth: str | None = None,
        min_leaf_rows: int | None = None,
        min_leaf_hessian: float | None = None,
        l1: float | None = None,
        l2: float | None = None,
        min_gain: float | None = None,
        cat_smooth: float | None = None,
        cat_l2: float | None = None,
        max_cat_to_onehot: int | None = None,
        max_cat_threshold: int | None = None,
        min_data_per_group: int | None = None,
        feature_fraction: float | None = None,
        precision: str | None = None,
        active: str | None = None,
        active_share: float | None = None,
        max_bins: int | None = None,
        sample_rows: int | None = None,
        min_bin_rows: int | None = None,
        max_categories: int | None = None,
        monotone: Sequence[str] | str | None = None,
        interactions: Sequence[str] | str | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        patience: int | None = None,
        min_delta: float | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        sample: Sampler | str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "num_trees": num_trees,
                "learning_rate": learning_rate,
                "num_leaves": num_leaves,
                "max_depth": max_depth,
                "growth": growth,
                "min_leaf_rows": min_leaf_rows,
                "min_leaf_hessian": min_leaf_hessian,
                "l1": l1,
                "l2": l2,
                "min_gain": min_gain,
                "cat_smooth": cat_smooth,
                "cat_l2": cat_l2,
                "max_cat_to_onehot": max_cat_to_onehot,
                "max_cat_threshold": max_cat_threshold,
                "min_data_per_group": min_data_per_group,
                "feature_fraction": feature_fraction,
                "precision": precision,
                "active": active,
                "active_share": active_share,
                "max_bins": max_bins,
                "sample_rows": sample_rows,
                "min_bin_rows": min_bin_rows,
                "max_categories": max_categories,
                "monotone": monotone,
                "interactions": interactions,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "patience": patience,
                "min_delta": min_delta,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "sample": sample,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class RandomForest(Method):
    """The mean of trees grown on shares of queries and features.

    Parameters
    ----------
    num_trees : int, default 300; x >= 1
        number of trees to average
    num_leaves : int, default 100; 1 <= x <= 65536
        maximum number of leaves of a tree
    max_depth : int, default 0; x >= 0
        maximum number of splits on the path to a leaf; 0 for no limit
    min_leaf_rows : int, default 1; x > 0
        minimum number of rows in a leaf
    feature_fraction : float, default 0.3; 0 < x <= 1
        share of the features each tree may use
    query_fraction : float, default 0.632; 0 < x <= 1
        share of the queries that each tree is grown on
    max_bins : int, default 255; 2 <= x <= 255
        maximum number of bins per feature
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "random-forest"

    def __init__(
        self,
        *,
        num_trees: int | None = None,
        num_leaves: int | None = None,
        max_depth: int | None = None,
        min_leaf_rows: int | None = None,
        feature_fraction: float | None = None,
        query_fraction: float | None = None,
        max_bins: int | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "num_trees": num_trees,
                "num_leaves": num_leaves,
                "max_depth": max_depth,
                "min_leaf_rows": min_leaf_rows,
                "feature_fraction": feature_fraction,
                "query_fraction": query_fraction,
                "max_bins": max_bins,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Tree(Method):
    """One regression tree on the grades.

    Parameters
    ----------
    max_depth : int, default 4; x >= 0
        maximum number of splits on the path to a leaf; 0 for no limit
    num_leaves : int, default 0; 0 <= x <= 65536
        maximum number of leaves; 0 for no limit
    min_split : float, default 0.1; 0 <= x <= 1
        minimum share of the rows in a node that is split
    min_leaf : float, default 0.1; 0 <= x <= 1
        minimum share of the rows in a leaf
    max_bins : int, default 255; 2 <= x <= 255
        maximum number of values of a feature that are told apart
    metric : str | Callable[..., float] | Sequence[str | Callable[..., float]], default [ndcg@10]
        metrics to watch during training; functions of the grades in the order of the ranking, best
        first, may stand among the names
    stop_metric : str | Callable[..., float], default none
        the metric that stops training and chooses the best round; empty is the first
    train_metric : bool, default true; one of true, false
        also watch the metrics of the training data
    gain : str, default exp; one of exp, linear, table
        gain of a grade in dcg and ndcg, for metrics and for training: 2^grade - 1, the grade, or
        gain_table
    gain_table : Sequence[float], default none; x >= 0
        gains of grades 0, 1, 2, ... for gain = table
    bags : int, default 1; 1 <= x <= 10000
        number of models to train and average; each leaves some of the queries out
    valid_share : float, default 0.15; 0 <= x < 1
        share of the queries that each bag holds out
    stop_on : str, default valid; one of valid, bag
        data used for early stopping: the validation data, or the queries that a bag holds out
    clean : Cleaner | str
        a cleaner, as Sour("neg"): documents that are dropped before training; none without one
    seed : int, default 0
        Random numbers follow from it.
    threads : int, default 0
        0: one per core. The model does not depend on it.
    """

    method = "tree"

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        num_leaves: int | None = None,
        min_split: float | None = None,
        min_leaf: float | None = None,
        max_bins: int | None = None,
        metric: str | Callable[..., float] | Sequence[str | Callable[..., float]] | None = None,
        stop_metric: str | Callable[..., float] | None = None,
        train_metric: bool | None = None,
        gain: str | None = None,
        gain_table: Sequence[float] | None = None,
        bags: int | None = None,
        valid_share: float | None = None,
        stop_on: str | None = None,
        clean: Cleaner | str | None = None,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__(
            {
                "max_depth": max_depth,
                "num_leaves": num_leaves,
                "min_split": min_split,
                "min_leaf": min_leaf,
                "max_bins": max_bins,
                "metric": metric,
                "stop_metric": stop_metric,
                "train_metric": train_metric,
                "gain": gain,
                "gain_table": gain_table,
                "bags": bags,
                "valid_share": valid_share,
                "stop_on": stop_on,
                "clean": clean,
                "seed": seed,
                "threads": threads,
            }
        )


class Rows(Sampler):
    """A share of the rows, drawn at random.

    Parameters
    ----------
    fraction : float, default 0.8; 0 < x <= 1
        share that rows and queries draw
    every : int, default 1; x >= 1
        draw a new sample every N rounds; the first N rounds use all negatives
    """

    _name = "rows"

    def __init__(
        self,
        fraction: float | None = None,
        *,
        every: int | None = None,
    ) -> None:
        super().__init__(
            {
                "fraction": fraction,
                "every": every,
            }
        )


class Queries(Sampler):
    """A share of the queries, drawn at random.

    Parameters
    ----------
    fraction : float, default 0.8; 0 < x <= 1
        share that rows and queries draw
    every : int, default 1; x >= 1
        draw a new sample every N rounds; the first N rounds use all negatives
    """

    _name = "queries"

    def __init__(
        self,
        fraction: float | None = None,
        *,
        every: int | None = None,
    ) -> None:
        super().__init__(
            {
                "fraction": fraction,
                "every": every,
            }
        )


class Goss(Sampler):
    """The rows with the largest gradients and a share of the others.

    Parameters
    ----------
    top : float, default 0.2; x >= 0
        goss: share of the rows to keep for their large gradients; selective, high-low: share of
        negatives to keep for their high scores (sample.count says of what)
    other : float, default 0.1; 0 <= x <= 1
        goss: share of all rows that is drawn from the rest
    """

    _name = "goss"

    def __init__(
        self,
        top: float | None = None,
        *,
        other: float | None = None,
    ) -> None:
        super().__init__(
            {
                "top": top,
                "other": other,
            }
        )


class Selective(Sampler):
    """Positives, and the negatives that score highest (SelGB).

    Parameters
    ----------
    every : int, default 1; x >= 1
        draw a new sample every N rounds; the first N rounds use all negatives
    top : float, default 0.2; x >= 0
        goss: share of the rows to keep for their large gradients; selective, high-low: share of
        negatives to keep for their high scores (sample.count says of what)
    random : float, default -1; x >= -1
        random-negatives, selective: share of negatives to draw from the rest; -1 is 0.2 for random-
        negatives and 0 for selective
    count : str, default ratio; one of ratio, multiple, positives
        what top, bottom and random are shares of: the query's negatives (ratio; a share, at most
        1), its positives (multiple), or its negatives above the last positive (positives)
    rounding : str, default round; one of floor, round, ceil
        rounding of the numbers of negatives
    min_negatives : int, default 0; x >= 0
        minimum number of negatives to keep in a query that has them
    negative_grade : float, default 0; x >= 0
        documents up to this grade are negatives
    adaptive : str, default none; one of none, fixed, ratio, mix
        selective: shares the negatives out anew each round, by how many of the last rounds set a
        new best; fixed and mix take random ones after many of them and the highest ones after none;
        ratio and mix replace some of the highest by random ones
    window : int, default 100; x >= 1
        number of rounds that adaptive looks at
    """

    _name = "selective"

    def __init__(
        self,
        top: float | None = None,
        *,
        every: int | None = None,
        random: float | None = None,
        count: str | None = None,
        rounding: str | None = None,
        min_negatives: int | None = None,
        negative_grade: float | None = None,
        adaptive: str | None = None,
        window: int | None = None,
    ) -> None:
        super().__init__(
            {
                "every": every,
                "top": top,
                "random": random,
                "count": count,
                "rounding": rounding,
                "min_negatives": min_negatives,
                "negative_grade": negative_grade,
                "adaptive": adaptive,
                "window": window,
            }
        )


class HighLow(Sampler):
    """Positives, and the negatives that score highest and lowest (High_Low_Sampl).

    Parameters
    ----------
    every : int, default 1; x >= 1
        draw a new sample every N rounds; the first N rounds use all negatives
    top : float, default 0.2; x >= 0
        goss: share of the rows to keep for their large gradients; selective, high-low: share of
        negatives to keep for their high scores (sample.count says of what)
    bottom : float, default 0.4; x >= 0
        high-low: share of negatives to keep for their low scores
    count : str, default ratio; one of ratio, multiple, positives
        what top, bottom and random are shares of: the query's negatives (ratio; a share, at most
        1), its positives (multiple), or its negatives above the last positive (positives)
    rounding : str, default round; one of floor, round, ceil
        rounding of the numbers of negatives
    min_negatives : int, default 0; x >= 0
        minimum number of negatives to keep in a query that has them
    negative_grade : float, default 0; x >= 0
        documents up to this grade are negatives
    """

    _name = "high-low"

    def __init__(
        self,
        top: float | None = None,
        bottom: float | None = None,
        *,
        every: int | None = None,
        count: str | None = None,
        rounding: str | None = None,
        min_negatives: int | None = None,
        negative_grade: float | None = None,
    ) -> None:
        super().__init__(
            {
                "every": every,
                "top": top,
                "bottom": bottom,
                "count": count,
                "rounding": rounding,
                "min_negatives": min_negatives,
                "negative_grade": negative_grade,
            }
        )


class RandomNegatives(Sampler):
    """Positives, and negatives drawn at random in every query.

    Parameters
    ----------
    every : int, default 1; x >= 1
        draw a new sample every N rounds; the first N rounds use all negatives
    random : float, default -1; x >= -1
        random-negatives, selective: share of negatives to draw from the rest; -1 is 0.2 for random-
        negatives and 0 for selective
    count : str, default ratio; one of ratio, multiple, positives
        what top, bottom and random are shares of: the query's negatives (ratio; a share, at most
        1), its positives (multiple), or its negatives above the last positive (positives)
    rounding : str, default round; one of floor, round, ceil
        rounding of the numbers of negatives
    min_negatives : int, default 0; x >= 0
        minimum number of negatives to keep in a query that has them
    negative_grade : float, default 0; x >= 0
        documents up to this grade are negatives
    """

    _name = "random-negatives"

    def __init__(
        self,
        *,
        every: int | None = None,
        random: float | None = None,
        count: str | None = None,
        rounding: str | None = None,
        min_negatives: int | None = None,
        negative_grade: float | None = None,
    ) -> None:
        super().__init__(
            {
                "every": every,
                "random": random,
                "count": count,
                "rounding": rounding,
                "min_negatives": min_negatives,
                "negative_grade": negative_grade,
            }
        )


class Sour(Cleaner):
    """Documents that a base model ranks wrongly after every round of a window.

    Parameters
    ----------
    type : str, default all; one of neg, pos, all
        which documents may be dropped: not relevant, relevant, or both
    start : int, default 1; 1 <= x <= 65534
        first round of the window of sour, p-sour and curr-sour
    end : int, default 0; 0 <= x <= 65534
        last round of the window, and number of rounds of the base model; 0 is num_trees
    definition : str, default paper; one of paper, released
        definition of an outlier: the paper's, or the broader one of the authors' program
    cutoff : int, default 0; x >= 0
        number of ranks that count as the top; 0 is the cutoff of the stop metric
    negative_grade : float, default 0
        grades up to this one are not relevant
    tune : bool, default false; one of true, false
        try windows, types and shares on one base model and keep the best on the validation data;
        values that you give (start, type, p, contamination) stay fixed
    """

    _name = "sour"

    def __init__(
        self,
        type: str | None = None,
        *,
        start: int | None = None,
        end: int | None = None,
        definition: str | None = None,
        cutoff: int | None = None,
        negative_grade: float | None = None,
        tune: bool | None = None,
    ) -> None:
        super().__init__(
            {
                "type": type,
                "start": start,
                "end": end,
                "definition": definition,
                "cutoff": cutoff,
                "negative_grade": negative_grade,
                "tune": tune,
            }
        )


class PSour(Cleaner):
    """Those wrong after more than a share p of the rounds.

    Parameters
    ----------
    type : str, default all; one of neg, pos, all
        which documents may be dropped: not relevant, relevant, or both
    start : int, default 1; 1 <= x <= 65534
        first round of the window of sour, p-sour and curr-sour
    end : int, default 0; 0 <= x <= 65534
        last round of the window, and number of rounds of the base model; 0 is num_trees
    p : float, default 0.9; 0 <= x < 1
        p-sour: a document is dropped if it is an outlier in more than this share of the window's
        rounds
    definition : str, default paper; one of paper, released
        definition of an outlier: the paper's, or the broader one of the authors' program
    cutoff : int, default 0; x >= 0
        number of ranks that count as the top; 0 is the cutoff of the stop metric
    negative_grade : float, default 0
        grades up to this one are not relevant
    tune : bool, default false; one of true, false
        try windows, types and shares on one base model and keep the best on the validation data;
        values that you give (start, type, p, contamination) stay fixed
    """

    _name = "p-sour"

    def __init__(
        self,
        type: str | None = None,
        *,
        start: int | None = None,
        end: int | None = None,
        p: float | None = None,
        definition: str | None = None,
        cutoff: int | None = None,
        negative_grade: float | None = None,
        tune: bool | None = None,
    ) -> None:
        super().__init__(
            {
                "type": type,
                "start": start,
                "end": end,
                "p": p,
                "definition": definition,
                "cutoff": cutoff,
                "negative_grade": negative_grade,
                "tune": tune,
            }
        )


class LastSour(Cleaner):
    """Those wrong after the best validation round.

    Parameters
    ----------
    type : str, default all; one of neg, pos, all
        which documents may be dropped: not relevant, relevant, or both
    end : int, default 0; 0 <= x <= 65534
        last round of the window, and number of rounds of the base model; 0 is num_trees
    definition : str, default paper; one of paper, released
        definition of an outlier: the paper's, or the broader one of the authors' program
    cutoff : int, default 0; x >= 0
        number of ranks that count as the top; 0 is the cutoff of the stop metric
    negative_grade : float, default 0
        grades up to this one are not relevant
    tune : bool, default false; one of true, false
        try windows, types and shares on one base model and keep the best on the validation data;
        values that you give (start, type, p, contamination) stay fixed
    """

    _name = "last-sour"

    def __init__(
        self,
        type: str | None = None,
        *,
        end: int | None = None,
        definition: str | None = None,
        cutoff: int | None = None,
        negative_grade: float | None = None,
        tune: bool | None = None,
    ) -> None:
        super().__init__(
            {
                "type": type,
                "end": end,
                "definition": definition,
                "cutoff": cutoff,
                "negative_grade": negative_grade,
                "tune": tune,
            }
        )


class CurrSour(Cleaner):
    """None for good: documents wrong from the start join in stage by stage.

    Parameters
    ----------
    type : str, default all; one of neg, pos, all
        which documents may be dropped: not relevant, relevant, or both
    start : int, default 1; 1 <= x <= 65534
        first round of the window of sour, p-sour and curr-sour
    end : int, default 0; 0 <= x <= 65534
        last round of the window, and number of rounds of the base model; 0 is num_trees
    definition : str, default paper; one of paper, released
        definition of an outlier: the paper's, or the broader one of the authors' program
    cutoff : int, default 0; x >= 0
        number of ranks that count as the top; 0 is the cutoff of the stop metric
    negative_grade : float, default 0
        grades up to this one are not relevant
    stages : Sequence[float], default [0.05, 0.2, 0.5, 0.8, 0.9]; 0 < x <= 65534
        curr-sour: numbers of trees after which documents are added; numbers below 1 are shares of
        num_trees
    tune : bool, default false; one of true, false
        try windows, types and shares on one base model and keep the best on the validation data;
        values that you give (start, type, p, contamination) stay fixed
    """

    _name = "curr-sour"

    def __init__(
        self,
        type: str | None = None,
        *,
        start: int | None = None,
        end: int | None = None,
        definition: str | None = None,
        cutoff: int | None = None,
        negative_grade: float | None = None,
        stages: Sequence[float] | None = None,
        tune: bool | None = None,
    ) -> None:
        super().__init__(
            {
                "type": type,
                "start": start,
                "end": end,
                "definition": definition,
                "cutoff": cutoff,
                "negative_grade": negative_grade,
                "stages": stages,
                "tune": tune,
            }
        )


class IsolationForest(Cleaner):
    """Documents whose features are far from all others.

    Parameters
    ----------
    type : str, default all; one of neg, pos, all
        which documents may be dropped: not relevant, relevant, or both
    negative_grade : float, default 0
        grades up to this one are not relevant
    tune : bool, default false; one of true, false
        try windows, types and shares on one base model and keep the best on the validation data;
        values that you give (start, type, p, contamination) stay fixed
    num_trees : int, default 100; x >= 1
        isolation-forest: number of trees
    sample_rows : int, default 256; x >= 2
        isolation-forest: rows that each tree is grown on
    height : int, default 8; x >= 1
        isolation-forest: greatest depth of a tree
    threshold : float, default 0.5; 0 <= x <= 1
        isolation-forest: drop documents whose score is above this
    contamination : float, default 0; 0 <= x < 1
        isolation-forest: drop this share of all documents, those of clean.type with the highest
        scores; 0 uses clean.threshold instead
    """

    _name = "isolation-forest"

    def __init__(
        self,
        type: str | None = None,
        *,
        negative_grade: float | None = None,
        tune: bool | None = None,
        num_trees: int | None = None,
        sample_rows: int | None = None,
        height: int | None = None,
        threshold: float | None = None,
        contamination: float | None = None,
    ) -> None:
        super().__init__(
            {
                "type": type,
                "negative_grade": negative_grade,
                "tune": tune,
                "num_trees": num_trees,
                "sample_rows": sample_rows,
                "height": height,
                "threshold": threshold,
                "contamination": contamination,
            }
        )
