"""The rows of experiments/: every one names data, options and figures that exist, and some are run."""
import importlib.util
import pathlib
import subprocess
import xml.etree.ElementTree

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = sorted(path for path in (ROOT / "experiments").rglob("*.toml") if path.name != "datasets.toml")


def load_runner():
    spec = importlib.util.spec_from_file_location("experiments_run", ROOT / "experiments" / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RUN = load_runner()
AUDITS = [path for path in FILES if "kind" in RUN.load(path)]  # of explanations
ROWS = [path for path in FILES if path not in AUDITS]  # of trained models


def test_there_is_a_file_for_every_row():
    counts = {}
    for path in FILES:
        table = "/".join(path.parts[-3:-1])
        counts[table] = counts.get(table, 0) + 1
    # SOUR: 19 windows; 6 methods on 3 data sets; 18 shares and SOUR. High-Low: 3 methods on 3 data sets; 3.
    # ILMART: 5 methods on 3 data sets. Valid Explanations: 3 models on 2 data sets.
    assert counts == {"sour/table2": 19, "sour/table3": 18, "sour/table6": 19,
                      "high-low/table2": 9, "high-low/table3": 3, "ilmart/table1": 15,
                      "valid-explanations/table1": 2, "valid-explanations/table2": 6, "valid-explanations/table3": 1,
                      "valid-explanations/optimum": 1, "valid-explanations/figure1": 1,
                      "valid-explanations/figure2": 2, "decision-paths/tables1-2": 1, "decision-paths/table3": 4,
                      **{f"decision-paths/figure{n}": 1 for n in range(2, 9)},
                      **{f"baselines/{data}": 1 for data in ("mslr", "yahoo", "istella-s", "mq2008")}}


@pytest.mark.parametrize("path", ROWS, ids=lambda path: "/".join(path.parts[-3:]))
def test_the_program_knows_every_option_of_a_row(path, program, tmp_path):
    """Options are checked before the data is opened: with them right, only the file is missing."""
    runner = RUN.Runner(RUN.parse(["--program", program, "--work", str(tmp_path)]))
    missing = {part: tmp_path / f"no-{part}.txt" for part in ("train", "valid", "test")}
    known = subprocess.run([program, "list", "methods"], capture_output=True, text=True, check=True).stdout
    for run in RUN.load(path)["run"]:
        if run["options"].get("method", "lambdamart") not in known:
            pytest.skip(f"this program has no {run['options']['method']}")
        searches = [run["search"]] if "search" in run else []
        searches += [run["search_first"]["search"]] if "search_first" in run else []
        for trees, search in ((None, 0), (10, -1)):
            runner.trees = trees
            words = runner.command(run, missing, tmp_path / "out")
            words += ["--search", searches[search]] if searches else []
            done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
            assert "no-" in done.stderr and done.returncode == 1, done.stderr


def test_windows_shrink_with_the_forest():
    options = {"num_trees": 1000, "clean.start": 700, "clean.end": 1000, "patience": 100, "clean.p": 0.5}
    assert RUN.scaled_trees(options, 10) == {
        "num_trees": 10, "clean.start": 7, "clean.end": 10, "patience": 100, "clean.p": 0.5}
    assert RUN.scaled_trees(options, None) == options


@pytest.mark.parametrize("row", ["sour/table3/mslr-sour.toml", "sour/table2/start0-end100.toml",
                                 "sour/table3/yahoo-isolation-forest.toml", "sour/table3/yahoo-peer.toml",
                                 "sour/table6/p90.toml", "high-low/table2/yahoo-high-low.toml",
                                 "high-low/table3/selective.toml", "ilmart/table1/mslr-ilmart.toml",
                                 "ilmart/table1/mslr-ilmart-i.toml", "baselines/mslr/rankers.toml"])
def test_a_row_runs_on_stand_ins_and_prints_both_figures(row, program, tmp_path_factory, capsys):
    work = tmp_path_factory.getbasetemp() / "experiments"
    RUN.main([str(ROOT / "experiments" / row), "--program", program, "--work", str(work),
              "--scale", "0.001", "--trees", "10"])
    printed = capsys.readouterr().out.splitlines()
    runs = RUN.load(ROOT / "experiments" / row)["run"]
    assert len([line for line in printed if "[stand-in]" in line]) == len(runs)
    for run in runs:
        for name, value in run["published"].items():
            assert any(f"(paper {RUN.number(name, value)})" in line for line in printed)


def test_rows_of_a_table_are_compared(program, tmp_path, capsys):
    rows = [ROOT / "experiments" / "high-low" / "table2" / f"yahoo-{name}.toml" for name in ("full", "high-low")]
    RUN.main([*map(str, rows), "--program", program, "--work", str(tmp_path), "--scale", "0.001", "--trees", "20"])
    printed = capsys.readouterr().out
    assert "high-low/table2: ndcg@10 of full, Yahoo" in printed
    for name in ("full", "high-low"):
        assert (tmp_path / "out" / "high-low" / "table2" / f"yahoo-{name}" / "full").exists()
        assert f"  yahoo-{name} " in printed


def test_a_cut_model_is_one_that_was_trained_shorter(program, tmp_path):
    runner = RUN.Runner(RUN.parse(["--program", program, "--work", str(tmp_path), "--scale", "0.001"]))
    parts = runner.stand_in("yahoo", runner.datasets["yahoo"])
    run = {"name": "x", "dataset": "yahoo", "measure": "test ndcg@10", "options": {"num_trees": 12, "patience": 0}}
    runner.train(run, parts, tmp_path / "long")
    short = {**run, "options": {"num_trees": 5, "patience": 0}}
    trained = runner.train(short, parts, tmp_path / "short")
    cut = runner.cut(short, parts, tmp_path / "long")
    assert RUN.metric(cut, "test ndcg@10") == pytest.approx(RUN.metric(trained, "test ndcg@10"), abs=1e-12)


def test_real_files_are_preferred(program, tmp_path):
    folder = tmp_path / "letor" / "yahoo"
    folder.mkdir(parents=True)
    runner = RUN.Runner(RUN.parse(["--program", program, "--data", str(tmp_path / "letor")]))
    (folder / "set1.train.txt.gz").touch()
    (folder / "set1.valid.txt").touch()
    assert runner.real_files(runner.datasets["yahoo"]) == {}
    (folder / "set1.test.txt").touch()
    assert runner.real_files(runner.datasets["yahoo"])["train"] == folder / "set1.train.txt.gz"


@pytest.mark.parametrize("path", AUDITS, ids=lambda path: "/".join(path.parts[-3:]))
def test_the_program_knows_every_option_of_an_audit(path, program, tmp_path):
    row = RUN.load(path)
    runner = RUN.Runner(RUN.parse(["--program", program, "--work", str(tmp_path)]))
    assert row["dataset"] in runner.datasets
    for model in row.get("model", []):
        words = ["train", "--train", tmp_path / "no-train.txt", "--valid", tmp_path / "no-valid.txt", "--out", tmp_path / "out", *runner.settings(model["options"])]
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
        assert "no-train" in done.stderr and done.returncode == 1, done.stderr
    for audit in row.get("audit", []):
        words = ["audit", "--model", tmp_path / "no-model.txt", "--data", "x", "--methods", ",".join(audit["methods"]),
                 *runner.settings(audit["options"])]
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
        assert "no-model" in done.stderr and done.returncode == 1, done.stderr


@pytest.mark.parametrize("experiment", ["valid-explanations/table1/mq2008", "valid-explanations/table2/mq2008-pairwise",
                                        "valid-explanations/table3/query-18328", "valid-explanations/figure1/mq2008",
                                        "valid-explanations/figure2/mslr", "valid-explanations/optimum/mq2008",
                                        "decision-paths/tables1-2/instance", "decision-paths/table3/decision-tree",
                                        "decision-paths/table3/lambdamart", "decision-paths/table3/decision-tree-20",
                                        "decision-paths/figure2/tree",
                                        "decision-paths/figure3/decision-tree", "decision-paths/figure6/lambdamart"])
def test_an_audit_runs_on_stand_ins(experiment, program, tmp_path_factory, capsys):
    work = tmp_path_factory.getbasetemp() / "audits"
    path = ROOT / "experiments" / f"{experiment}.toml"
    RUN.main([str(path), "--program", program, "--work", str(work), "--scale", "0.001", "--trees", "10", "--queries", "3"])
    printed = capsys.readouterr().out
    assert printed.startswith(RUN.load(path)["title"])
    assert "[stand-in]" in printed
    for picture in work.glob("*.svg"):
        xml.etree.ElementTree.parse(picture)


def test_models_that_are_brought_are_not_trained(program, tmp_path):
    (tmp_path / "mq2008-listwise.xml").touch()
    runner = RUN.Runner(RUN.parse(["--program", program, "--work", str(tmp_path), "--models", str(tmp_path),
                                   "--scale", "0.001"]))
    lab = RUN.audits.Lab(runner, {"dataset": "mq2008"})
    assert lab.model({"name": "listwise", "options": {}}) == tmp_path / "mq2008-listwise.xml"


def test_queries_are_cut_to_their_first_documents(program, tmp_path):
    folder = tmp_path / "MQ2008" / "Fold1"
    folder.mkdir(parents=True)
    for part in ("train", "vali", "test"):
        lines = [f"0 qid:{query} 1:{i} #docid = {query}-{i}\n" for query in (7, 8) for i in range(2 + query - 7)]
        (folder / f"{part}.txt").write_text("".join(lines))
    runner = RUN.Runner(RUN.parse(["--program", program, "--work", str(tmp_path / "work"), "--data", str(tmp_path)]))
    lab = RUN.audits.Lab(runner, {"dataset": "mq2008", "documents_per_query": 2})
    for path in lab.parts.values():
        assert [document for _, document, _ in RUN.audits.rows_of(path)] == ["7-0", "7-1", "8-0", "8-1"]
    assert lab.source == "MQ2008, fold 1, the first 2 documents of a query"


def test_what_rounds_to_zero_has_no_minus():
    assert RUN.audits.beside(-0.0001, None) == "0.000 (paper -)"
    assert RUN.audits.fixed(-0.0001, 3, "+") == "+0.000"
    assert RUN.audits.fixed(-0.0006, 3) == "-0.001"


def test_a_box_has_the_quartiles_of_its_values():
    assert RUN.audits.box([4.0, 1.0, 3.0, 2.0]) == (1.0, 1.75, 2.5, 3.25, 4.0)
    assert RUN.audits.box([7.0]) == (7.0,) * 5
