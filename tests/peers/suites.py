"""Runs the suites, and writes `docs/peers-suites.md`. `run` calls it in an environment that has all packages."""

import argparse
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

import excuses
import numpy
import numpy_ops

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parent.parent / "docs/peers-suites.md"
NUMPY = [
    "test_nep50_promotions",
    "test_umath",
    "test_ufunc",
    "test_half",
    "test_umath_complex",
    "test_scalarmath",
]


def version(package):
    return importlib.metadata.version(package)


def commit(clone):
    """Returns the commit of a clone."""
    if clone is None or not (clone / ".git").exists():
        return "a snapshot"
    return subprocess.check_output(["git", "-C", clone, "log", "-1", "--format=%h"], text=True).strip()


def pytest(arguments, folder, results, env=None):
    """Runs pytest, and returns the cases. Without cases it could not start, which is an error."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "counting", "-p", "no:cacheprovider", *arguments]
    env = os.environ | {"PYTHONPATH": str(HERE), "PROMOTE_PEERS_RESULTS": str(results)} | (env or {})
    ran = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    if not results.exists():
        raise SystemExit(f"{' '.join(command)} failed:\n{ran.stdout[-4000:]}{ran.stderr[-4000:]}")
    print(ran.stdout.strip().splitlines()[-1])
    return json.loads(results.read_text())


def array_api(work, path):
    """The suite of the array API standard, on our namespace over `array_api_strict`'s arrays."""
    if path is None:
        return None
    env = {"ARRAY_API_TESTS_MODULE": "exec('from array_api import xp')"}
    arguments = [
        "array_api_tests",
        "--max-examples",
        os.environ.get("PROMOTE_EXAMPLES", "200"),
        "--derandomize",
        "--disable-deadline",
        "--disable-extension",
        "linalg",
        "fft",
        "-p",
        "no:warnings",
    ]
    return pytest(arguments, path, work / "array-api.json", env)


def numpys(work, name):
    """A test file of NumPy, on our functions and operators."""
    text = (pathlib.Path(numpy.__file__).parent / f"_core/tests/{name}.py").read_text()
    folder = work / name
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(numpy_ops.rewritten(text))
    return pytest(
        ["-p", "numpy.conftest", "-W", "ignore::pytest.PytestUnknownMarkWarning", f"{name}.py"],
        folder,
        work / f"{name}.json",
    )


def torchs(work):
    """The samples and errors of PyTorch's data base of ops, sent to our functions."""
    return pytest(["-W", "ignore", str(HERE / "test_torch_ops.py")], HERE, work / "torch.json")


def judge(suite, cases):
    """Counts the cases by their verdicts. Returns the counts, the reasons of those excused, and the others."""
    counts, reasons, left = Counter(), Counter(), []
    for name, case in cases.items():
        counts["cases"] += 1
        if case["outcome"] == "skipped" or not case["calls"] and case["outcome"] == "passed":
            counts["not applicable"] += 1
        elif case["outcome"] == "passed":
            counts["passed"] += 1
        elif not case["calls"]:
            counts["not applicable"] += 1
        elif reason := excuses.reason(suite, name, case["message"]):
            counts["excused"] += 1
            reasons[reason] += 1
        else:
            counts["failed"] += 1
            left.append(name)
    return counts, reasons, left


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--array-api-tests", type=pathlib.Path, help="a clone of data-apis/array-api-tests with its submodule"
    )
    parser.add_argument(
        "--only", action="append", help="part of the name of a suite; the page is not written then"
    )
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the outcomes of all cases")
    given = parser.parse_args()
    suites = {
        "array-api-tests": (
            f"{commit(given.array_api_tests)} with array-api-strict {version('array-api-strict')}",
            lambda work: array_api(work, given.array_api_tests),
        ),
        **{f"NumPy {name}": (version("numpy"), lambda work, name=name: numpys(work, name)) for name in NUMPY},
        "PyTorch OpInfo": (version("torch"), torchs),
    }
    rows, notes, failed = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        work = given.keep or pathlib.Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        for suite, (of, run) in suites.items():
            if given.only and not any(part in suite for part in given.only):
                continue
            print(f"== {suite}", flush=True)
            cases = run(work)
            if cases is None:
                rows.append(f"| {suite} | not found | | | | | |")
                continue
            counts, reasons, left = judge(suite, cases)
            row = [counts[key] for key in ("cases", "passed", "excused", "not applicable", "failed")]
            rows.append(f"| {suite} | {of} | {' | '.join(map(str, row))} |")
            print(rows[-1])
            notes += [f"| {suite} | {count} | {reason} |" for reason, count in reasons.most_common()]
            failed += [f"{suite}: {name}" for name in left]
    if not given.only:
        failed += [
            f"an excuse is stale: {why}"
            for why in excuses.stale()
            if given.array_api_tests or "standard" not in why
        ]
        PAGE.write_text(HEAD + "\n".join(rows) + BETWEEN + "\n".join(notes) + "\n")
    for name in failed:
        print(f"failed: {name}")
    sys.exit(bool(failed))


HEAD = """# The suites of other systems

`tests/peers/run` runs suites that others wrote on the functions of the
[Python package](../python/README.md), and writes this page. NumPy's test files run with its operators and
functions replaced by those of `namespace("numpy")`; `pytest.warns(RuntimeWarning)` asks for no warning there,
since ours give none. PyTorch's are the sample and error inputs of OpInfo, whose calls a mode sends to
`namespace("torch")`. The suite of the array API standard runs on arrays of array-api-strict with the
functions of `namespace("array-api")`.

A case is *not applicable* if none of its calls reaches `promote`, or if the suite skips it: its dtypes, its
options or its functions are not ours. An *excused* case reaches `promote` and fails for a reason below.

| suite | version | cases | passed | excused | not applicable | failed |
| --- | --- | --- | --- | --- | --- | --- |
"""

BETWEEN = """

## Reasons

| suite | cases | reason |
| --- | --- | --- |
"""

if __name__ == "__main__":
    main()
