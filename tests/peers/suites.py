"""Runs the suites, and writes `docs/peers-suites.md`. `run` calls it in an environment that has all packages."""

import argparse
import importlib.metadata
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
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
    if not (clone / ".git").exists():
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
    cases = json.loads(results.read_text())
    if not cases:
        raise SystemExit(f"{' '.join(command)} found no cases:\n{ran.stdout[-4000:]}{ran.stderr[-4000:]}")
    return cases


def compared(cases, alone):
    """Marks the cases that fail without ours, too, as a suite of another version of the system than the
    installed one does."""
    for name, case in cases.items():
        case["fails alone"] = alone.get(name, {}).get("outcome") == "failed"
    return cases


def array_api(work, path):
    """The suite of the array API standard, on our namespace over `array_api_strict`'s arrays."""
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


def opinfo(work):
    """The samples and errors of PyTorch's data base of ops, sent to our functions."""
    return pytest(["-W", "ignore", str(HERE / "test_torch_ops.py")], HERE, work / "torch.json")


def torchs(work, path):
    """PyTorch's tests of promotion, in a mode that sends its calls to our functions."""
    env = {"PYTORCH_TESTING_DEVICE_ONLY_FOR": "cpu"}
    arguments = ["-W", "ignore", str(path)]
    cases = pytest(["-p", "torch_mode", *arguments], work, work / "torch-promotion.json", env)
    return compared(cases, pytest(arguments, work, work / "torch-alone.json", env))


def jaxs(work, path):
    """JAX's tests of dtypes, where JAX promotes by our rule set."""
    env = {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}
    return pytest(["-W", "ignore", "-p", "jax_tables", str(path)], work, work / "jax.json", env)


def ml_dtypes(work, path):
    """A test file of ml_dtypes, on our functions and operators."""
    found = []
    for name, text in ((path.stem, numpy_ops.rewritten(path.read_text())), (f"{path.stem}-alone", path.read_text())):
        folder = work / name
        folder.mkdir(exist_ok=True)
        (folder / path.name).write_text(text)
        (folder / "multi_thread_utils.py").write_text((path.parent / "multi_thread_utils.py").read_text())
        env = {"PROMOTE_PEERS_RULES": "ml-dtypes"}
        found.append(pytest(["-W", "ignore", path.name], folder, work / f"{name}.json", env))
    return compared(*found)


def polars(work, folder, path):
    """Test files of Polars, with the operators of its series computed by our functions."""
    # The options of Polars' configuration need plugins of its developers.
    options = ["-W", "ignore", "-o", "addopts=--import-mode=importlib", "-p", "polars_ops"]
    return pytest([*options, path], folder, work / f"polars-{pathlib.Path(path).stem}.json")


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
        elif reason := excuses.reason(suite, name, case):
            counts["excused"] += 1
            reasons[reason] += 1
        else:
            counts["failed"] += 1
            left.append(name)
    return counts, reasons, left


def passed_on(cases):
    """Returns the calls on operands of ours that cases made which are not applicable, with their number."""
    calls = Counter()
    for case in cases.values():
        if not case["calls"]:
            calls.update(case["passed on"])
    return calls.most_common()


