"""One pass of a request through the hooks of some plugins, in the host's order."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from ..context import Phase
from .answer import Answer
from .contexts import MemoryStorage, RequestContext, Shared
from .frozen import frozen
from .message_faults import is_message, messages_fault
from .plugins import PluginUnderTest
from .tool_faults import tools_fault

_ORDER = {"provider": 0, "extension": 1, "feature": 2}


class Chain:
    """The plugins of one request: the provider, extensions, then features."""

    def __init__(
        self, plugins: Sequence[PluginUnderTest], shared: Shared, storage: MemoryStorage
    ) -> None:
        chain = sorted((p for p in plugins if p.kind in _ORDER), key=lambda p: _ORDER[p.kind])
        self._provider, self._followers = chain[0], chain[1:]
        self._extensions = [plugin for plugin in chain if plugin.kind == "extension"]
        self._tools = [plugin for plugin in plugins if plugin.kind == "tool"]
        self._shared = shared
        self._contexts = {
            id(plugin): RequestContext(plugin.plugin, shared, storage) for plugin in plugins
        }
        self._phase: Phase = "prepare"
        self._finals: list[Any] = []
        self._native: Any = None
        self._state: Any = frozen({})
        self._answer = Answer(self._provider)

    @property
    def turn(self) -> tuple[Any, Any]:
        """The present native request and state."""
        return self._native, self._state

    async def prepare(self, messages: Any) -> None:
        """Runs all hooks before the request to the API."""
        schemas = []
        for tool in self._tools:
            state = await self._ask(tool, "init", {}, self._config())
            schemas += await self._ask(tool, "get_tool_schemas", [], state)
        fault = tools_fault(schemas)
        if fault is not None:
            raise AssertionError(f"the tools cannot be offered: {fault}")
        config = frozen({**self._config(), "tools": schemas})
        provider = self._provider
        self._state = await self._ask(provider, "init", self._state, config)
        for plugin in self._followers:
            self._state = await self._ask(plugin, "init", self._state, config, self._state)
        messages = frozen(messages)
        for plugin in self._followers:
            messages = await self._ask(plugin, "edit_messages", messages, messages, self._state)
            _check_messages(plugin, "edit_messages", messages)
        native = await self._ask(provider, "to_native", messages, messages, self._state)
        for plugin in self._followers:
            native = await self._ask(plugin, "to_native", native, messages, native)
        self._native = native
        for plugin in [provider, *self._followers]:
            turn = (self._native, self._state)
            self._native, self._state, *_ = await self._ask(
                plugin, "initialize_request", turn, *turn
            )

    async def call(self) -> None:
        """Lets the provider return a whole answer."""
        self._phase = "finals"
        step = await self._ask(self._provider, "call", None, *self.turn)
        _, self._finals, self._native, self._state, *_ = step

    async def stream(self) -> AsyncGenerator[list[Any], None]:
        """Lets the provider stream an answer. Yields the events of each chunk that has any."""
        self._phase = "partials"
        chunks = await self._ask(self._provider, "stream", None, *self.turn)
        reader = _read(chunks)
        try:
            async for chunk in reader:
                # A list is several chunks that arrived together.
                for one in chunk if isinstance(chunk, list) else [chunk]:
                    crossed = self._provider.crossed("stream", one)
                    for part in self._answer.of_chunk(crossed):
                        if events := await self._process(frozen(part)):
                            yield events
            for end in self._answer.close():
                if events := await self._process(frozen(end), ends=True):
                    yield events
        finally:
            await reader.aclose()

    async def finish(self) -> list[Any]:
        """Runs all hooks after the answer. Returns the core finals."""
        self._phase = "finals"
        finals = list(self._finals)
        finals += self._answer.messages()
        late, self._native, self._state, *_ = await self._ask(
            self._provider, "finalize", ([], *self.turn), *self.turn
        )
        finals = frozen([*finals, *late])
        for plugin in self._followers:
            finals, self._native, self._state, *_ = await self._ask(
                plugin, "finalize", (finals, *self.turn), finals, *self.turn
            )
        core = await self._ask(self._provider, "from_native", finals, finals, self._state)
        _check_finals(self._provider, core)
        for plugin in self._followers:
            core = await self._ask(plugin, "from_native", core, finals, core)
            if core and plugin.has("from_native"):
                _check_messages(plugin, "from_native", core)
        return list(core)

    async def _process(self, chunk: Any, ends: bool = False) -> list[Any]:
        """The events of a chunk. Those that end an answer are no chunks of the provider."""
        step: Any = ([chunk], [], *self.turn)
        if not ends:
            step = await self._ask(self._provider, "process_chunk", step, chunk, *self.turn)
        step = (frozen(self._answer.of_step(step[0], step[1])), *step[1:])
        for plugin in self._extensions:
            step = await self._ask(plugin, "process_chunk", step, chunk, *step[:4])
        partials, finals, self._native, self._state, *_ = step
        self._finals = [*self._finals, *finals]
        core = partials
        for plugin in self._extensions if partials else ():
            core = await self._ask(plugin, "from_native", core, partials, core)
        return list(core)

    async def _ask(
        self, plugin: PluginUnderTest, hook: str, otherwise: Any, *arguments: Any
    ) -> Any:
        """The result of a hook; the unchanged value if the plugin does not have the hook."""
        if not plugin.has(hook):
            return otherwise
        context = self._contexts[id(plugin)]
        context.phase = self._phase
        return await plugin.ask(hook, *arguments, context=context)

    def _config(self) -> Mapping[str, Any]:
        return self._shared.config


def _check_messages(plugin: PluginUnderTest, hook: str, messages: Any) -> None:
    """Raises AssertionError for messages that a host refuses."""
    fault = messages_fault(messages) if messages else ": return at least one message"
    if plugin.has(hook) and fault is not None:
        where = f"messages that are not valid, at {fault}" if messages else f"no message{fault}"
        raise AssertionError(f'"{hook}" of "{plugin.name}" returned {where}')


def _check_finals(provider: PluginUnderTest, finals: Any) -> None:
    wrong = next((one for one in finals if not is_message(one)), None)
    if wrong is not None:
        raise AssertionError(
            f'provider "{provider.name}" ended with {wrong!r}, which is not a message with "role" '
            'and "parts"; check its "from_native"'
        )


async def _read(chunks: Any) -> AsyncGenerator[Any, None]:
    """The chunks of a sync or async iterator, which is closed at the end."""
    try:
        if hasattr(chunks, "__aiter__"):
            async for chunk in chunks:
                yield chunk
        else:
            for chunk in chunks:
                yield chunk
    finally:
        close = getattr(chunks, "aclose", None) or getattr(chunks, "close", None)
        closed = close() if close is not None else None
        if inspect.isawaitable(closed):
            await closed
