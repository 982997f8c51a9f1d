"""glassrank demo: the page it ends with tells when and from what its models were made."""
import json
import re


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
