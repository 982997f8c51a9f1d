"""Every command, with the system failing at the n-th call (inject.cpp).

    python3 tests/faults/faults.py            every kind of call of every command, at up to 150 places
    python3 tests/faults/faults.py --most 20  at up to 40: 20 spread over all calls, 20 over the command's own
    python3 tests/faults/faults.py --only malloc "train lambdamart"

A run that meets a fault ends in one of two ways: exit code 1 with a message that says what failed, or
exit code 0 with the very output of a run without a fault (a hint to the system failed, or a
checkpoint, which is a warning). It never ends by a signal, never hangs, never changes an input, and
leaves every output as it was before or whole, and no temporary file. Files that belong together
(TOGETHER) appear all or not at all where the disk is full or a file cannot be opened or read.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "glassrank"
INJECTOR = ROOT / "build" / "inject_faults.so"
KINDS = ["malloc", "write", "fsync", "close", "rename", "unlink", "open", "read", "mmap", "thread", "truncate"]
TIMEOUT = 150
TRAIN = "train --train train.txt --valid valid.txt --checkpoint-every 1 --out new.txt"

SPLITS = "--train train.txt --valid valid.txt --test valid.txt"

# What is written: new* and what stands in the folder new.
COMMANDS = {
    "train lambdamart": f"{TRAIN} --num-trees 4 --num-leaves 4 --record new.run.json --curve new.tsv",
    "train cleaned": f"{TRAIN} --num-trees 4 --num-leaves 4 --clean sour --clean.start 2 --dropped new.tsv",
    "train bags": f"{TRAIN} --num-trees 3 --num-leaves 4 --bags 2",
    "train search": f"{TRAIN} --num-trees 2 --search num_leaves=4|6".replace("--checkpoint-every 1 ", ""),
    "train folds": f"{TRAIN} --num-trees 2 --num-leaves 4 --folds 3".replace("--checkpoint-every 1 ", "")
                   .replace("--valid valid.txt ", ""),
    "train tuned": f"{TRAIN} --num-trees 4 --num-leaves 4 --clean sour --clean.tune",
    "train mart": f"{TRAIN} --method mart --num-trees 4 --num-leaves 4",
    "train tree": f"{TRAIN} --method tree",
    "train packed": "train --train train.txt.gz --num-trees 2 --num-leaves 4 --out new.txt",
    "train cache": "train --train train.cache --num-trees 2 --num-leaves 4 --out new.txt",
    "train ilmart": f"{TRAIN} --method ilmart --num-trees 4 --num-leaves 4 --num-interactions 1",
    "train ebm": f"{TRAIN} --method ebm --max-rounds 4 --bags 2 --num-interactions 1",
    "train rankgam": f"{TRAIN} --method rankgam --max-epochs 2",
    "train linear": f"{TRAIN} --method linear",
    "train ranknet": f"{TRAIN} --method ranknet",
    "train rankboost": f"{TRAIN} --method rankboost",
    "train random-forest": f"{TRAIN} --method random-forest",
    "train coordinate-ascent": f"{TRAIN} --method coordinate-ascent",
    "predict": "predict --model model.txt --data valid.txt --out new.txt",
    "predict jsonl": "predict --model model.txt --data valid.txt.zst --format jsonl --out new.txt",
    "predict two": "predict --model model.txt --model other.txt --data valid.txt --out new.txt",
    "evaluate": "evaluate --model model.txt --data valid.txt --per-query new.tsv",
    "evaluate scores": "evaluate --scores scores.txt --data valid.txt --per-query new.tsv",
    "compare": "compare --data valid.txt --model model.txt --model other.txt --permutations 2000",
    "convert lightgbm": "convert --model model.txt --to lightgbm --out new.txt --check valid.txt",
    "convert xgboost": "convert --model model.txt --to xgboost --out new.json",
    "convert ranklib": "convert --model model.txt --to ranklib --out new.xml",
    "convert lightgbm-dump": "convert --model model.txt --to lightgbm-dump --out new.json",
    "convert xgboost-dump": "convert --model model.txt --to xgboost-dump --out new.json",
    "convert quickrank": "convert --model model.txt --to quickrank --out new.xml",
    "convert solr": "convert --model model.txt --to solr --out new.json",
    "convert csv": "convert --model glass.txt --to csv --out new.csv",
    "convert gam": "convert --model glass.txt --to gam-json --out new.json",
    "edit": "edit --model glass.txt --edit purify --out new.txt --data valid.txt --permutations 1000",
    "inspect": "inspect --model glass.txt --data valid.txt --json",
    "inspect plots": "inspect --model glass.txt --data valid.txt --plots new",
    "explain": "explain --model model.txt --data valid.txt --query 2 --out new.txt --plot new.svg",
    "explain pairs": "explain --model model.txt --data valid.txt --query 2 --document all --interactions --out new.txt "
                     "--tsv new.tsv",
    "explain kernel-shap": "explain --model model.txt --data valid.txt --query 2 --method kernel-shap --document 1 "
                           "--out new.txt",
    "audit": "audit --model model.txt --data valid.txt --methods tree-shap,lirme --k 2 --queries 2 --tsv new.tsv "
             "--plot new.svg",
    "summary": "summary --model model.txt --data valid.txt --by-query --tsv new.tsv --plot new.svg",
    "report": "report --model model.txt --data valid.txt --out new.html --bundle new.bundle.json",
    "counterfactual": "counterfactual --model model.txt --data valid.txt --query 2 --document 1 --top 1",
    "dependence": "dependence --model model.txt --data valid.txt --feature 2 --out new",
    "clean": "clean --train train.txt --method sour --num-trees 4 --num-leaves 4 --out new.txt --list new.tsv",
    "clean tuned": "clean --train train.txt --valid valid.txt --tune --num-trees 4 --num-leaves 4 --out new.txt",
    "data stats": "data stats train.txt --json",
    "data stats csv": "data stats train.csv --json",
    "data stats pipe": "data stats -",
    "data split": "data split --data train.txt --out new",
    "data cache": "data cache train.txt --out new.cache",
    "data synth": "data synth --queries 8 --features 6 --out new.txt --truth new.json",
    "data synth packed": "data synth --queries 8 --features 6 --out new.txt.zst",
    "data synth bookshop": "data synth --scenario bookshop --bookshop.queries 6 --bookshop.books 100 --out new",
    "data noise": "data noise --data train.txt --probability 0.3 --out new.txt --log new.tsv",
    "study ranks": "study ranks --model model.txt --data train.txt --out new",
    "study outliers": "study outliers --model model.txt --data train.txt --steps 2 --out new",
    "study hourglass": "study hourglass --model model.txt --data train.txt --out new",
    "study breakdown": "study breakdown --model model.txt --model other.txt --data train.txt --starts 1,2 --out new",
    "study leaf-scores": "study leaf-scores --model model.txt --data train.txt --trees 1,4 --out new",
    "study curves": "study curves --model model.txt --data valid.txt --learning-curve curve.tsv --out new",
    "study explainers": "study explainers --model shop.txt --data shop/test.txt --queries 1 --documents 2 "
                        "--methods tree-shap,lirme --out new",
    "study interactions": f"study interactions {SPLITS} --counts 0,1 --out new",
    "study noise": f"study noise {SPLITS} --rates 0.1 --seeds 1 --num-trees 3 --out new",
    "study sampling": f"study sampling {SPLITS} --out new.timed",
    "demo": "demo --out new",
    "manual": "manual --out new",
    "list": "list metrics",
}
# They take seconds, or their output tells how long they took.
SLOW = {"demo": 2}  # that many places of a kind
TIMED = {"report", "study sampling", "demo"}
TOGETHER = {"explain", "explain pairs", "audit", "summary", "report", "dependence", "manual", "data split", "data noise",
            *(name for name in COMMANDS if name.startswith("study"))}
# Those that write files.
WRITING = [name for name, text in COMMANDS.items() if " new" in text]
# For every push: one or two of each part of the program.
SAMPLE = ["train lambdamart", "train ebm", "train cache", "predict jsonl", "convert lightgbm", "explain", "data cache",
          "data synth", "data split"]


@dataclasses.dataclass(frozen=True)
class Fault:
    command: str
    kind: str
    number: int
    goes_on: bool = False

    def text(self):
        return f"{self.kind}:{self.number}{'+' if self.goes_on else ''}"


def environment(**more):
    return os.environ | {"LD_PRELOAD": str(INJECTOR)} | more


def run(folder, command, **more):
    arguments = [str(PROGRAM), *COMMANDS[command].split(), "--threads", "2"]
    return subprocess.run(arguments, cwd=folder, env=environment(**more), capture_output=True, timeout=TIMEOUT,
                          stdin=open(folder / "train.txt", "rb") if "pipe" in command else subprocess.DEVNULL)


def make_inputs(folder):
    def call(text):
        done = subprocess.run([str(PROGRAM), *text.split()], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{text}: {done.stderr}"

    call("data synth --queries 12 --features 6 --out train.txt")
    call("data synth --queries 6 --features 6 --seed 1 --out valid.txt")
    call("data cache train.txt --out train.cache")
    for name, packer in (("train.txt", "gzip"), ("valid.txt", "zstd")):
        ending = {"gzip": "gz", "zstd": "zst"}[packer]
        call(f"data synth --queries 12 --features 6 --out train.txt.{ending}")
        if name == "valid.txt":
            os.rename(folder / "train.txt.zst", folder / "valid.txt.zst")
    call("train --train train.txt --num-trees 4 --num-leaves 4 --out model.txt")
    call("train --train train.txt --num-trees 4 --num-leaves 6 --out other.txt")
    call("train --train train.txt --method ilmart --num-trees 4 --num-leaves 4 --num-interactions 1 --out glass.txt")
    call("predict --model model.txt --data valid.txt --out scores.txt")
    call("train --train train.txt --valid valid.txt --num-trees 4 --num-leaves 4 --out curved.txt --learning-curve curve.tsv")
    call("data synth --scenario bookshop --bookshop.queries 30 --out shop")
    call("train --train shop/train.txt --num-trees 4 --num-leaves 4 --out shop.txt")
    rows = ["grade,query,document,a,b"] + [f"{i % 3},q{i // 4},d{i},{i * 7 % 11},{i * 5 % 13}" for i in range(40)]
    (folder / "train.csv").write_text("\n".join(rows) + "\n")


def digest_of(path):
    data = path.read_bytes()
    if path.name.endswith("run.json"):  # it holds times
        json.loads(data)
        data = b"a whole record"
    elif path.name.endswith(".bundle.json"):
        json.loads(data)
        data = b"a whole bundle"
    elif path.name.endswith(".html"):
        data = b"a whole page" if data.endswith(b"</html>\n") else data
    elif path.name.endswith(".timed.tsv"):
        data = b"a whole table" if data.endswith(b"\n") and b"\nhigh-low\t" in data else data
    elif path.name.endswith(".timed.svg"):
        data = b"a whole picture" if data.endswith(b"</svg>\n") else data
    return hashlib.sha256(data).hexdigest()


def contents(folder):
    return {str(path.relative_to(folder)): digest_of(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def spread(first, last, most):
    count = min(most, last - first + 1)
    return {first + i * (last - first) // max(count - 1, 1) for i in range(count)}


class Faults:
    """Runs commands in copies of one folder and judges what they leave."""

    def __init__(self, folder):
        self.inputs = folder / "inputs"
        self.inputs.mkdir()
        self.work = folder / "work"
        self.work.mkdir()
        make_inputs(self.inputs)
        self.before = contents(self.inputs)
        self.expected = {}
        self.counts = {}

    def fresh_folder(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        shutil.copytree(self.inputs, folder, dirs_exist_ok=True)
        return folder

    def measure(self, command):
        """What a run without a fault prints and leaves, and how many calls it makes."""
        if command in self.counts:
            return
        folder = self.fresh_folder()
        counts = self.work / f"{command.replace(' ', '_')}.counts"
        done = run(folder, command, FAULT_COUNTS=str(counts))
        assert done.returncode == 0, f"{command}: {done.stderr.decode()}"
        self.expected[command] = (contents(folder), done.stdout)
        self.counts[command] = {line.split()[0]: int(line.split()[1]) for line in counts.read_text().splitlines()}
        shutil.rmtree(folder)

    def problem(self, fault):
        """Empty: the run ended as it should."""
        folder = self.fresh_folder()
        try:
            done = run(folder, fault.command, FAULT=fault.text())
        except subprocess.TimeoutExpired:
            return "hangs"
        found = contents(folder)
        shutil.rmtree(folder)
        message = done.stderr.decode(errors="replace").strip()
        last = message.splitlines()[-1] if message else ""
        expected, printed = self.expected[fault.command]
        if done.returncode < 0:
            return f"ended by signal {-done.returncode}: {last}"
        if done.returncode not in (0, 1):
            return f"exit {done.returncode}: {last}"
        for name, digest in self.before.items():
            is_cut = fault.kind == "truncate" and found.get(name) == hashlib.sha256(b"").hexdigest()
            if found.get(name) != digest and not is_cut:
                return f"changed its input {name}"
        new = {name: digest for name, digest in found.items() if name not in self.before}
        if fault.kind == "unlink":  # they cannot be removed
            new = {name: digest for name, digest in new.items() if not name.endswith((".tmp", ".checkpoint"))}
        left = [name for name in new if name.endswith(".tmp")]
        if left:
            return f"left {left}"
        cut = hashlib.sha256(b"").hexdigest() if fault.kind == "truncate" else None  # read again after it was written
        half = [name for name, digest in new.items() if digest not in (cut, expected.get(name, digest))]
        if half:
            return f"left another {half}"
        outputs = {name: digest for name, digest in expected.items() if name not in self.before}
        if done.returncode == 0:
            if outputs != new:
                return f"exit 0, but files differ: {sorted(new)}; {message}"
            is_same = done.stdout == printed or fault.command in TIMED
            return "" if is_same else "exit 0, but another output"
        if fault.command in TOGETHER and fault.kind in ("write", "open", "read", "mmap") and new not in ({}, outputs):
            return f"left some of its files: {sorted(new)}"
        if not last.startswith("glassrank: ") or "internal error" in last:
            return f"says '{last}'"
        return ""

    def begin_of(self, kind):
        """The calls before this one are those of any command: options are declared and read."""
        self.measure("list")
        return self.counts["list"][kind] * 98 // 100 + 1

    def faults_of(self, command, kinds, most):
        """Twice `most` single faults of a kind at most, spread over all calls and over the command's own; and one
        that goes on."""
        self.measure(command)
        most = min(most, SLOW.get(command, most))
        for kind in kinds:
            count = self.counts[command].get(kind, 0)
            for number in sorted(spread(1, count, most) | spread(self.begin_of(kind), count, most)):
                yield Fault(command, kind, number)
            if count > 1 and kind != "truncate":
                yield Fault(command, kind, max(count // 2, 1), goes_on=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=75)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    kinds = [kind for kind in KINDS if not set(KINDS) & set(given.only) or kind in given.only]
    commands = [name for name in COMMANDS if not set(COMMANDS) & set(given.only) or name in given.only]
    num_runs = collections.Counter()
    problems = []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        faults = Faults(pathlib.Path(name))
        for command in commands:
            planned = list(faults.faults_of(command, kinds, given.most))
            own = collections.Counter()
            for fault, problem in zip(planned, pool.map(faults.problem, planned)):
                num_runs[fault.kind] += 1
                if problem:
                    own[fault.kind] += 1
                    problems.append((fault, problem))
                    print(f"PROBLEM {fault.command}, {fault.text()}: {problem}", flush=True)
            calls = " ".join(f"{kind} {count}" for kind, count in faults.counts[command].items() if count)
            print(f"{command}: {len(planned)} faults, {sum(own.values())} problems  (calls: {calls})", flush=True)
    table = ", ".join(f"{kind} {num_runs[kind]}" for kind in kinds)
    print(f"{sum(num_runs.values())} faults in {len(commands)} commands ({table}): {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
