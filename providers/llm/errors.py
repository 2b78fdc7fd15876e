"""Errors in the form that the host expects."""

from __future__ import annotations

from typing import Any

_STATUSES = {
    401: "PROVIDER_UNAUTHORIZED",
    402: "QUOTA_EXCEEDED",
    403: "PROVIDER_UNAUTHORIZED",
    408: "TIMEOUT",
    429: "RATE_LIMITED",
    503: "OVERLOADED",
    504: "TIMEOUT",
    529: "OVERLOADED",
}
_RETRYABLE = ("TIMEOUT", "RATE_LIMITED", "OVERLOADED")
_FIRST_OF_SERVER = 500


class ProviderError(Exception):
    """An error with a code of the host, and facts such as `pointer` or `status`."""

    def __init__(self, code: str, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.code = code
        for name, fact in facts.items():
            if fact is not None:
                setattr(self, name, fact)


def fault_of(error: Exception, needs_key: str | None) -> Exception:
    """Converts what a model raised. Clients of model APIs tell the status in one of two ways."""
    if isinstance(error, ProviderError):
        return error
    said = str(error) or type(error).__name__
    if type(error).__name__ == "NeedsKeyException":
        advice = f'Set settings.llm.keys["{needs_key}"], or run "llm keys set {needs_key}".'
        return ProviderError(
            "PROVIDER_UNAUTHORIZED", f"The model has no key. {advice}", retryable=False
        )
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None) or getattr(response, "status_code", None)
    if isinstance(status, int):
        return _of_status(said, status, getattr(response, "headers", None))
    is_lost = isinstance(error, (OSError, TimeoutError)) or "Connect" in type(error).__name__
    return ProviderError(
        "PROVIDER_FAILED", f"The model failed: {said}", retryable=True if is_lost else None
    )


def _of_status(said: str, status: int, headers: Any) -> ProviderError:
    usual = "PROVIDER_FAILED" if status >= _FIRST_OF_SERVER else "INVALID_REQUEST"
    code = _STATUSES.get(status, usual)
    return ProviderError(
        code,
        f"The model API answered with status {status}: {said}",
        status=status,
        retryable=code in _RETRYABLE or status >= _FIRST_OF_SERVER,
        retry_after=_seconds_in(headers),
    )


def _seconds_in(headers: Any) -> float | None:
    try:
        return max(0.0, float(headers.get("retry-after")))
    except (AttributeError, TypeError, ValueError):
        # No header, or a date, which the host's own waits replace.
        return None
