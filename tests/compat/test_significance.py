"""glassrank compare against scipy and ranx on random per-query values.

Run with `pytest tests/compat`; GLASSRANK names the program (default build/glassrank).
"""

import itertools
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

stats = pytest.importorskip("scipy.stats")

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("GLASSRANK", str(ROOT / "build" / "glassrank"))


def make_systems(seed, num_systems, num_queries, grid=None):
    """Correlated per-query values; `grid` rounds them, which makes ties and equal queries."""
    rng = np.random.default_rng(seed)
    hard = rng.uniform(0.1, 0.9, num_queries)
    values = hard + rng.normal(0, 0.1, (num_systems, num_queries))
    values += np.linspace(0, 0.06, num_systems)[:, None]
    values = np.clip(values, 0, 1)
    return np.round(values * grid) / grid if grid else values


def write_per_query(folder, values, metric="ndcg@10"):
    paths = []
    for s, row in enumerate(values):
        path = folder / f"s{s}.tsv"
        path.write_text("".join(f"{metric}\tq{q}\t{float(v)!r}\n" for q, v in enumerate(row)))
        paths.append(path)
    return paths


def compare(paths, *options):
    arguments = [PROGRAM, "compare", "--json", *options]
    for path in paths:
        arguments += ["--per-query", str(path)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def pairs_of(result):
    return {(p["a"], p["b"]): p for p in result["metrics"][0]["pairs"]}


CASES = [(1, 2, 8, None), (2, 3, 25, None), (3, 4, 40, 20), (4, 3, 49, None), (5, 3, 200, 10), (6, 5, 1000, None)]


@pytest.mark.parametrize("case", CASES)
def test_student_is_scipys_ttest_rel(tmp_path, case):
    values = make_systems(*case)
    result = pairs_of(compare(write_per_query(tmp_path, values), "--test", "student", "--correction", "none"))
    for a, b in itertools.combinations(range(len(values)), 2):
        ours = result[f"s{a}", f"s{b}"]
        theirs = stats.ttest_rel(values[a], values[b])
        interval = theirs.confidence_interval(0.95)
        assert ours["statistic"] == pytest.approx(theirs.statistic, rel=1e-9)
        assert ours["p"] == pytest.approx(theirs.pvalue, rel=1e-8)
        assert ours["interval"] == pytest.approx([interval.low, interval.high], rel=1e-8)
        for side in ("greater", "less"):
            expected = stats.ttest_rel(values[a], values[b], alternative=side).pvalue
            assert ours[f"p_{side}"] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("case", CASES + [(7, 3, 12, 10), (8, 2, 50, None), (9, 2, 51, None)])
def test_wilcoxon_is_scipys(tmp_path, case):
    values = make_systems(*case)
    result = pairs_of(compare(write_per_query(tmp_path, values), "--test", "wilcoxon", "--correction", "none"))
    for a, b in itertools.combinations(range(len(values)), 2):
        ours = result[f"s{a}", f"s{b}"]
        for side, key in (("two-sided", "p"), ("greater", "p_greater"), ("less", "p_less")):
            theirs = stats.wilcoxon(values[a], values[b], alternative=side)
            assert ours[key] == pytest.approx(theirs.pvalue, rel=1e-9)
        assert ours["statistic"] == theirs.statistic


def residual_error(values):
    """Two-way analysis of variance without replication: residual mean square, degrees."""
    k, n = values.shape
    residual = values - values.mean(1, keepdims=True) - values.mean(0, keepdims=True) + values.mean()
    degrees = (k - 1) * (n - 1)
    return (residual**2).sum() / degrees, degrees


@pytest.mark.parametrize("case", CASES)
def test_tukey_with_blocks_is_the_studentized_range_of_two_way_residuals(tmp_path, case):
    values = make_systems(*case)
    k, n = values.shape
    error, degrees = residual_error(values)
    result = pairs_of(compare(write_per_query(tmp_path, values), "--test", "tukey"))
    for a, b in itertools.combinations(range(k), 2):
        q = abs(values[a].mean() - values[b].mean()) / np.sqrt(error / n)
        ours = result[f"s{a}", f"s{b}"]
        assert ours["statistic"] == pytest.approx(q, rel=1e-9)
        assert ours["p"] == pytest.approx(stats.studentized_range.sf(q, k, degrees), abs=1e-8)
        assert ours["p_corrected"] == ours["p"]


@pytest.mark.parametrize("case", CASES[1:4])
def test_tukey_without_blocks_is_scipys_tukey_hsd(tmp_path, case):
    values = make_systems(*case)
    result = pairs_of(compare(write_per_query(tmp_path, values), "--test", "tukey", "--no-blocks"))
    theirs = stats.tukey_hsd(*values)
    interval = theirs.confidence_interval(0.95)
    for a, b in itertools.combinations(range(len(values)), 2):
        ours = result[f"s{a}", f"s{b}"]
        assert ours["p"] == pytest.approx(theirs.pvalue[a, b], abs=1e-8)
        assert ours["interval"] == pytest.approx([interval.low[a, b], interval.high[a, b]], abs=1e-7)


def test_studentized_range_over_a_grid(tmp_path):
    """p of Tukey's test for many q, groups and degrees, through the program."""
    rng = np.random.default_rng(11)
    for k, n in [(2, 3), (3, 5), (4, 12), (6, 30), (5, 400)]:
        values = rng.normal(0, 1, (k, n)) + rng.normal(0, 1 / np.sqrt(n), (k, 1)) * 2
        error, degrees = residual_error(values)
        for pair in compare(write_per_query(tmp_path, values), "--test", "tukey")["metrics"][0]["pairs"]:
            expected = stats.studentized_range.sf(pair["statistic"], k, degrees)
            assert pair["p"] == pytest.approx(expected, abs=1e-8)


def exact_fisher(d, alternative):
    return stats.permutation_test(
        (d,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative=alternative
    ).pvalue


@pytest.mark.parametrize("grid", [None, 10])
def test_exact_fisher_is_scipys_permutation_test(tmp_path, grid):
    values = make_systems(21, 3, 12, grid)
    result = pairs_of(compare(write_per_query(tmp_path, values), "--correction", "none"))
    for a, b in itertools.combinations(range(3), 2):
        ours = result[f"s{a}", f"s{b}"]
        d = values[a] - values[b]
        # scipy's tie tolerance is relative to the observed sum and fails near 0: give it integers.
        d = np.round(d * grid) if grid else d
        assert ours["exact"]
        assert ours["p_greater"] == pytest.approx(exact_fisher(d, "greater"), rel=1e-12)
        assert ours["p_less"] == pytest.approx(exact_fisher(d, "less"), rel=1e-12)
        # scipy doubles the smaller side; ours counts both, which is the same by symmetry.
        assert ours["p"] == pytest.approx(min(1, exact_fisher(d, "two-sided")), rel=1e-12)


@pytest.mark.parametrize("case", CASES[1:])
def test_random_fisher_is_scipys_within_monte_carlo_error(tmp_path, case):
    values = make_systems(*case)
    result = pairs_of(compare(write_per_query(tmp_path, values), "--correction", "none"))
    rng = np.random.default_rng(5)
    for a, b in itertools.combinations(range(len(values)), 2):
        d = values[a] - values[b]
        count = 20_000
        signs = rng.integers(0, 2, (count, len(d)), dtype=np.int8) * 2 - 1
        theirs = (np.sum(np.abs(signs @ d) >= abs(d.sum()) - 1e-9) + 1) / (count + 1)
        error = np.sqrt(theirs * (1 - theirs) * (1 / count + 1 / 100_000)) + 1 / count
        assert result[f"s{a}", f"s{b}"]["p"] == pytest.approx(theirs, abs=5 * error)


def test_bootstrap_intervals_are_scipys_within_monte_carlo_error(tmp_path):
    values = make_systems(31, 2, 80)
    paths = write_per_query(tmp_path, values)
    for method in ("bca", "percentile"):
        result = compare(paths, "--interval", method, "--resamples", "100000")
        theirs = stats.bootstrap(
            (values[0],), np.mean, n_resamples=30_000, method="BCa" if method == "bca" else method,
            random_state=1, batch=1000,
        ).confidence_interval
        ours = result["metrics"][0]["systems"][0]["interval"]
        width = theirs.high - theirs.low
        assert ours == pytest.approx([theirs.low, theirs.high], abs=0.02 * width)


def test_holm_and_bonferroni(tmp_path):
    values = make_systems(41, 4, 60)
    paths = write_per_query(tmp_path, values)
    plain = compare(paths, "--test", "student", "--correction", "none")["metrics"][0]["pairs"]
    p = np.array([pair["p"] for pair in plain])
    order = np.argsort(p)
    holm = np.empty_like(p)
    holm[order] = np.minimum(1, np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))))
    for name, expected in (("holm", holm), ("bonferroni", np.minimum(1, p * len(p)))):
        pairs = compare(paths, "--test", "student", "--correction", name)["metrics"][0]["pairs"]
        assert [pair["p_corrected"] for pair in pairs] == pytest.approx(expected, rel=1e-12)
        assert [pair["significant"] for pair in pairs] == [bool(e <= 0.05) for e in expected]


