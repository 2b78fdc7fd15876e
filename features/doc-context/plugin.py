"""Gives the model those pieces of a folder of documents that match the question."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from .block import block_of, question_in, text_of, with_block, without_blocks
from .folder import Folder
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
        block = block_of(found.pieces, settings.max_pieces, settings.max_characters)
        if found.left_out:
            names = ", ".join(found.left_out[:_MOST_NAMES])
            context.warn(f"documents that are left out: {len(found.left_out)} ({names})")
        return with_block(plain, at, block) if block else plain

    def _folder(self, settings: Settings) -> Folder:
        """The folder for these settings. The most recently used folders are cached."""
        folder = self._folders.pop(settings, None) or Folder(settings)
        self._folders[settings] = folder
        while len(self._folders) > _MOST_FOLDERS:
            self._folders.popitem(last=False)
        return folder


plugin = DocContext()
