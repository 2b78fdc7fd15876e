"""The errors for values that a class of a plugin refuses."""

from __future__ import annotations

from typing import Any, List, Tuple


class SettingsFault(ValueError):
    """Settings that the class of a plugin refuses."""

    code = "SETTINGS_INVALID"

    def __init__(self, plugin: str, path: List[Any], reason: str) -> None:
        self.path = [str(key) for key in path]
        self.reason = reason
        self.pointer = f"/settings/{plugin}{_pointer(path)}"
        super().__init__(f'Settings of "{plugin}" at {self.pointer}: {reason}')


class ArgumentsFault(ValueError):
    """Arguments of a tool call that a class of its function refuses."""

    code = "OPTION_INVALID"

    def __init__(self, tool: str, path: List[Any], reason: str) -> None:
        self.pointer = _pointer(path)
        super().__init__(f'The arguments of "{tool}" are not valid at {self.pointer}: {reason}')


class Refusal(Exception):
    """The error of a class, with the path of the value that it refuses in the whole value."""

    def __init__(self, key: Any, error: Exception) -> None:
        is_inner = isinstance(error, Refusal)
        self.path: List[Any] = [key, *(error.path if is_inner else [])]
        self.error: Exception = error.error if is_inner else error
        super().__init__(str(self.error))


def own_error(error: Exception) -> Exception:
    """The error that a class raised."""
    return error.error if isinstance(error, Refusal) else error


def first_error(error: Any) -> Tuple[List[Any], str]:
    """The path and the reason of an error. Those of pydantic list all errors of an object."""
    if isinstance(error, Refusal):
        path, reason = first_error(error.error)
        return [*error.path, *path], reason
    try:
        first = error.errors()[0]
        return list(first["loc"]), str(first["msg"])
    except Exception:  # another error
        return [], str(error) or type(error).__name__


def _pointer(path: List[Any]) -> str:
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)
