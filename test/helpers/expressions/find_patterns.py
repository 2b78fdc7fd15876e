"""Prints the patterns that the Python files below some folders give to `re`, as JSON."""

import ast
import json
import os
import sys

CALLS = {"compile", "match", "search", "sub", "split", "findall", "finditer", "fullmatch"}


def constants(tree):
    """The texts that a module gives names, for patterns that are made of them."""
    known = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = evaluated(node.value, known)
            if isinstance(value, str):
                known[node.targets[0].id] = value
    return known


def evaluated(node, known):
    try:
        return eval(compile(ast.Expression(node), "pattern", "eval"), {"__builtins__": {}}, dict(known))
    except Exception:
        return None


def patterns(path, root):
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    known = constants(tree)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
            continue
        if node.func.attr in CALLS:
            source = evaluated(node.args[0], known)
            place = {"path": os.path.relpath(path, root), "line": node.lineno, "flags": "u"}
            yield {**place, "source": source if isinstance(source, str) else ""}


found = []
for folder in sys.argv[2:]:
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in ("node_modules", "dist", "__pycache__"))
        for name in sorted(files):
            if name.endswith(".py"):
                found.extend(patterns(os.path.join(at, name), sys.argv[1]))
print(json.dumps(found))
