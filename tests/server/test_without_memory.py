"""A server whose memory or threads run out: a request may fail, the server goes on."""
import http.client
import pathlib
import subprocess

import pytest
from test_serve import QUICK, Server

INJECTOR = pathlib.Path(__file__).resolve().parents[2] / "build" / "inject_faults.so"
NUM_FAULTS = 24


@pytest.fixture(scope="module")
def shop(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    for text in ("data synth --scenario bookshop --bookshop.queries 30 --out .",
                 "train --train train.txt --num-trees 20 --num-leaves 8 --out model.txt"):
        subprocess.run([program, *text.split(), "--quiet"], cwd=folder, check=True, capture_output=True)
    return folder


def ask(server):
    """Two questions; the answers, None where the connection ended without one."""
    query = (pathlib.Path(server.folder) / "test.txt").read_text().split("qid:")[1].split()[0]
    answers = []
    for path, body in (("/v1/score", {"query": query}), ("/v1/explain", {"query": query})):
        try:
            answers.append(server.ask("POST", path, body))
        except (http.client.HTTPException, ConnectionError):
            answers.append(None)
    return answers


def start(program, shop, *options, **variables):
    server = Server(program, shop, "--model", "model.txt", "--data", "test.txt", *options, LD_PRELOAD=str(INJECTOR),
                    **variables)
    server.folder = shop
    return server


def num_allocations(program, shop, tmp_path, asks):
    server = start(program, shop, "--no-page", FAULT_COUNTS=str(tmp_path / "counts"))
    if asks:
        assert [status for status, _ in ask(server)] == [200, 200]
    _, code, text = server.stop()
    assert code == 0, text
    return int((tmp_path / "counts").read_text().split("malloc")[1].split()[0])


def test_memory_that_runs_out_costs_a_request_and_not_the_server(program, shop, tmp_path):
    first, last = (num_allocations(program, shop, tmp_path, asks) for asks in (False, True))
    failed = 0
    for number in {first + (last - first) * i // NUM_FAULTS for i in range(1, NUM_FAULTS)}:  # the first may be of the start
        server = start(program, shop, "--no-page", FAULT=f"malloc:{number}")
        for _ in range(2):  # what came after the last answer when it was counted may now come in the second pair
            for answer in ask(server):
                failed += answer is None or answer[0] != 200
                assert answer is None or answer[0] == 200 or (answer[0] == 503 and b"out of memory" in answer[1]), answer
            assert server.process.poll() is None, server.process.stderr.read()
        assert [answer[0] for answer in ask(server)] == [200, 200]
        _, code, text = server.stop()
        assert code == 0, text
    assert failed > 0, "no fault has met a request"


@pytest.mark.parametrize("number", range(1, 6))
def test_a_thread_that_does_not_start_is_an_error_or_nothing(program, shop, number):
    try:
        server = start(program, shop, "--threads", 2, *QUICK, FAULT=f"thread:{number}")
    except AssertionError as error:
        assert "cannot start a thread: " in str(error) and "internal error" not in str(error)
        return
    answers = ask(server)  # one may be refused, as if there were too many clients
    if None in answers:  # the thread that accepts connections, after the address was told
        assert server.process.wait(timeout=60) == 1
        text = server.process.stderr.read()
        assert "cannot start a thread: " in text and "internal error" not in text
        return
    assert all(answer is None or answer[0] in (200, 503) for answer in answers)
    assert [status for status, _ in ask(server)] == [200, 200]
    _, code, text = server.stop()
    assert code == 0 and "internal error" not in text, text
