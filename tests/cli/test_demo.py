"""glassrank demo: the page it ends with tells when and from what its models were made."""
import json
import re
import shlex


def test_the_page_has_a_date_and_its_models_their_making(glassrank, tmp_path):
    done = glassrank("demo", "--out", "shop", "--quiet")
    last = done.stdout.splitlines()[-2:]
    assert last[0] == "Report: shop/report.html" and last[1].startswith("Look first at ")
    page = (tmp_path / "shop" / "report.html").read_text()
    bundle = json.loads(re.search(r'<script id="bundle" type="application/json">(.*?)</script>', page, re.S).group(1))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", bundle["date"])
    methods = [model["provenance"]["method"] for model in bundle["models"]]
    assert methods == ["lambdamart", "ilmart", "lambdamart"]
    for model in bundle["models"]:
        assert model["provenance"]["train"] == "shop/train.txt"
        assert model["provenance"]["params.num_trees"] == ("1000" if model["name"] == "glass box" else "500")
    # The files it wrote are the data it trained on.
    digest = bundle["models"][0]["provenance"]["train.digest"]
    trained = glassrank("train", "--train", "shop/train.txt", "--num-trees", "2", "--out", "again.txt", "--quiet")
    assert trained.returncode == 0 and digest in (tmp_path / "again.txt").read_text()


def bundle_of(page):
    return json.loads(re.search(r'<script id="bundle" type="application/json">(.*?)</script>', page.read_text(), re.S).group(1))


def test_the_command_on_the_page_makes_the_page_again(glassrank, tmp_path):
    """The demo's, and that of a report with options of every kind."""
    demo = glassrank("demo", "--out", "shop", "--quiet")
    assert demo.returncode == 0
    first = bundle_of(tmp_path / "shop" / "report.html")
    for _ in range(2):  # then of the page that the command itself made
        words = shlex.split(first["command"])
        assert words[:2] == ["glassrank", "report"]
        assert glassrank(*words[1:], "--quiet").returncode == 0
        again = bundle_of(tmp_path / "shop" / "report.html")
        assert [m["name"] for m in again["models"]] == ["lambdamart", "glass box", "cleaned"]
        assert again["title"] == first["title"] and again["audit"]["k"] == first["audit"]["k"]
        assert again["audit"]["num_queries"] == first["audit"]["num_queries"] == 10
        assert again["comparison"] == first["comparison"]
        first = again
    options = ["--name", "it's", "--metrics", "map,err@10", "--explainers", "tree-shap,decision-path", "--baselines", "1",
               "--audit-queries", "0", "--list-queries", "1", "--counterfactual-queries", "0", "--repeats", "1", "--seed", "3"]
    files = ["--model", "shop/model.txt", "--data", "shop/test.txt", "--out", "r.html"]
    assert glassrank("report", *files, *options, "--quiet").returncode == 0
    words = shlex.split(bundle_of(tmp_path / "r.html")["command"])[1:]
    assert words[0] == "report" and sorted(words[1:]) == sorted(files + options)
