"""Asks for an answer politely."""

kind = "feature"
name = "polite"


def edit_messages(messages, state):
    *earlier, last = messages
    text = "Please answer: " + last["parts"][0]["text"]
    return [*earlier, {**last, "parts": [{"type": "text", "text": text}]}]
