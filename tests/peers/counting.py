"""A plugin of pytest: counts the calls of each case that reach `promote`, and writes them with the outcomes.

`PROMOTE_PEERS_RESULTS` names the file that it writes.
"""

import json
import os

import promote_dtypes

calls = 0
passed_on = set()
_cases = {}


def reached():
    """Notes a call that `promote` computes or answers."""
    global calls
    calls += 1


def passes_on(name, options):
    """Notes a call on operands of ours that goes on to the other system, with the names of its options."""
    named = f" with {', '.join(f'`{option}`' for option in sorted(options))}" if options else ""
    passed_on.add(f"`{name}`{named}")


def is_function(value):
    """Returns true for a function of a namespace that computes an op."""
    return isinstance(getattr(value, "__self__", None), promote_dtypes.Function)


def pytest_runtest_setup(item):
    global calls
    calls = 0
    passed_on.clear()


def pytest_runtest_logreport(report):
    case = _cases.setdefault(report.nodeid, {"outcome": "passed", "calls": 0, "message": ""})
    case["calls"] = max(case["calls"], calls)
    case["passed on"] = sorted(passed_on)
    if report.skipped and case["outcome"] == "passed":
        case["outcome"] = "skipped"
    elif report.failed:
        case["outcome"] = "failed"
        crash = getattr(report.longrepr, "reprcrash", None)
        case["message"] = str(crash.message if crash else report.longrepr)[-2000:]


def pytest_sessionfinish():
    path = os.environ.get("PROMOTE_PEERS_RESULTS")
    if path:
        with open(path, "w") as file:
            json.dump(_cases, file, indent=1)