def test_the_number_of_threads_changes_nothing(tmp_path):
    paths = write_per_query(tmp_path, make_systems(51, 3, 300))
    one = compare(paths, "--threads", "1")
    assert compare(paths, "--threads", "2") == one
    assert compare(paths, "--threads", "4") == one
    assert compare(paths, "--seed", "1") != one


def test_ranx_compares_alike(tmp_path):
    """Runs whose P@4 are the per-query values: student and Tukey p, win/tie/loss, who beats whom."""
    ranx = pytest.importorskip("ranx")
    rng = np.random.default_rng(61)
    num_queries = 60
    qrels = {f"q{q}": {f"d{d}": 1 for d in range(4)} for q in range(num_queries)}
    runs, values = [], np.empty((3, num_queries))
    for s, quality in enumerate((0.4, 0.5, 0.65)):
        run = {}
        for q in range(num_queries):
            hits = rng.binomial(4, quality)
            found = [f"d{d}" for d in range(hits)] + [f"x{d}" for d in range(4 - hits)]
            run[f"q{q}"] = {document: 1.0 - 0.1 * rank for rank, document in enumerate(found)}
            values[s, q] = hits / 4
        runs.append(ranx.Run(run, name=f"s{s}"))
    paths = write_per_query(tmp_path, values, "precision@4")
    for test, options in (("student", ["--correction", "none"]), ("tukey", ["--no-blocks"])):
        theirs = ranx.compare(
            ranx.Qrels(qrels), runs, ["precision@4"], max_p=0.05, stat_test=test
        ).to_dict()
        result = compare(paths, "--test", test, *options)["metrics"][0]
        for pair in result["pairs"]:
            a, b = pair["a"], pair["b"]
            expected = theirs[a]["comparisons"][b]["precision@4"]
            assert pair["p"] == pytest.approx(expected, abs=1e-8)
            counts = theirs[a]["win_tie_loss"][b]["precision@4"]
            assert (pair["num_wins"], pair["num_ties"], pair["num_losses"]) == (counts["W"], counts["T"], counts["L"])
        for system in result["systems"]:
            assert system["mean"] == pytest.approx(theirs[system["system"]]["scores"]["precision@4"])