def unreached(cases):
    """Returns the entries of OpInfo of which no sample reaches a function of ours."""
    calls = Counter()
    for name, case in cases.items():
        if entry := re.search(r"test_samples\[(.*)-\w+\]", name):
            calls[entry[1]] += case["calls"]
    return [f"`{entry}`" for entry in sorted(calls) if not calls[entry]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="where the suites are that no package has")
    parser.add_argument(
        "--only", action="append", help="part of the name of a suite; the page is not written then"
    )
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the outcomes of all cases")
    given = parser.parse_args()
    folder = given.folder.resolve()
    api, ml = folder / "array-api-tests", folder / "ml_dtypes"
    pl = folder / "polars/py-polars"
    torch, jax = folder / "pytorch/test/test_type_promotion.py", folder / "jax/tests/dtypes_test.py"
    suites = {
        "array-api-tests": (
            api / "array_api_tests",
            lambda: f"{commit(api)} with array-api-strict {version('array-api-strict')}",
            lambda work: array_api(work, api),
        ),
        **{
            f"NumPy {name}": (HERE, lambda: version("numpy"), lambda work, name=name: numpys(work, name))
            for name in NUMPY
        },
        "PyTorch OpInfo": (HERE, lambda: version("torch"), opinfo),
        "PyTorch test_type_promotion": (
            torch,
            lambda: f"{commit(folder / 'pytorch')} with PyTorch {version('torch')}",
            lambda work: torchs(work, torch),
        ),
        "JAX dtypes_test": (
            jax,
            lambda: f"{commit(folder / 'jax')} with JAX {version('jax')}",
            lambda work: jaxs(work, jax),
        ),
        **{
            f"ml_dtypes {name}": (
                ml / f"ml_dtypes/tests/{name}.py",
                lambda: f"{commit(ml)} with ml_dtypes {version('ml_dtypes')}",
                lambda work, name=name: ml_dtypes(work, ml / f"ml_dtypes/tests/{name}.py"),
            )
            for name in ("custom_float_test", "intn_test", "custom_complex_test")
        },
        **{
            f"Polars {path}": (
                pl / f"tests/unit/{path}",
                lambda: f"{commit(folder / 'polars')} with Polars {version('polars')}",
                lambda work, path=path: polars(work, pl, f"tests/unit/{path}"),
            )
            for path in (
                "operations/arithmetic",
                "operations/test_comparison.py",
                "series/test_series.py",
            )
        },
    }
    rows, notes, options, failed, entries = [], [], [], [], []
    with tempfile.TemporaryDirectory() as temporary:
        work = (given.keep or pathlib.Path(temporary)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        for suite, (path, of, run) in suites.items():
            if given.only and not any(part in suite for part in given.only):
                continue
            print(f"== {suite}", flush=True)
            if not path.exists():
                rows.append(f"| {suite} | not found | | | | | |")
                print(rows[-1])
                continue
            cases = run(work)
            counts, reasons, left = judge(suite, cases)
            row = [counts[key] for key in ("cases", "passed", "excused", "not applicable", "failed")]
            rows.append(f"| {suite} | {of()} | {' | '.join(map(str, row))} |")
            print(rows[-1])
            notes += [f"| {suite} | {count} | {reason} |" for reason, count in reasons.most_common()]
            options += [f"| {suite} | {count} | {call} |" for call, count in passed_on(cases)]
            failed += [f"{suite}: {name}" for name in left]
            if suite == "PyTorch OpInfo":
                entries = unreached(cases)
    if not given.only:
        if not any("not found" in row for row in rows):
            failed += [f"an excuse is stale: {why}" for why in excuses.stale()]
        listed = textwrap.fill(", ".join(entries) + ".", 110, break_on_hyphens=False)
        tables = [f"{head}{chr(10).join(table)}\n" for head, table in ((HEAD, rows), (BETWEEN, notes), (CALLS, options))]
        PAGE.write_text("".join([*tables, ENTRIES, listed, "\n"]))
    for name in failed:
        print(f"failed: {name}")
    sys.exit(bool(failed))


HEAD = """# The suites of other systems

`tests/peers/run` runs suites that others wrote on the functions of the
[Python package](../python/README.md), and writes this page.

- **array-api-tests** runs on arrays of array-api-strict with the functions of `namespace("array-api")`.
- **NumPy's** test files run with its operators, ufuncs and their `reduce` replaced by functions of
  `namespace("numpy")`. `pytest.warns(RuntimeWarning)` asks for no warning there, since these functions give
  none.
- **ml_dtypes'** run in the same way with `namespace("ml-dtypes")`.
- **PyTorch's** are the sample and error inputs of OpInfo, and its tests of promotion. A mode sends their
  calls to `namespace("torch")`. Where both refuse, the error is PyTorch's.
- **JAX's** tests of dtypes run while JAX promotes by the rule set `jax`. It computes values by itself.
- **Polars'** run with the operators of its series replaced by functions of `namespace("polars")`. Expressions
  stay Polars'.

DataFusion's own tests run in [`engines/promote-datafusion`](../engines/promote-datafusion/README.md).

A case is *not applicable* if none of its calls reaches `promote`, or if the suite skips it: it tests other
dtypes, options or functions. An *excused* case reaches `promote` and fails for a reason below. A *failed*
case does so as well, and has no reason yet.

| suite | version | cases | passed | excused | not applicable | failed |
| --- | --- | --- | --- | --- | --- | --- |
"""

BETWEEN = """
## Reasons

| suite | cases | reason |
| --- | --- | --- |
"""

CALLS = """
## Calls with other options

Cases that are not applicable made these calls on operands that `promote` takes. The calls went on to the
other system, because ours do not have their options or forms.

| suite | cases | call |
| --- | --- | --- |
"""

ENTRIES = """
## Entries of OpInfo that are not applicable

No sample of these entries, in any dtype, reaches a function here: there is none for the op, or not with the
options of the samples.

"""

if __name__ == "__main__":
    main()
