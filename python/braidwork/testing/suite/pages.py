"""Where a person finds the places of the docs that faults name."""

from __future__ import annotations

import os
from pathlib import Path

_HOME = "https://www.npmjs.com/package/braidwork"
# npm installs the suite in TypeScript, which has the pages, beside the package with this kit.
_PAGES = ("@braidwork", "testing", "docs")


def place_of(about: str) -> str:
    """The path of a place such as `hooks.md#init`, from the working folder."""
    page = about.split("#", 1)[0]
    for above in [Path.cwd(), *Path.cwd().parents, *Path(__file__).absolute().parents]:
        folder = above.joinpath("node_modules", *_PAGES)
        if (folder / page).is_file():
            return os.path.relpath(folder / about)
    return f"docs/{about} in {_HOME}"
