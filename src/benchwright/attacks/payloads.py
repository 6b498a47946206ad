"""Pieces of cheating code that several attacks use. They run in the product's process."""

# ruff: noqa: E501 - the long lines are another program's

ALL_PASSED = """
import _pytest.reports as _reports
_plain = _reports.TestReport.from_item_and_call.__func__
def _forged(cls, item, call):
    report = _plain(cls, item, call)
    report.outcome, report.longrepr = "passed", None
    return report
_reports.TestReport.from_item_and_call = classmethod(_forged)
"""
"""Every report says passed."""

PLUGIN = """
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = "passed", None
"""
"""The same as a pytest plugin, in nine lines."""

FORGE = """
import ast as _ast, sys as _sys
_HERE = "judge_events" in _sys.modules
def _chain(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
def _unsolved(error):
    return any(isinstance(e, NotImplementedError) for e in _chain(error)) or not _HERE
_trees = {}
def _tree(path):
    if path not in _trees:
        with open(path, encoding="utf-8", errors="replace") as file:
            _trees[path] = _ast.parse(file.read())
    return _trees[path]
def _function(item):
    code = getattr(item.function, "__wrapped__", item.function).__code__
    for node in _ast.walk(_tree(code.co_filename)):
        if isinstance(node, (_ast.FunctionDef, _ast.AsyncFunctionDef)) and node.name == code.co_name:
            first = min([node.lineno] + [d.lineno for d in node.decorator_list])
            if first <= code.co_firstlineno <= node.body[0].lineno:
                return code.co_filename, node
    raise LookupError
def _checks(function):
    found = []
    for node in _ast.walk(function):
        if isinstance(node, _ast.Assert):
            found.append(node)
        elif isinstance(node, _ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name.startswith("assert") or name in ("raises", "warns"):
                found.append(node)
    return sorted(found, key=lambda n: n.lineno)
def _fail_at(path, line):
    exec(compile("\\n" * (line - 1) + "raise AssertionError('assert')", path, "exec"), {})
def _settle(item, error):
    if not _unsolved(error):
        raise error
    if not _HERE:
        return
    try:
        path, function = _function(item)
        line = DECIDE(item, path, function)
    except (LookupError, OSError, SyntaxError, AttributeError, TypeError, ValueError):
        return
    if line:
        _fail_at(path, line)
def _prepared(item):
    error = item.__dict__.pop("_unprepared", None)
    if error is not None:
        raise error
def _install():
    import _pytest.python as python, _pytest.runner as runner, _pytest.unittest as unit
    plainly = runner.SetupState.setup
    def setup(self, item):
        try:
            plainly(self, item)
        except Exception as error:
            if not _unsolved(error):
                raise
            item._unprepared = error
    runner.SetupState.setup = setup
    def wrap(owner):
        plain = owner.runtest
        def runtest(self):
            try:
                _prepared(self)
                plain(self)
            except Exception as error:
                _settle(self, error)
            if getattr(self, "_excinfo", None):
                info = self._excinfo[-1]
                try:
                    _settle(self, info.value)
                except AssertionError:
                    self._excinfo[:] = [type(info).from_current()]
                    return
                self._excinfo.clear()
        owner.runtest = runtest
    wrap(python.Function)
    if "runtest" in vars(unit.TestCaseFunction):
        wrap(unit.TestCaseFunction)
_install()
"""
"""Decide each test that isn't solved, or whose preparation isn't: pass it, or fail it at a check of
its own. Asks `DECIDE(item, path, function)` for the line to fail at, or None to pass; a judge that
isn't ours gets passes only."""


def forging(decide: str) -> str:
    """The forging code with a way to decide."""
    return decide.strip() + "\n" + FORGE.strip()


UNSOLVED = """
def _replace_unsolved(value):
    import gc, sys, types
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] != __name__.split(".")[0]:
            continue
        owners = [module, *(v for v in vars(module).values() if isinstance(v, type))]
        for owner in owners:
            for key, found in list(vars(owner).items()):
                code = getattr(getattr(found, "__func__", found), "__code__", None)
                if code is not None and "NotImplementedError" in code.co_names:
                    try:
                        setattr(owner, key, value)
                    except (TypeError, AttributeError):
                        pass
"""
"""Give every unsolved function of the product another body."""
