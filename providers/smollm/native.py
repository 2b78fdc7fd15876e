"""Converts messages and a config to a request for the model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .errors import ProviderError
from .grammar import Schema, grammar_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from braidwork import Config, Context, Message, ToolSchema

# The value that the authors of the model recommend.
_TEMPERATURE = 0.2
_TOP_P = 0.9
_MOST_TOKENS = 512
# Without it a small model repeats a line until its last token. Short repetitions are allowed,
# since an answer must repeat words of the question, as in "The capital of France is".
_NO_REPETITION = {"dry_multiplier": 0.8, "dry_allowed_length": 4, "dry_penalty_last_n": 1024}

# A penalty of 0 and no biases are the defaults, which clients often send.
_NOT_TAKEN = ("presence_penalty", "frequency_penalty", "logit_bias")

# Replaces the default of the model's format, with which it tends to switch to French.
_SYSTEM = "You answer questions correctly."
_TOOLS = """You can call tools. To call one, answer with its name and its arguments as JSON alone.
{tools}"""

# An example call. Without it, the model seldom takes arguments from the question.
_EXAMPLE = [
    {"role": "user", "content": "How many metres are 12 feet?"},
    {
        "role": "assistant",
        "content": '{"name": "convert", "arguments": {"value": "12 feet", "unit": "metres"}}',
    },
]


def native_of(
    messages: Sequence[Message], schemas: Sequence[ToolSchema], context: Context
) -> dict[str, Any]:
    """The request in the format of llama.cpp's server."""
    config = context.config
    tools = _demanded(schemas, config)
    schema = _answer_schema(config)
    seed = config.get("seed")
    native: dict[str, Any] = {
        "messages": _with_system(_chat(messages, context), tools),
        "temperature": config.get("temperature", _TEMPERATURE),
        "top_p": config.get("top_p", _TOP_P),
        "max_tokens": config.get("max_output_tokens", _MOST_TOKENS),
        "stop": _stops(config),
        # Reusing an earlier prompt changes the last digits, so a request with a seed does not.
        "cache_prompt": seed is None,
    }
    if seed is not None:
        native["seed"] = seed
    grammar = grammar_for(tools, schema)
    if grammar is None:
        native.update(_NO_REPETITION)
    else:
        native["grammar"] = grammar
        native["tool_names"] = [tool["name"] for tool in tools]
    _warn_of_what_is_left_out(messages, schemas, context)
    return native


def demands_call(config: Config) -> bool:
    """Whether the config requires a tool call, whatever the question."""
    return config.get("tool_choice", "auto") not in ("auto", "none")


def _warn_of_what_is_left_out(
    messages: Sequence[Message], schemas: Sequence[ToolSchema], context: Context
) -> None:
    config = context.config
    is_after_results = bool(messages) and messages[-1]["role"] == "tool"
    # The tag turns off tools of plugins, but tools of a caller are offered in any case.
    if schemas and config.get("tool_choice", "auto") == "auto" and not is_after_results:
        context.warn(
            "SmolLM2 cannot tell when a tool is of use, and calls none by itself. "
            '"tool_choice" can demand it: "required", or {"tool": "<name>"}.'
        )
    if config.get("reasoning_effort") not in (None, "none"):
        context.warn('SmolLM2 does not reason: "reasoning_effort" is left out.')
    penalties = [key for key in _NOT_TAKEN if config.get(key)]
    if penalties:
        context.warn(f"SmolLM2 takes no {', '.join(penalties)}: left out.")


def _stops(config: Config) -> list[str]:
    stop = config.get("stop", [])
    return [stop] if isinstance(stop, str) else list(stop)


def _answer_schema(config: Config) -> Schema | None:
    asked = config.get("response_format")
    if asked is None:
        return None
    if asked["type"] == "json-schema":
        return dict(asked["schema"])
    return {"type": "object"} if asked["type"] == "json" else None


def _demanded(schemas: Sequence[ToolSchema], config: Config) -> list[dict[str, Any]]:
    """The tools of which the model must call one. Without a choice it calls none or a wrong one."""
    if not demands_call(config):
        return []
    choice = config.get("tool_choice", "auto")
    tools = [
        {
            "name": tool["name"],
            "description": tool["description"],
            "arguments": tool["input_schema"],
        }
        for tool in schemas
    ]
    if not isinstance(choice, dict):
        return tools
    named = [tool for tool in tools if tool["name"] == choice["tool"]]
    if named:
        return named
    raise ProviderError(
        "INVALID_REQUEST",
        f'"tool_choice" names the tool "{choice["tool"]}", which is not offered.',
        "/tool_choice/tool",
    )


def _with_system(
    chat: list[dict[str, str]], tools: list[dict[str, Any]]
) -> list[dict[str, str]]:
    """Adds the tools to the first system message: the model's format has no place for them."""
    has_system = bool(chat) and chat[0]["role"] == "system"
    given = chat[0]["content"] if has_system else _SYSTEM
    asked = chat[has_system:]
    if not tools:
        return [{"role": "system", "content": given}, *asked]
    told = _TOOLS.format(tools="\n".join(json.dumps(tool) for tool in tools))
    return [{"role": "system", "content": f"{given}\n\n{told}"}, *_EXAMPLE, *asked]


def _chat(messages: Sequence[Message], context: Context) -> list[dict[str, str]]:
    chat = []
    left_out: set[str] = set()
    _assert_takes(messages)
    for message in messages:
        # The model's format has no role for tool results, so they come from the user.
        role = "user" if message["role"] == "tool" else message["role"]
        texts = [_text_of(part, left_out) for part in message["parts"]]
        content = "\n".join(text for text in texts if text)
        if content:
            chat.append({"role": role, "content": content})
    asked = [turn for turn in chat if turn["role"] != "system"]
    if not asked or (asked[-1]["role"] == "assistant" and messages[-1]["role"] == "user"):
        raise ProviderError(
            "MESSAGES_INVALID",
            "The request has nothing for the model to answer: add a user message with text.",
            "/messages",
        )
    for kind in sorted(left_out):
        context.warn(f"SmolLM2 takes text alone: {kind} parts are left out.")
    return chat


def _assert_takes(messages: Sequence[Message]) -> None:
    """Raises INVALID_REQUEST for a file of the user in the current turn."""
    roles = [message["role"] for message in messages]
    now = len(roles) - roles[::-1].index("assistant") if "assistant" in roles else 0
    for at in range(now, len(messages)):
        for place, part in enumerate(messages[at]["parts"]):
            if part["type"] == "file":
                raise ProviderError(
                    "INVALID_REQUEST",
                    f"SmolLM2 takes text alone, and no file ({part['mediaType']}).",
                    f"/messages/{at}/parts/{place}",
                )


def _text_of(part: Mapping[str, Any], left_out: set[str]) -> str:
    kind = part["type"]
    if kind == "text":
        return _plain(part["text"])
    if kind == "tool-result":
        output = part["output"]
        text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
        said = "failed" if part.get("isError") else "says"
        return _plain(f"The tool {part['name']} {said}: {text}")
    if kind == "file":
        left_out.add(kind)
    return ""


def _plain(text: str) -> str:
    """Escapes markers of the model's format in a text."""
    return text.replace("<|im_", "<im_")
