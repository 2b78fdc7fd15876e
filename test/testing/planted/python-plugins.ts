import type { Kind } from '../../../src/plugin/kinds.ts'
import { EXTENSION_BUGS } from './python-extensions.ts'
import { FEATURE_BUGS } from './python-features.ts'
import { PROVIDER_BUGS, WORDS_PY_API } from './python-providers.ts'
import { TOOL_BUGS } from './python-tools.ts'
import { TOOL_OPTIONS } from './tools.ts'

/** A bug in Python: a text that is replaced in a correct plugin. */
export interface PythonBug {
  readonly bug: string
  /** The names of the checks that fail in a host, and no others. */
  readonly caught: readonly string[]
  /** The checks that fail only in pytest, which sees changes deep in arguments, and hooks that outlive their cancellation. */
  readonly onlyPytest?: readonly string[]
  /** What the suite must be given to catch it. */
  readonly options?: { readonly answers: readonly string[] }
  readonly replace: readonly [text: string, by: string]
  /** A second text that is replaced. */
  readonly also?: readonly [text: string, by: string]
}

/** A correct plugin in Python, and its bugs. */
export interface PythonPlanted {
  readonly kind: Kind
  readonly file: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
  /** A recorded exchange with the API of the plugin of this name. */
  readonly api?: { readonly plugin: string; readonly whole: unknown; readonly streamed: string }
  readonly bugs: readonly PythonBug[]
}

/** The text of a plugin with a bug. @throws if a text that is to be replaced is not in it */
export function planted(correct: string, { bug, replace, also = ['', ''] }: PythonBug): string {
  for (const [text] of [replace, also])
    if (!correct.includes(text)) throw new Error(`"${bug}" cannot be planted: ${text}`)
  return correct.replace(replace[0], () => replace[1]).replace(also[0], () => also[1])
}

export const PYTHON_PLANTED: readonly PythonPlanted[] = [
  {
    kind: 'extension',
    file: 'loud.py',
    bugs: [
      {
        bug: 'tags that change',
        caught: ['gives the same tags each time it is asked'],
        replace: ['return ["loud"]', 'import time\n    return [f"tag-{time.monotonic_ns()}"]'],
      },
      {
        bug: 'the state of others lost in init',
        caught: ['keeps the state of others in init'],
        replace: ['{**state, "loud": True}', '{"loud": True}'],
      },
      {
        bug: 'a state changed in place',
        caught: ['leaves the arguments of init as they are'],
        replace: ['return {**state, "loud": True}', 'state["loud"] = True\n    return state'],
      },
      {
        bug: 'metadata of parts that is lost',
        caught: ['keeps the metadata of a provider byte for byte'],
        replace: [
          'else part\n',
          'else {k: v for k, v in part.items() if k != "providerMetadata"}\n',
        ],
      },
      {
        bug: 'events that change and messages that do not',
        caught: ['streams the text of its messages'],
        replace: ['else _loud_message(item)', 'else item'],
      },
      {
        bug: 'images left out of the history',
        caught: ['keeps images in a history'],
        replace: [
          'list(messages)',
          '[{**m, "parts": [p for p in m["parts"] if p["type"] != "file"]} for m in messages]',
        ],
      },
      {
        bug: 'the state of others lost in finalize',
        caught: ['keeps the state of others in finalize'],
        replace: ['[finals, native, state]', '[finals, native, {}]'],
      },
      {
        bug: 'an error while it closes',
        caught: ['closes without an error'],
        replace: ['    pass\n', '    raise RuntimeError("the socket is lost")\n'],
      },
      ...EXTENSION_BUGS,
    ],
  },
  {
    kind: 'provider',
    file: 'words.py',
    bugs: [
      {
        bug: 'no tools in the request',
        caught: [
          'sends the names of tools for a whole answer',
          'sends the names of tools with a stream',
          'sends the descriptions of tools with a stream',
          'sends the schemas of tools with a stream',
        ],
        replace: ['config.get("tools", [])', '[]'],
      },
      {
        bug: 'no usage',
        caught: ['tells the tokens of a whole answer', 'tells the tokens of a stream'],
        replace: ['"stop", "usage": _USAGE}', '"stop"}'],
      },
      {
        bug: 'no finish reason',
        caught: ['says why a whole answer ended', 'says why a stream ended'],
        replace: ['{"finishReason": "stop", "usage": _USAGE}', '{"usage": _USAGE}'],
      },
      {
        bug: 'no system message in the request',
        caught: ['sends the system message'],
        replace: [
          '"messages": messages,',
          '"messages": [m for m in messages if m["role"] != "system"],',
        ],
      },
      {
        bug: 'a request changed while it streams',
        caught: ['leaves the arguments of stream as they are'],
        replace: [
          'yield {"type": "text-start", "id": "t"}',
          'native["n"] = 1\n    yield {"type": "text-start", "id": "t"}',
        ],
      },
      {
        bug: 'another text in a whole answer',
        caught: ['ends a whole answer and a stream in the same messages'],
        replace: ['"text": _answer(native)}', '"text": "Well. " + _answer(native)}'],
      },
    ],
  },
  { kind: 'provider', file: 'words_api.py', api: WORDS_PY_API, bugs: PROVIDER_BUGS },
  {
    kind: 'tool',
    file: 'sums.py',
    calls: TOOL_OPTIONS.calls.slice(0, 1),
    bugs: [
      {
        bug: 'a tool without a description',
        caught: ['says what each of its tools does'],
        replace: ['Adds two numbers.', ''],
      },
      {
        bug: 'a call that fails',
        caught: ['answers its tool calls'],
        replace: ['return call["input"]["a"]', 'return call["input"]["c"]'],
      },
      {
        bug: 'a result of another type than its schema says',
        caught: ['answers as its output schemas say'],
        replace: ['return call["input"]["a"] + call["input"]["b"]', 'return "three"'],
      },
      {
        bug: 'safety that contradicts itself',
        caught: ['says of its tools only what can be'],
        replace: ['"is_read_only": True', '"is_read_only": True, "is_destructive": True'],
      },
      ...TOOL_BUGS,
    ],
  },
  {
    kind: 'feature',
    file: 'brief.py',
    bugs: [
      {
        bug: 'a verdict that does not exist',
        caught: ['judges calls with a verdict that exists'],
        replace: ['return None', 'return {"deny": "no"}'],
      },
      {
        bug: 'a state key that cannot be merged',
        caught: ['has state keys that can be merged', 'takes part in a run of an agent'],
        replace: ['"merge": "sum", "initial": 0', '"merge": "append", "initial": 0'],
      },
      {
        bug: 'turns left out of the history',
        caught: ['keeps all turns in a history'],
        replace: ['*messages]', '*messages[-5:]]'],
      },
      ...FEATURE_BUGS,
    ],
  },
]
