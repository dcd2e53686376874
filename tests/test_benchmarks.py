"""The benchmarks answer --help and measure a tiny collection, without the extra `bench`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
TOPICS = "lock cache shader parser socket migration timeout encoder driver schema linker queue"

PRODUCT_ALONE = [
    "warm answer with a label expression, ms, p50",
    "warm answer with a label expression, ms, p95",
    "label expression, 1 of its memories, ms, p50",
    "label expression, 1 of its memories, ms, p95",
    "label expression, 50 of its memories, ms, p50",
    "label expression, 50 of its memories, ms, p95",
    "answer after a create by another process, ms, p50",
    "answer after a create by another process, ms, p95",
]
TIMES = [
    "bulk, documents a second, stored",
    "bulk, documents a second, stored and searchable",
    "warm answer, ms, p50",
    "warm answer, ms, p95",
    *PRODUCT_ALONE[:6],
    "new process to first answer, ms, median",
    "new process to first answer, ms, fastest",
    "beyond one that holds 12, ms, fastest",
    "creates a second, durable",
    "creates a second, durable and in the next answer",
    "answer after a create, ms, p50",
    "answer after a create, ms, p95",
    *PRODUCT_ALONE[6:],
]
OTHERS = [
    "known answer among eight, share",
    "resident, MB",
    "resident and not backed by a file, MB",
    "resident beyond one that holds 12, KB a memory",
    "index on disk, KB a memory",
]

MAPPING = """
import json

def documents(folder):
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        yield "", *json.loads(line)
"""

JUDGE = """
def load_qrels(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line.split("\\t")[0]: {line.split("\\t")[1]} for line in lines}

def metrics(ranking, relevant):
    return [float(ranking[0] in relevant)] * 6
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A collection of a dozen linked passages, with a question for each."""
    folder = tmp_path / "data" / "tiny"
    folder.mkdir(parents=True)
    (folder.parent / "as_memories.py").write_text(MAPPING, encoding="utf-8")
    (folder.parent / "evaluate.py").write_text(JUDGE, encoding="utf-8")
    topics = TOPICS.split()
    write_lines(folder / "corpus.jsonl", [[f"passage-{t}", passage(t, topics)] for t in topics])
    write_lines(
        folder / "queries.jsonl",
        [{"id": f"about-{t}", "text": f"Why does the {t} of build 7 fail?"} for t in topics],
    )
    judged = "".join(f"about-{t}\tpassage-{t}\n" for t in topics)
    (folder / "qrels.tsv").write_text(judged, encoding="utf-8")
    return folder.parent


def write_lines(path: Path, values: list[object]) -> None:
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")


def passage(topic: str, topics: list[str]) -> dict[str, object]:
    following = topics[(topics.index(topic) + 1) % len(topics)]
    return {
        "id": f"failing-{topic}",
        "description": f"The {topic} fails under load",
        "labels": ["kind:observation"],
        "tags": [f"The {topic}"],
        "remembered_facts": [f"The {topic} of the build fails when the {following} is slow."],
        "relationships": {"related": [{"id": f"failing-{following}", "reason": "same build"}]},
    }


def run(script: str, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", BENCHMARKS / script, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("script", ["quality.py", "speed.py", "load.py"])
def test_a_benchmark_takes_what_the_page_shows(tmp_path: Path, script: str) -> None:
    page = (BENCHMARKS.parent / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith(f"python benchmarks/{script}")]
    shown = {option for line in lines for option in re.findall(r"--[a-z]+", line)}
    done = run(script, "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert shown, lines
    assert shown <= set(re.findall(r"--[a-z]+", done.stdout))


def test_quality_is_measured_beside_another_engine_and_the_ablations(
    tmp_path: Path, data: Path
) -> None:
    out = tmp_path / "run.json"
    arguments = ("--data", data, "--sets", "tiny", "--systems", "product", "fts5", "--ablate")
    done = run("quality.py", *arguments, "--compare", "MAP", "--out", out, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    table, _, comparison = done.stdout.partition("\n\n")
    head, _, *rows = table.splitlines()
    assert (
        head == "| set | system | R@2 | R@5 | R@10 | nDCG@10 | MRR | MAP | processor ms a query |"
    )
    assert [row.strip("| ").split(" | ")[:3] for row in rows] == [
        ["tiny", "product", "1.000"],
        ["tiny", "fts5", "1.000"],
        ["tiny", "lexical only", "1.000"],
        ["tiny", "lexical with context", "1.000"],
        ["tiny", "no context", "1.000"],
        ["tiny", "no bias", "1.000"],
        ["tiny", "no name seeds", "1.000"],
        ["tiny", "lexical + .3 graph", "1.000"],
        ["tiny", "RRF", "1.000"],
    ]
    head, _, row = comparison.splitlines()
    assert head.startswith("| MAP | product | fts5 | lexical only |")
    assert row == "| tiny |" + " 1.000 |" * 9
    found = json.loads((tmp_path / "run.product.json").read_text(encoding="utf-8"))
    assert found["about-lock"][0] == "passage-lock"
    assert len(found) == 12


def test_speed_is_measured_beside_another_engine(tmp_path: Path) -> None:
    little = ("--size", "30", "--queries", "4", "--runs", "1", "--changes", "3")
    done = run("speed.py", *little, "--peers", "fts5", "--keep", tmp_path, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told, *printed = done.stdout.split("\n\n")
    assert told.startswith("30 memories, 4 queries; ")
    clock, processor, others = (figures(table) for table in printed)
    assert list(clock) == list(processor) == TIMES
    assert list(others) == OTHERS
    assert others["known answer among eight, share"] == ["1", "1 (1×)"]
    assert [name for name, (_, peer) in clock.items() if peer == "-"] == PRODUCT_ALONE
    values = [own for own, _ in (*clock.values(), *processor.values(), *others.values())]
    assert all(re.match(r"-?[0-9]", value) for value in values)
    assert (tmp_path / "30" / "built" / "store.db").exists()


def test_load_counts_what_was_acknowledged(tmp_path: Path) -> None:
    little = ("--size", "30", "--clients", "6", "--seconds", "2", "--servers", "2")
    done = run("load.py", *little, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    head, _, *rows, last = done.stdout.splitlines()
    assert head == (
        "| 6 clients, 30 memories | answers | a second | p50, ms | p95, ms | p99, ms |"
    )
    answers = {name: int(count) for name, count, *_ in (r.strip("| ").split(" | ") for r in rows)}
    assert list(answers) == ["recall", "create"]
    assert answers["recall"] > answers["create"]
    assert last.startswith(
        f"0 errors, 0 of {answers['create']} acknowledged memories lost; 2 server(s), "
    )


def test_load_takes_the_nearest_rank() -> None:
    code = f"""
