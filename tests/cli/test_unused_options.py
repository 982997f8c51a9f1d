"""Options that mean something only beside others: each one given alone is an error that says whose it is.

A case is a command that works, what is added to it, and what the error has to say.
"""
import subprocess

import pytest

TRAIN = "train --train train.txt --out x.txt --num-trees 2"
LINEAR = "train --method linear --train train.txt --out x.txt"
ILMART = "train --method ilmart --num-interactions 0 --train train.txt --out x.txt --num-trees 2"
EBM = "train --method ebm --max-rounds 2 --bags 2 --train train.txt --out x.txt"
EXPLAIN = "explain --model model.txt --data test.txt"
SCORES = "evaluate --data test.txt --scores scores.txt"
COMPARE = "compare --per-query a.tsv --per-query b.tsv --resamples 100"
INSPECT = "inspect --model model.txt"
EDIT = "edit --model gam.json --out edited.json --to gam-json --edit purify"
CONVERT = "convert --model model.txt --to lightgbm --out converted.txt"
CACHE = "data cache train.txt --out train.cache"
SAMPLING = "study sampling --train train.txt --valid valid.txt --out study --systems full,high-low --num-trees 2"
NOISE = ("study noise --train train.txt --valid valid.txt --test test.txt --out study --rates 0.1 --seeds 1 "
         "--num-trees 3 --starts 1,2 --permutations 100")

CASES = [
    (TRAIN, "--gain-table 0,1,3", "--gain-table belongs to --gain table; here gain is exp"),
    (TRAIN + " --target map", "--ideal-truncation 5", "--ideal-truncation belongs to --target ndcg; here target is map"),
    (TRAIN + " --target mrr", "--ideal-truncation 5", "--ideal-truncation belongs to --target ndcg; here target is mrr"),
    (TRAIN, "--max-categories 9", "--max-categories is for features of categories, and train.txt has none"),
    (TRAIN + " --valid valid.txt", "--search cat_smooth=1|10", "--cat-smooth is for features of categories"),
    *[(LINEAR, option, f"{option.split()[0]} belongs to --objective lambdarank, ")
      for option in ("--learning-rate 0.1", "--epochs 3", "--optimiser sgd", "--batch-queries 4")],
    *[(ILMART, option, "belongs to --num-interactions; here num_interactions is 0")
      for option in ("--pair-selection fast", "--interaction-trees 5", "--interaction-leaves 5",
                     "--interaction-learning-rate 0.2", "--no-heredity", "--no-purify")],
    (EBM, "--pair-bins 8", "--pair-bins belongs to --num-interactions; here num_interactions is 0"),
    (EBM, "--gradients-every 2", "--gradients-every belongs to --objective lambdarank, "),
    *[(EXPLAIN, option, f"{option.split()[0]} belongs to --plot, which is not given")
      for option in ("--plot-kind bar", "--plot-order given", "--plot-feature 1", "--plot-features 3")],
    (EXPLAIN, "--background-rows 5", "--background-rows belongs to --game interventional; here game is path-dependent"),
    (EXPLAIN, "--command-seconds 3", "--command-seconds belongs to --command, which is not given"),
    *[(EXPLAIN + " --no-audit", option, f"{option.split()[0]} belongs to --audit; here audit is false")
      for option in ("--audit-tau b", "--audit-typical zero", "--seeds 2")],
    (EXPLAIN + " --document 1", "--top-documents 2", "--top-documents does not go with --document"),
    (EXPLAIN + " --pair 1,2", "--top-documents 2", "--top-documents does not go with --pair"),
    ("audit --model model.txt --data test.txt --methods tree-shap --k 2 --queries 2", "--plot-kind auc",
     "--plot-kind belongs to --plot, which is not given"),
    ("audit --model model.txt --data test.txt --methods tree-shap --k 2 --queries 2", "--tree-shap.background-rows 5",
     "--tree-shap.background-rows belongs to --tree-shap.game interventional; here tree-shap.game is path-dependent"),
    ("summary --model model.txt --data test.txt", "--max-groups 3", "--max-groups belongs to --by-feature, which is not given"),
    ("dependence --model model.txt --data test.txt --feature 1", "--documents 3",
     "--documents belongs to --kind ice; here kind is pdp"),
    (COMPARE + " --test student", "--permutations 100", "--permutations belongs to --test fisher; here test is student"),
    (COMPARE + " --test tukey", "--correction none", "--correction belongs to --test fisher, student or wilcoxon; here test is tukey"),
    (COMPARE, "--no-blocks", "--blocks belongs to --test tukey; here test is fisher"),
    (COMPARE, "--latex-label t", "--latex-label belongs to --layout latex; here layout is table"),
    (COMPARE, "--caption t", "--caption belongs to --layout latex; here layout is table"),
    (SCORES, "--complete", "--complete belongs to --run, which is not given"),
    (SCORES, "--match position", "--match belongs to --model, which is not given"),
    (SCORES, "--first-feature 0", "--first-feature belongs to --model, which is not given"),
    (SCORES, "--all-trees", "--all-trees belongs to --model, which is not given"),
    ("evaluate --data test.txt --model model.txt", "--all-trees", "all_trees is for models of XGBoost; model.txt is native"),
    ("predict --data test.txt --model model.txt", "--all-trees", "all_trees is for models of XGBoost; model.txt is native"),
    ("evaluate --run run.txt --qrels qrels.txt", "--missing zero", "--missing belongs to --data, which is not given"),
    *[(INSPECT, option, f"{option.split()[0]} belongs to --data, which is not given")
      for option in ("--metric map", "--repeats 2", "--resamples 9", "--level 0.9", "--gain linear", "--match position",
                     "--read.missing zero")],
    (INSPECT, "--command-seconds 3", "--command-seconds belongs to --command, which is not given"),
    (INSPECT + " --data test.txt --metric map", "--gain linear", "--gain belongs to --metric ndcg or dcg"),
    *[(EDIT, option, f"{option.split()[0]} belongs to --data, which is not given")
      for option in ("--metric map", "--permutations 9", "--gain linear", "--match position", "--missing zero")],
    *[(CONVERT, option, f"{option.split()[0]} belongs to --check, which is not given")
      for option in ("--tolerance 1", "--missing zero", "--absent missing", "--match position", "--first-feature 0")],
    *[(CACHE, option, f"{option.split()[0]} belongs to --binned; here binned is false")
      for option in ("--max-bins 9", "--sample-rows 9", "--min-bin-rows 2", "--max-categories 9")],
    (NOISE, "--clean.start 2", "--clean.start does not go with --starts"),
    (NOISE, "--gain-table 0,1", "--gain-table belongs to --gain table; here gain is exp"),
    (SAMPLING, "--selective-top 0.1", "--selective-top belongs to --systems selective; here systems is full,high-low"),
    (SAMPLING, "--permutations 9", "--permutations belongs to --test, which is not given"),
    (SAMPLING, "--sample.top 0.1", "--sample.top is set by the systems of this study"),
    ("data synth --queries 3 --out synth.txt", "--bookshop.queries 9",
     "--bookshop.queries belongs to --scenario bookshop; here scenario is none"),
]


