"""Shows the model the pieces of a folder of documents that fit the question."""

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
# Characters of a question that pieces are found by.
_LONGEST_QUESTION = 10_000
_MOST_NAMES = 5


class DocContext:
    """The newest message of a user is asked for; the pieces stand before what it says."""

    kind = "feature"
    name = "doc-context"
    # It reads files and changes what is said.
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
        # In a thread: other plugins of this interpreter go on.
        found = await asyncio.to_thread(folder.find, question, lambda: context.signal.aborted)
        block = block_of(found.pieces, settings.max_pieces, settings.max_characters)
        if found.left_out:
            names = ", ".join(found.left_out[:_MOST_NAMES])
            context.warn(f"documents that are left out: {len(found.left_out)} ({names})")
        return with_block(plain, at, block) if block else plain

    def _folder(self, settings: Settings) -> Folder:
        """What is known of a folder; of those that are asked for, the newest are kept."""
        folder = self._folders.pop(settings, None) or Folder(settings)
        self._folders[settings] = folder
        while len(self._folders) > _MOST_FOLDERS:
            self._folders.popitem(last=False)
        return folder


plugin = DocContext()
