"""Writes a line about each run into a second CSV file: what it added to the ledger, and how it ended."""

import csv
import os
import pathlib

from .ledger import entries_in, file_of, sum_of

kind = "feature"
name = "closing"
config_schema = {
    "type": "object",
    "properties": {
        "file": {
            "type": "string",
            "minLength": 1,
            "title": "File",
            "description": "The CSV file of the runs, relative to the working directory",
        }
    },
    "required": ["file"],
    "additionalProperties": False,
}
state_keys = {"entries": {"merge": "sum", "initial": 0}}
effects = ["close_run"]

COLUMNS = ["run", "entries", "balance", "ended"]


def after_tool_execute(run):
    results = run.get("results", [])
    added = [one for one in results if one["name"] == "add_entry" and not one.get("isError")]
    return {"state": {"entries": len(added)}}


def run_end(run):
    return {"effects": [{"key": "close_run", "input": {"ended": run["termination"]["reason"]}}]}


def handle_effect(key, input, run, context):
    balance = sum_of(entries_in(file_of(context.config)))
    path = pathlib.Path(context.config["settings"]["closing"]["file"]).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if os.fstat(file.fileno()).st_size == 0:
            writer.writerow(COLUMNS)
        writer.writerow([context.run_id, run["state"]["entries"], balance, input["ended"]])
