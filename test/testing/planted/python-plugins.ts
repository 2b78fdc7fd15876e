import type { Kind } from '../../../src/plugin/kinds.ts'
import { TOOL_OPTIONS } from './tools.ts'

/** A correct plugin in Python, and bugs: texts that are replaced in it. */
export interface PythonPlanted {
  readonly kind: Kind
  readonly file: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
  readonly bugs: readonly {
    readonly bug: string
    readonly caught: readonly string[]
    readonly replace: readonly [text: string, by: string]
    /** Why the suite in Python, which has no host, cannot see the bug. */
    readonly unseen?: string
  }[]
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
        bug: 'another text in a whole answer',
        caught: ['ends a whole answer and a stream in the same messages'],
        replace: ['"text": _answer(native)}', '"text": "Well. " + _answer(native)}'],
      },
    ],
  },
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
        caught: ['has state keys that can be merged'],
        replace: ['"merge": "sum", "initial": 0', '"merge": "append", "initial": 0'],
      },
      {
        bug: 'turns left out of the history',
        caught: ['keeps all turns in a history'],
        replace: ['*messages]', '*messages[-5:]]'],
      },
    ],
  },
]
