"""The checks of each kind of plugin, in their order. The last one closes the plugin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .answers import ANSWERS_OF_OTHERS, ANSWERS_OF_PROVIDERS, ANSWERS_OF_TOOLS
from .arguments import leaves_arguments
from .cancelling import CANCELLING
from .chats import HISTORIES_OF_OTHERS, HISTORIES_OF_PROVIDERS
from ..check import Check
from .closing import CLOSING
from .embedding import EMBEDDING
from .errors import ERRORS
from .hooks import HOOKS_OF_EXTENSIONS, HOOKS_OF_FEATURES, HOOKS_OF_PROVIDERS, HOOKS_OF_TOOLS
from .keeps import KEEPS_OF_EXTENSIONS, KEEPS_OF_FEATURES
from .model_requests import REQUESTS_OF_PROVIDERS
from .resolution import RESOLUTION_OF_OTHERS, RESOLUTION_OF_PROVIDERS, RESOLUTION_OF_TOOLS
from .run_hooks import RUN_HOOKS_OF_FEATURES
from .settings import ACTIONS, SETTINGS
from .splits import SPLITS_OF_EXTENSIONS, SPLITS_OF_OTHERS, SPLITS_OF_PROVIDERS
from .together import TOGETHER, TOGETHER_OF_PROVIDERS
from .tool_calls import TOOL_CALLS
from .tools import TOOLS

CHECKS: Mapping[str, Sequence[Check]] = {
    "provider": [
        *RESOLUTION_OF_PROVIDERS,
        *SETTINGS,
        *leaves_arguments("provider"),
        *ANSWERS_OF_PROVIDERS,
        *HOOKS_OF_PROVIDERS,
        *REQUESTS_OF_PROVIDERS,
        *HISTORIES_OF_PROVIDERS,
        *SPLITS_OF_PROVIDERS,
        *TOGETHER_OF_PROVIDERS,
        *ERRORS,
        *EMBEDDING,
        *CANCELLING,
        *CLOSING,
    ],
    "extension": [
        *RESOLUTION_OF_OTHERS,
        *SETTINGS,
        *ACTIONS,
        *leaves_arguments("extension"),
        *ANSWERS_OF_OTHERS,
        *HOOKS_OF_EXTENSIONS,
        *KEEPS_OF_EXTENSIONS,
        *HISTORIES_OF_OTHERS,
        *SPLITS_OF_EXTENSIONS,
        *TOGETHER,
        *CANCELLING,
        *CLOSING,
    ],
    "feature": [
        *RESOLUTION_OF_OTHERS,
        *SETTINGS,
        *ACTIONS,
        *leaves_arguments("feature"),
        *ANSWERS_OF_OTHERS,
        *HOOKS_OF_FEATURES,
        *KEEPS_OF_FEATURES,
        *HISTORIES_OF_OTHERS,
        *SPLITS_OF_OTHERS,
        *RUN_HOOKS_OF_FEATURES,
        *TOGETHER,
        *CANCELLING,
        *CLOSING,
    ],
    "tool": [
        *RESOLUTION_OF_TOOLS,
        *SETTINGS,
        *leaves_arguments("tool"),
        *TOOLS,
        *TOOL_CALLS,
        *ANSWERS_OF_TOOLS,
        *HOOKS_OF_TOOLS,
        *CANCELLING,
        *CLOSING,
    ],
}
