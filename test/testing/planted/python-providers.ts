import type { PythonBug } from './python-plugins.ts'

const MODELS = 'return ["words-1", "words-2"]'
const REQUEST = '{"model": state["model"], "messages": messages, "tools": state["tools"]}'

/** Leaves parts of a type out of all messages of the request. */
const without = (type: string): readonly [string, string] => [
  '"messages": messages',
  `"messages": [{**m, "parts": [p for p in m["parts"] if p["type"] != "${type}"]} for m in messages]`,
]

const THOUGHT = { thought: 'Think.', seal: 'sealed-0123456789+/==' }
const END = { end: 'done', usage: { input: 5, output: 4 } }
const PIECES = [THOUGHT, { text: 'Tea ' }, { text: 'is 茶 😀' }, { text: ' hot.' }, END]

/** A recorded exchange with the API of the provider `words_api.py`. */
export const WORDS_PY_API = {
  plugin: 'words-api-py',
  whole: { ...THOUGHT, text: 'Tea is 茶 😀 hot.', ...END },
  streamed: PIECES.map((piece) => `${JSON.stringify(piece)}\n`).join(''),
}

/** Bugs of the provider `words_api.py`. */
export const PROVIDER_BUGS: readonly PythonBug[] = [
  {
    bug: 'models that change',
    caught: [
      'gives the same models each time it is asked',
      'has the same form each time it is shown',
    ],
    replace: [MODELS, 'import time\n    return ["words-1", f"words-{time.monotonic_ns()}"]'],
  },
  {
    bug: 'a model that cannot be used',
    caught: ['resolves with each of its models'],
    replace: [
      'return ["text", "streaming", "tools"]',
      'return {"words-1": ["text", "streaming", "tools"]}[config.get("model", "words-1")]',
    ],
  },
  {
    bug: 'impossible facts about a model',
    caught: ['describes its models with possible facts'],
    replace: ['"contextWindow": 1000', '"contextWindow": -1'],
  },
  {
    bug: 'tools without their schemas',
    caught: ['sends the schemas of tools with a stream'],
    replace: [
      '"tools": state["tools"]',
      '"tools": [{**t, "input_schema": {}} for t in state["tools"]]',
    ],
  },
  {
    bug: 'tools of an earlier request',
    caught: ['sends no tools where none are offered'],
    replace: [
      `return ${REQUEST}`,
      `_CODES["tools"] = state["tools"] or _CODES.get("tools", [])\n    return ${REQUEST.replace('state["tools"]', '_CODES["tools"]')}`,
    ],
  },
  {
    bug: 'no model in the request',
    caught: ['sends the model of the config'],
    replace: ['"model": state["model"], ', ''],
  },
  { bug: 'no images in the request', caught: ['sends images'], replace: without('file') },
  {
    bug: 'no results of tools in the request',
    caught: ['sends the results of tools', 'sends the failures of tools'],
    replace: without('tool-result'),
  },
  {
    bug: 'no calls in the request',
    caught: ['sends the arguments of earlier tool calls'],
    replace: without('tool-call'),
  },
  {
    bug: 'only the last messages in the request',
    caught: ['sends all turns of a chat'],
    replace: ['"messages": messages', '"messages": messages[-5:]'],
  },
  {
    bug: 'metadata that does not come back',
    caught: ['sends its own metadata back as it was'],
    replace: without('reasoning'),
  },
  {
    bug: 'reasoning that is only streamed',
    caught: ['streams the reasoning of its messages'],
    replace: ['parts = [reasoning, ', 'parts = ['],
  },
  {
    bug: 'text gathered in the module',
    caught: [
      'answers the same request twice with the same messages',
      'reads a stream that arrives byte by byte',
      'reads a stream that arrives 7 bytes at a time',
      'reads a stream that arrives 100 bytes at a time',
      'keeps 20 streams at once apart',
      'answers as before after 20 other requests',
    ],
    replace: [
      'context.local["gathered"] = gathered\n',
      'context.local["gathered"] = gathered\n    _CODES["all"] = _CODES.get("all", "") + chunk.get("text", "")\n    gathered = {**gathered, "text": _CODES["all"]}\n',
    ],
  },
  {
    bug: 'bytes decoded one piece at a time',
    caught: ['reads a stream that arrives byte by byte'],
    replace: ['(rest + piece).split', '(rest + piece.decode("utf8", "replace").encode()).split'],
  },
  {
    bug: 'errors without a code',
    caught: [
      'tells of a refused key with PROVIDER_UNAUTHORIZED',
      'tells of too many requests with RATE_LIMITED',
      'tells of a refused request with INVALID_REQUEST',
      'tells of a failing server with PROVIDER_FAILED',
      'tells of an overloaded server with OVERLOADED',
    ],
    replace: [
      'raise ApiError(_CODES.get(status, "PROVIDER_FAILED"), f"The status is {status}.")',
      'raise RuntimeError(f"The status is {status}.")',
    ],
  },
  {
    bug: 'a whole answer that is no JSON and has no code',
    caught: ['tells of a whole answer that is no JSON'],
    replace: [
      '    except ValueError:\n        raise ApiError("PROVIDER_FAILED", "The answer is no JSON.") from None',
      '    except KeyError:\n        raise',
    ],
  },
  {
    bug: 'a stream that ends too early and is taken for whole',
    caught: ['tells of a stream that ends too early', 'tells of a stream without anything in it'],
    replace: ['if not has_ended:', 'if False:'],
  },
]
