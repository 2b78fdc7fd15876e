"""Makes the prompt and the conversation of llm for a native request."""

from __future__ import annotations

from typing import Any, NamedTuple

from .installed import llm_module


class Turn(NamedTuple):
    """What a prompt adds to the conversation before it."""

    text: str
    attachments: list[Any]
    tool_results: list[Any]


def response_to(native: dict[str, Any], model: Any, key: str | None) -> Any:
    """A response of llm that runs when it is iterated."""
    llm = llm_module()
    system = native.get("system")
    history, last = _split(native["messages"])
    conversation = model.conversation()
    head = [{"role": "system", "parts": [{"type": "text", "text": system}]}] if system else []
    for at in _answers_in(history):
        conversation.responses.append(_past(history, at, head, model, system))
    turn = _turn_of(last)
    return conversation.prompt(
        turn.text,
        system=system,
        attachments=turn.attachments,
        tool_results=turn.tool_results,
        schema=native.get("schema"),
        tools=[llm.Tool(**tool) for tool in native.get("tools", [])],
        stream=bool(model.can_stream),
        key=key,
        options=native["options"],
    )


def _split(messages: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The messages up to the last answer, and those after it."""
    answers = _answers_in(messages)
    end = answers[-1] + 1 if answers else 0
    return messages[:end], messages[end:]


def _answers_in(messages: list[dict[str, Any]]) -> list[int]:
    return [at for at, message in enumerate(messages) if message["role"] == "assistant"]


def _past(
    history: list[dict[str, Any]],
    at: int,
    head: list[dict[str, Any]],
    model: Any,
    system: str | None,
) -> Any:
    """An earlier answer. Newer models read its messages; older ones its prompt and its text."""
    llm = llm_module()
    is_async = isinstance(model, (llm.AsyncModel, llm.AsyncKeyModel))
    kind = llm.AsyncResponse if is_async else llm.Response
    before = [*head, *history[:at]]
    data = {
        "model": model.model_id,
        "prompt": {"messages": before},
        "messages": [history[at]],
    }
    response = kind.from_dict(data, model=model)
    earlier = [place for place in _answers_in(history) if place < at]
    turn = _turn_of(history[earlier[-1] + 1 if earlier else 0 : at])
    response.prompt = llm.Prompt(
        turn.text,
        model=model,
        system=system,
        attachments=turn.attachments,
        tool_results=turn.tool_results,
        messages=response.prompt.messages,
    )
    return response


def _turn_of(messages: list[dict[str, Any]]) -> Turn:
    llm = llm_module()
    texts, attachments, results = [], [], []
    for message in messages:
        for raw in llm.Message.from_dict(message).parts:
            kind = raw.to_dict()["type"]
            if kind == "text":
                texts.append(raw.text)
            elif kind == "attachment":
                attachments.append(raw.attachment)
            elif kind == "tool_result":
                results.append(_result_of(raw))
    return Turn("\n".join(texts), attachments, results)


def _result_of(part: Any) -> Any:
    return llm_module().ToolResult(
        name=part.name,
        output=part.output,
        attachments=part.attachments,
        tool_call_id=part.tool_call_id,
        exception=RuntimeError(part.output) if part.exception else None,
    )
