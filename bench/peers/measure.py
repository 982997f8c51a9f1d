"""Interleaved timing: every contender once a round, several rounds; ratios are per round.

These machines are noisy, so a single time means nothing: what is reported is the median of the
per-round ratios and their range.
"""
import json
import platform
import statistics
import subprocess
import sys
import time


def interleave(contenders: dict, rounds: int) -> dict:
    """Calls each contender (a function returning seconds) once a round; name -> seconds per round."""
    seconds = {name: [] for name in contenders}
    for number in range(rounds):
        for name, run in contenders.items():
            seconds[name].append(run())
            print(f"  round {number + 1}/{rounds} {name}: {seconds[name][-1]:.4f} s", file=sys.stderr, flush=True)
    return seconds


def ratios(seconds: dict, ours: str, peer: str) -> tuple[float, float, float]:
    """(median, smallest, largest) of peer / ours over the rounds."""
    values = [theirs / mine for mine, theirs in zip(seconds[ours], seconds[peer])]
    return statistics.median(values), min(values), max(values)


def table(seconds: dict, ours: str) -> str:
    lines = ["| contender | median s | range | ours is faster by | range |", "|---|---|---|---|---|"]
    for name, values in seconds.items():
        middle, low, high = ratios(seconds, ours, name)
        lines.append(
            f"| {name} | {statistics.median(values):.4g} | {min(values):.4g} to {max(values):.4g} "
            + ("| | |" if name == ours else f"| {middle:.1f}x | {low:.1f}x to {high:.1f}x |")
        )
    return "\n".join(lines)


def run_json(command: list) -> dict:
    """The JSON a program prints as its last line."""
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


def google_benchmark(program, name: str, min_seconds: float) -> dict:
    """The row of the only benchmark whose name contains `name`; its times are in milliseconds."""
    done = subprocess.run(
        [str(program), f"--benchmark_filter={name}", "--benchmark_format=json", f"--benchmark_min_time={min_seconds}"],
        check=True,
        capture_output=True,
        text=True,
    )
    (row,) = json.loads(done.stdout)["benchmarks"]
    if row["time_unit"] != "ms":
        raise ValueError(f"{name} is in {row['time_unit']}, not in ms")
    return row


def python_seconds(code: str, *arguments) -> dict:
    """Runs `code` in a fresh interpreter; it must define load() -> anything. Gives seconds and peak memory."""
    program = (
        "import sys, time, json, resource\n" + code + "\nstart = time.perf_counter(); kept = load(*sys.argv[1:])\n"
        "seconds = time.perf_counter() - start\n"
        "print(json.dumps({'seconds': seconds, 'peak_mb': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))"
    )
    return run_json([sys.executable, "-c", program, *arguments])


def machine() -> str:
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    cores = sum(1 for line in open("/proc/cpuinfo") if line.startswith("processor"))
    return f"{model}, {cores} cores, {platform.system()} {platform.machine()}, {time.strftime('%Y-%m-%d')}"
