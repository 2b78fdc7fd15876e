"""Gives the model those pieces of a folder of documents that match the question."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from .block import block_of, fitting, lines_of, question_in, text_of, with_block, without_blocks
from .folder import Folder, Found
from .ranking import Piece
from .settings import CONFIG_SCHEMA, Settings, has_folder, read_settings

if TYPE_CHECKING:
    from braidwork import Config, Context, Messages, State

_MOST_FOLDERS = 8
# Only this many characters of the question are used for the search.
_LONGEST_QUESTION = 10_000
_MOST_NAMES = 5


class DocContext:
    """Searches for the last user message, and puts the pieces before its text."""

    kind = "feature"
    name = "doc-context"
    # Off by default, since it reads files and changes the messages.
    default_enabled = False
    config_schema = CONFIG_SCHEMA

    def __init__(self) -> None:
        self._folders: OrderedDict[Settings, Folder] = OrderedDict()

    async def edit_messages(self, messages: Messages, state: State, context: Context) -> Messages:
        if not has_folder(context.config):
            return messages
        settings = read_settings(context.config)
        plain = without_blocks(messages)
        at = question_in(plain)
        if at is None:
            return plain
        question = text_of(plain[at])[:_LONGEST_QUESTION]
        folder = self._folder(settings)
        # In a thread, so that other plugins of this interpreter can run.
        found = await asyncio.to_thread(folder.find, question, lambda: context.signal.aborted)
        shown = fitting(found.pieces, settings.max_pieces, settings.max_characters)
        _report(found, shown, context)
        if found.left_out:
            names = ", ".join(found.left_out[:_MOST_NAMES])
            context.warn(f"documents that are left out: {len(found.left_out)} ({names})")
        if found.unread:
            context.warn(
                f"documents that are not searched yet: {found.unread}; the next requests read them"
            )
        return with_block(plain, at, block_of(shown)) if shown else plain

    def _folder(self, settings: Settings) -> Folder:
        """The folder for these settings. The most recently used folders are cached."""
        folder = self._folders.pop(settings, None) or Folder(settings)
        self._folders[settings] = folder
        while len(self._folders) > _MOST_FOLDERS:
            self._folders.popitem(last=False)
        return folder


def _report(found: Found, shown: list[Piece], context: Context) -> None:
    """Tells which pieces the model is shown, and of the others why not."""
    for piece in shown:
        context.report({"kind": "document", "ref": _ref_of(piece)})
    others = [_ref_of(piece) for piece in found.pieces if piece not in shown]
    _leave_out(others, "pieces", "others fit the question better, or it is too long", context)
    _leave_out(found.left_out, "documents", "it is no UTF-8 text, a link, or too large", context)


def _leave_out(refs: list[str], what: str, reason: str, context: Context) -> None:
    """Reports what is left out; the first by name, the others by their number."""
    told = refs[:_MOST_NAMES]
    if len(refs) > len(told):
        told = [*told, f"{len(refs) - len(told)} more {what}"]
    for ref in told:
        context.report({"kind": "document", "ref": ref, "status": "left_out", "reason": reason})


def _ref_of(piece: Piece) -> str:
    return f"{piece.path}:{lines_of(piece)}"


plugin = DocContext()
