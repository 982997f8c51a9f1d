"""Trains random configurations with every instruction set and compares the model files.

    python3 tests/determinism/instruction_sets.py [COUNT]     24 unless told; the tests take a few

Instruction sets are those of GLASSRANK_SIMD that the machine has. One more run has the C library
without fused multiplications (GLIBC_TUNABLES), as on a processor that has none.
"""
import hashlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile

LEVELS = ["plain", "sse4", "avx2", "avx3"]
OLD_C_LIBRARY = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable"
OBJECTIVES = ["lambdarank", "rank_xendcg", "pairwise", "peer", "squared_error", "lambdarank --target map"]
SAMPLERS = ["none", "rows", "queries", "goss", "selective", "high-low", "random-negatives"]
CLEANERS = ["none", "none", "none", "sour --clean.end 6", "isolation-forest"]


def lambdamart(draw):
    objective = draw.choice(OBJECTIVES)
    pairs = {"lambdarank": ["--no-norm", "--sigma 2", "--pair-truncation 5"], "peer": ["--no-norm", "--sigma 2"],
             "pairwise": ["--sigma 2", "--pair-truncation 5"]}
    return (f"--num-trees 8 --objective {objective} --sample {draw.choice(SAMPLERS)}"
            f" --clean {draw.choice(CLEANERS)} --num-leaves {draw.choice([4, 15, 31])}"
            f" {draw.choice(['--precision fast --active all', '--precision fast --active share', '--precision full'])}"
            f" --feature-fraction {draw.choice([1, 0.6])} --min-leaf-rows {draw.choice([1, 20, 100])}"
            f" --l1 {draw.choice([0, 0.01])} --l2 {draw.choice([0, 1])}"
            f" {draw.choice(['', *pairs.get(objective, [])])}").split()


def ilmart(draw):
    return f"--method ilmart --num-trees 12 --num-interactions {draw.choice([0, 3])}".split()


def ebm(draw):
    return f"--method ebm --max-rounds 20 --bags 2 --num-interactions {draw.choice([0, 2])}".split()


def rankgam(draw):
    return f"--method rankgam --max-epochs {draw.choice([1, 2])}".split()


def bags(draw):
    return f"--num-trees 6 --num-leaves 15 --bags 2 --sample {draw.choice(['none', 'goss'])}".split()


def categories(draw):
    return ("--train shop/train.csv --valid shop/valid.csv --read.categorical brand,seller,colour,kind --num-trees 8"
            f" --num-leaves {draw.choice([7, 31])} --objective {draw.choice(['lambdarank', 'squared_error'])}").split()


def network(draw):
    return (f"--method ranknet --epochs 3 --objective {draw.choice(['pairwise', 'listnet', 'lambdarank'])}").split()


def weighted_sum(draw):
    return f"--method linear --objective {draw.choice(['squared_error', 'listnet', 'pairwise'])}".split()


def rankboost(_):
    return "--method rankboost --num-rounds 20".split()


def coordinate_ascent(_):
    return "--method coordinate-ascent --restarts 1".split()


def mart(_):
    return "--method mart --num-trees 8".split()


def forest(_):
    return "--method random-forest --num-trees 8".split()


def tree(_):
    return "--method tree".split()


MAKERS = [lambdamart, ebm, ilmart, rankgam, lambdamart, categories, network, bags, weighted_sum, rankboost,
          coordinate_ascent, mart, forest, tree]


def configurations(count: int):
    """The same ones every time; the first few have one of each method, the others are mostly trees."""
    draw = random.Random(2026)
    for i in range(count):
        yield (MAKERS[i] if i < len(MAKERS) else draw.choice([lambdamart] * 6 + [ebm, ilmart, categories, bags]))(draw)


def levels_of(program: str):
    """Those the machine has."""
    def works(level):
        done = subprocess.run([program, "list", "metrics"], env=os.environ | {"GLASSRANK_SIMD": level},
                              capture_output=True, text=True)
        assert done.returncode == 0 or "this machine has no" in done.stderr, done.stderr
        return done.returncode == 0

    return [level for level in LEVELS if works(level)]


def make_data(program: str, folder: pathlib.Path):
    subprocess.run([program, "data", "synth", "--scenario", "bookshop", "--bookshop.queries", "60", "--out", folder],
                   check=True, capture_output=True)
    subprocess.run([program, "data", "synth", "--scenario", "categories", "--categories.queries", "60", "--out",
                    folder / "shop"], check=True, capture_output=True)


def digests(program: str, folder: pathlib.Path, configuration):
    """{environment: digest of the model file}; data in the folder."""
    environments = {level: {"GLASSRANK_SIMD": level} for level in levels_of(program)}
    environments["plain, old C library"] = {"GLASSRANK_SIMD": "plain", "GLIBC_TUNABLES": OLD_C_LIBRARY}
    found = {}
    for name, variables in environments.items():
        out = folder / "model.txt"
        out.unlink(missing_ok=True)
        files = [] if "--train" in configuration else ["--train", "train.txt", "--valid", "valid.txt"]
        done = subprocess.run([program, "train", *files, "--quiet", "--out", out, *configuration],
                              cwd=folder, env=os.environ | variables, capture_output=True, text=True)
        assert done.returncode == 0, f"{configuration}: {done.stderr}"
        found[name] = hashlib.sha256(out.read_bytes()).hexdigest()[:12]
    return found


def main(count: int) -> int:
    program = str(pathlib.Path(__file__).resolve().parents[2] / "build" / "glassrank")
    num_different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_data(program, folder)
        for configuration in configurations(count):
            found = digests(program, folder, configuration)
            is_same = len(set(found.values())) == 1
            num_different += not is_same
            print("same     " if is_same else f"DIFFERENT {found}", " ".join(configuration), flush=True)
    print(f"{count - num_different} of {count} configurations: the same bytes with {', '.join(found)}")
    return 1 if num_different else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 24))
