"""The checks of a plugin as tests of pytest."""

from __future__ import annotations

from typing import Any, Callable

from ...hooks import EXTENSION, FEATURE, PROVIDER, TOOL
from .options import Options
from .suite import Suite, SuiteCheck

Test = Callable[..., None]


def describe_provider(plugin: Any, **options: Any) -> Test:
    """A test of pytest for each behavior of a provider. `plugin` is an object, a class, a module,
    or the path of a plugin; `options` are the fields of `Options`. Assign the result to a name that
    begins with `test_`. For a provider of an HTTP API, pass `api`. Raises ImportError without
    pytest."""
    return _described(PROVIDER, plugin, Options(**options))


def describe_extension(plugin: Any, **options: Any) -> Test:
    """The tests of an extension. `describe_provider` says what goes in and comes out."""
    return _described(EXTENSION, plugin, Options(**options))


def describe_feature(plugin: Any, **options: Any) -> Test:
    """The tests of a feature. `describe_provider` says what goes in and comes out."""
    return _described(FEATURE, plugin, Options(**options))


def describe_tool(plugin: Any, **options: Any) -> Test:
    """The tests of a tool; pass `calls`. `describe_provider` says what goes in and comes out."""
    return _described(TOOL, plugin, Options(**options))


def _described(kind: str, plugin: Any, options: Options) -> Test:
    # Only these functions need pytest: the other parts of the kit work without it.
    import pytest

    suite = Suite(kind, plugin, options)

    @pytest.mark.parametrize("check", suite.checks, ids=[check.name for check in suite.checks])
    def test_behavior(check: SuiteCheck, request: Any) -> None:
        request.node.getparent(pytest.Module).addfinalizer(suite.close)
        fault, reason = _result_of(check)
        if fault is not None:
            pytest.fail(fault, pytrace=False)
        if reason is not None:
            pytest.skip(reason)

    test: Test = test_behavior
    return test


def _result_of(check: SuiteCheck) -> tuple[str | None, str | None]:
    """What is wrong, and why the check cannot be made."""
    try:
        return None, check.run()
    except AssertionError as error:
        return str(error), None