import sys
sys.path.insert(0, {str(BENCHMARKS)!r})
from load import percentile
print(percentile([1, 2, 3, 4], 50), percentile([1, 2, 3, 4], 95), percentile([], 99))
"""
    assert python(code, cwd=BENCHMARKS).stdout == "2 4 0.0\n"


def test_every_exception_to_the_conformance_suite_is_told_with_its_reason() -> None:
    page = (BENCHMARKS.parent / "docs" / "conformance.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", page, re.MULTILINE))
    reasons, why = {}, ""
    for line in (BENCHMARKS / "conformance.yml").read_text(encoding="utf-8").splitlines()[2:]:
        text = line.strip()
        if text.startswith("# "):
            why = text.removeprefix("# ")
        else:
            reasons[text.removeprefix("- ")] = why
    assert told == reasons
    assert len(told) == 22


def test_what_the_conformance_suite_sends_arrives_with_a_token_and_else_as_it_is() -> None:
    code = f"""
import http.client, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
sys.path.insert(0, {str(BENCHMARKS)!r})
from conformance import relayed
class Asked(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = [self.headers[name] for name in ("Host", "Origin", "Authorization")]
        self.send_response(403)
        self.send_header("Mcp-Session-Id", "s1")
        self.end_headers()
        self.wfile.write(repr((self.path, headers, body)).encode())
    def log_message(self, *_):
        pass
server = HTTPServer(("127.0.0.1", 0), Asked)
threading.Thread(target=server.serve_forever, daemon=True).start()
with relayed(f"http://127.0.0.1:{{server.server_address[1]}}", "t1") as url:
    relay = http.client.HTTPConnection(url.removeprefix("http://"))
    headers = {{"Host": "evil.example", "Origin": "http://evil.example"}}
    relay.request("POST", "/mcp", b"hello", headers)
    answer = relay.getresponse()
    print(answer.status, answer.headers["mcp-session-id"], answer.read().decode())
server.shutdown()
"""
    done = python(code, cwd=BENCHMARKS)
    assert done.stdout == (
        "403 s1 ('/mcp?project=bench', ['evil.example', 'http://evil.example', 'Bearer t1'], "
        "b'hello')\n"
    ), done.stderr


def figures(table: str) -> dict[str, list[str]]:
    """Return measure -> the product's cell and the peer's."""
    head, _, *rows = (line.strip("| ").split(" | ") for line in table.splitlines())
    assert head[1:] == ["product", "fts5"]
    return {measure: cells for measure, *cells in rows}


def test_an_engine_that_is_not_installed_says_what_to_install(tmp_path: Path, data: Path) -> None:
    arguments = ["quality.py", "--data", str(data), "--sets", "tiny", "--systems", "bm25s"]
    code = f"""
import runpy, sys
sys.modules["bm25s"] = None
sys.path.insert(0, {str(BENCHMARKS)!r})
sys.argv = {[*arguments, "--out", "run.json"]!r}
runpy.run_path({str(BENCHMARKS / "quality.py")!r}, run_name="__main__")
"""
    done = python(code, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "'bm25s' needs the package 'bm25s'; run `pip install -e '.[bench]'`, or leave it out"
    )


def test_an_ablation_that_ranking_does_not_notice_is_refused(tmp_path: Path) -> None:
    code = f"""
import sys
sys.path.insert(0, {str(BENCHMARKS)!r})
from ablations import ABLATIONS, applied
with applied(ABLATIONS["no bias"]):
    pass
"""
    done = python(code, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "ranking does not use project_memory.ranking.fuse.bias: nothing measured"
    ]


def python(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False
    )
