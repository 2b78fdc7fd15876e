"""The settings of doc-context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from braidwork import Config

_ENDINGS = [".md", ".markdown", ".rst", ".txt"]
# The usual value, the most, title and description.
_LIMITS = {
    "max_pieces": (5, 50, "Pieces", "Most pieces with a request"),
    "max_characters": (4_000, 100_000, "Characters", "Most characters of pieces, as shown"),
    "max_files": (1_000, 20_000, "Documents", "Most documents that are read"),
    "max_file_bytes": (262_144, 4_194_304, "Bytes of a document", "Larger ones are left out"),
    "max_total_bytes": (
        33_554_432,
        268_435_456,
        "Bytes of all documents",
        "Documents beyond this sum are left out",
    ),
}

CONFIG_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "folder": {
            "type": "string",
            "minLength": 1,
            "title": "Folder",
            "description": "Where the documents are",
        },
        "endings": {
            "type": "array",
            "items": {"type": "string", "pattern": "^\\."},
            "title": "Endings",
            "description": "Endings of the names of documents",
            "default": _ENDINGS,
        },
        **{
            name: {
                "type": "integer",
                "minimum": 1,
                "maximum": most,
                "default": usual,
                "title": title,
                "description": description,
            }
            for name, (usual, most, title, description) in _LIMITS.items()
        },
    },
    "additionalProperties": False,
}


class SettingsError(ValueError):
    """A setting that cannot be used."""

    code = "SETTINGS_INVALID"

    def __init__(self, key: str, reason: str) -> None:
        self.pointer = f"/settings/doc-context/{key}"
        super().__init__(f'Setting "{self.pointer}" of feature "doc-context": {reason}.')


class Settings(NamedTuple):
    """What is read, and how much of it is shown."""

    folder: str
    endings: tuple[str, ...]
    max_pieces: int
    max_characters: int
    max_files: int
    max_file_bytes: int
    max_total_bytes: int


def has_folder(config: Config) -> bool:
    """Whether a folder is set; a wrong one counts, so that a request can say so."""
    return _given(config).get("folder") is not None


def read_settings(config: Config) -> Settings:
    """The settings of a config, checked. Raises SettingsError."""
    given = _given(config)
    folder, endings = given.get("folder"), given.get("endings", _ENDINGS)
    if not isinstance(folder, str) or not folder or "\0" in folder:
        raise SettingsError("folder", "it is no path of a folder")
    if not isinstance(endings, list) or not all(isinstance(item, str) for item in endings):
        raise SettingsError("endings", 'it is no list of endings such as ".md"')
    limits = {name: _limit(given, name) for name in _LIMITS}
    return Settings(folder, tuple(ending.lower() for ending in endings), **limits)


def _given(config: Config) -> Any:
    return config.get("settings", {}).get("doc-context", {})


def _limit(given: Any, name: str) -> int:
    usual, most, *_ = _LIMITS[name]
    value = given.get(name, usual)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise SettingsError(name, f"it is no whole number from 1 to {most}")
    return value