@pytest.fixture(scope="module")
def folder(program, tmp_path_factory):
    """Small data, a forest, an additive model, scores, a run with its judgements, values of two systems."""
    path = tmp_path_factory.mktemp("unused")
    steps = [f"data synth --queries {n} --features 4 --seed {n} --out {part}.txt"
             for part, n in (("train", 60), ("valid", 20), ("test", 10))]
    steps += ["train --train train.txt --num-trees 3 --out model.txt",
              "train --method ilmart --train train.txt --num-trees 3 --num-interactions 1 --model-format gam-json "
              "--out gam.json",
              "predict --model model.txt --data test.txt --out scores.txt",
              "evaluate --data test.txt --model model.txt --per-query a.tsv",
              "evaluate --data test.txt --feature 1 --per-query b.tsv"]
    for step in steps:
        subprocess.run([program, *step.split()], cwd=path, check=True, capture_output=True)
    (path / "run.txt").write_text("q Q0 d1 1 2 x\nq Q0 d2 2 1 x\n")
    (path / "qrels.txt").write_text("q 0 d1 0\nq 0 d2 1\n")
    return path


def run(program, folder, words):
    return subprocess.run(f"{program} {words}", shell=True, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("command", sorted({case[0] for case in CASES}))
def test_the_command_works_without_it(command, program, folder):
    done = run(program, folder, command)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command, option, said", CASES, ids=[f"{c.split(' --')[0]} {o}" for c, o, _ in CASES])
def test_an_option_that_would_be_ignored_is_refused(command, option, said, program, folder):
    done = run(program, folder, f"{command} '{option.replace(' ', chr(39) + ' ' + chr(39))}'")
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
