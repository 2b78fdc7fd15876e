"""Keeps a ledger in a CSV file: a line for each entry, with its date, its text and its amount."""

import csv
import datetime
import os
import pathlib
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Annotated, List, TypedDict

kind = "tool"
name = "ledger"
required_tags = ["tools"]
config_schema = {
    "type": "object",
    "properties": {
        "file": {
            "type": "string",
            "minLength": 1,
            "title": "File",
            "description": "The CSV file, relative to the working directory",
        }
    },
    "required": ["file"],
    "additionalProperties": False,
}

COLUMNS = ["date", "text", "amount"]
# A spreadsheet computes a cell that begins with one of these characters.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LARGEST = 1_000_000_000


class Entry(TypedDict):
    date: str
    text: str
    amount: str


def add_entry(
    text: Annotated[str, "What was paid or received", {"minLength": 1, "maxLength": 200}],
    amount: Annotated[
        float,
        "In euros; what was paid is negative",
        {"minimum": -_LARGEST, "maximum": _LARGEST},
    ],
    *,
    context,
) -> Entry:
    """Adds an entry to the ledger."""
    entry = Entry(date=_today(), text=_one_line(text), amount=str(_in_cents(amount)))
    path = file_of(context.config)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The file is only appended to: what is in the ledger stays.
    with open(path, "a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if os.fstat(file.fileno()).st_size == 0:
            writer.writeheader()
        writer.writerow(entry)
    return entry


def balance(*, context) -> dict:
    """Returns the sum of all entries, and how many there are."""
    entries = entries_in(file_of(context.config))
    return {"balance": str(sum_of(entries)), "entries": len(entries)}


functions = {
    add_entry: {"capabilities": ["write", "filesystem"]},
    balance: {"is_read_only": True, "is_concurrency_safe": True, "capabilities": ["read"]},
}


def file_of(config) -> pathlib.Path:
    return pathlib.Path(config["settings"]["ledger"]["file"]).resolve()


def entries_in(path: pathlib.Path) -> List[Entry]:
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def sum_of(entries: List[Entry]) -> Decimal:
    amounts = (_amount_of(entry, number) for number, entry in enumerate(entries, 1))
    return sum(amounts, Decimal("0.00"))


def _amount_of(entry: Entry, number: int) -> Decimal:
    try:
        amount = Decimal(entry["amount"])
        if amount.is_finite():
            return amount
    except (InvalidOperation, KeyError, TypeError):
        pass
    raise ValueError(f"Entry {number} of the ledger has no amount; correct it in the file.")


def _in_cents(amount: float) -> Decimal:
    # By its text, because 0.1 is no exact binary number.
    return Decimal(str(amount)).quantize(Decimal("0.01"), ROUND_HALF_UP)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return f"'{line}" if line.startswith(_FORMULA) else line


def _today() -> str:
    return datetime.date.today().isoformat()
