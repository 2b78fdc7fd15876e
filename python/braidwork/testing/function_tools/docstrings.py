"""Reads descriptions of parameters from docstrings in the Google, NumPy and Sphinx styles."""

from __future__ import annotations

import inspect
import re
from typing import Any, Dict, List, Tuple

_SECTION = re.compile(r"^(Args|Arguments|Parameters|Params|Other Parameters):?$")
_ANY_SECTION = re.compile(r"^[A-Z][A-Za-z ]+:$")
_ITEM = re.compile(r"^\*{0,2}(\w+)\s*(?:\(.*?\)\s*)?:\s*(.*)$")
_NUMPY_ITEM = re.compile(r"^(\w+(?:\s*,\s*\w+)*)\s*(?::.*)?$")
_SPHINX = re.compile(r"^:param\s([^:]+):\s*(.*)$")
_NAME = re.compile(r"^\*{0,2}(\w+)$")


def read_docstring(function: Any) -> Tuple[str, Dict[str, str]]:
    """The first paragraph, and the description of each parameter."""
    lines = inspect.cleandoc(getattr(function, "__doc__", None) or "").split("\n")
    paragraph: List[str] = []
    for line in lines:
        is_over = not line.strip() or _SECTION.match(line) or _ANY_SECTION.match(line)
        if is_over or line.startswith(":"):
            break
        paragraph.append(line.strip())
    return " ".join(paragraph), {**_sectioned(lines), **_sphinx(lines)}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _sectioned(lines: List[str]) -> Dict[str, str]:
    said: Dict[str, str] = {}
    for at, line in enumerate(lines):
        if not _SECTION.match(line):
            continue
        is_numpy = at + 1 < len(lines) and re.match(r"^-{3,}\s*$", lines[at + 1]) is not None
        # The remaining lines are not copied for each section: that would take quadratic time.
        said.update(_numpy(lines, at + 2) if is_numpy else _google(lines, at + 1))
    return said


def _google(lines: List[str], start: int) -> Dict[str, str]:
    said: Dict[str, List[str]] = {}
    name, depth = "", 0
    for at in range(start, len(lines)):
        line = lines[at]
        if not line.strip():
            continue
        indent = _indent(line)
        if indent == 0:
            break
        depth = depth or indent
        found = _ITEM.match(line.strip()) if indent == depth else None
        if found:
            name = found.group(1)
            said[name] = [found.group(2)]
        elif name and indent > depth:
            said[name].append(line.strip())
    return _joined(said)


def _numpy(lines: List[str], start: int) -> Dict[str, str]:
    said: Dict[str, List[str]] = {}
    names: List[str] = []
    for at in range(start, len(lines)):
        line = lines[at]
        if at + 1 < len(lines) and re.match(r"^-{3,}\s*$", lines[at + 1]):
            break
        found = _NUMPY_ITEM.match(line) if _indent(line) == 0 else None
        if found:
            names = [name.strip() for name in found.group(1).split(",")]
            said.update({name: [] for name in names})
        elif line.strip():
            for name in names:
                said[name].append(line.strip())
    return _joined(said)


def _sphinx(lines: List[str]) -> Dict[str, str]:
    said: Dict[str, List[str]] = {}
    name = ""
    for line in lines:
        found = _SPHINX.match(line)
        # A type may precede the name.
        named = found and _NAME.match((found.group(1).split() or [""])[-1])
        if found and named:
            name = named.group(1)
            said[name] = [found.group(2)]
        elif name and line.strip() and _indent(line) > 0:
            said[name].append(line.strip())
        else:
            name = ""
    return _joined(said)


def _joined(said: Dict[str, List[str]]) -> Dict[str, str]:
    texts = {name: " ".join(text for text in lines if text) for name, lines in said.items()}
    return {name: text for name, text in texts.items() if text}
