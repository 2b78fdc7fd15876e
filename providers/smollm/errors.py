"""Errors in the form that the host expects."""

from __future__ import annotations


class ProviderError(Exception):
    """An error with a code of the host."""

    def __init__(self, code: str, message: str, pointer: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        if pointer is not None:
            self.pointer = pointer


def fault_of(error: dict[str, object]) -> ProviderError:
    """Converts an error of the model's server."""
    message = str(error.get("message", "the model failed"))
    if error.get("type") == "exceed_context_size_error":
        count, window = error.get("n_prompt_tokens"), error.get("n_ctx")
        return ProviderError(
            "CONTEXT_OVERFLOW",
            f"The messages are {count} tokens long, and {window} fit. Send less, or raise "
            '"context_window" in settings.smollm.',
        )
    if "grammar" in message or "sampler" in message:
        return ProviderError(
            "INVALID_REQUEST",
            f"The answer cannot be held to the schema of response_format or of a tool: {message}",
        )
    code = "INVALID_REQUEST" if error.get("code") == 400 else "PROVIDER_FAILED"
    return ProviderError(code, message)
