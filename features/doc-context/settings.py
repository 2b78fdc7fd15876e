"""The settings of doc-context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from braidwork import Config

_ENDINGS = [".md", ".markdown", ".rst", ".txt"]
# For each limit: default, maximum, title and description.
_LIMITS = {
    "max_pieces": (5, 50, "Pieces", "Maximum number of pieces per request"),
    "max_characters": (4_000, 100_000, "Characters", "Maximum number of characters shown"),
    "max_files": (1_000, 20_000, "Documents", "Maximum number of documents read"),
    "max_file_bytes": (262_144, 4_194_304, "Bytes of a document", "Larger documents are left out"),
    "max_total_bytes": (
        33_554_432,
        268_435_456,
        "Bytes of all documents",
        "Documents beyond this total are left out",
    ),
}

# The title and description of each limit in German.
_GERMAN = {
    "max_pieces": ("Textstellen", "Höchstzahl der Textstellen je Anfrage"),
    "max_characters": ("Zeichen", "Höchstzahl der gezeigten Zeichen"),
    "max_files": ("Dokumente", "Höchstzahl der gelesenen Dokumente"),
    "max_file_bytes": ("Bytes eines Dokuments", "Größere Dokumente werden ausgelassen"),
    "max_total_bytes": ("Bytes aller Dokumente", "Was darüber hinausgeht, wird ausgelassen"),
}

CONFIG_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "folder": {
            "type": "string",
            "minLength": 1,
            "title": "Folder",
            "description": "Folder with the documents",
            "x-i18n": {
                "de": {
                    "title": "Ordner",
                    "description": "Ordner mit den Dokumenten",
                }
            },
        },
        "endings": {
            "type": "array",
            "items": {"type": "string", "pattern": "^\\."},
            "title": "Endings",
            "description": "File name endings of documents",
            "x-i18n": {
                "de": {
                    "title": "Endungen",
                    "description": "Dateiendungen der Dokumente",
                }
            },
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
                "x-i18n": {"de": {"title": _GERMAN[name][0], "description": _GERMAN[name][1]}},
            }
            for name, (usual, most, title, description) in _LIMITS.items()
        },
    },
    "additionalProperties": False,
}


class SettingsError(ValueError):
    """A setting with an invalid value."""

    code = "SETTINGS_INVALID"

    def __init__(self, key: str, reason: str) -> None:
        self.pointer = f"/settings/doc-context/{key}"
        super().__init__(f'Setting "{self.pointer}" of feature "doc-context": {reason}.')


class Settings(NamedTuple):
    """The settings: which files to read, and how much of them to show."""

    folder: str
    endings: tuple[str, ...]
    max_pieces: int
    max_characters: int
    max_files: int
    max_file_bytes: int
    max_total_bytes: int


def has_folder(config: Config) -> bool:
    """Whether a folder is set. An invalid one counts, so that the request reports it."""
    return _given(config).get("folder") is not None


def read_settings(config: Config) -> Settings:
    """The validated settings of a config. Raises SettingsError."""
    given = _given(config)
    folder, endings = given.get("folder"), given.get("endings", _ENDINGS)
    if not isinstance(folder, str) or not folder or "\0" in folder:
        raise SettingsError("folder", "it is not the path of a folder")
    if not isinstance(endings, list) or not all(isinstance(item, str) for item in endings):
        raise SettingsError("endings", 'it is not a list of endings such as ".md"')
    limits = {name: _limit(given, name) for name in _LIMITS}
    return Settings(folder, tuple(ending.lower() for ending in endings), **limits)


def _given(config: Config) -> Any:
    return config.get("settings", {}).get("doc-context", {})


def _limit(given: Any, name: str) -> int:
    usual, most, *_ = _LIMITS[name]
    value = given.get(name, usual)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise SettingsError(name, f"it is not a whole number from 1 to {most}")
    return value
