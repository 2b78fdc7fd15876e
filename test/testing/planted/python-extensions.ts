import type { PythonBug } from './python-plugins.ts'

const INIT = 'return {**state, "loud": True}'
const FINALIZE = 'return [finals, native, state]\n\n\ndef from_native'
const KEEP = 'return list(messages)'
const VOLUME = '"title": "Volume", "minimum": 1, "default": 3'
const MESSAGE = 'return {**message, "parts": [_loud_part(part) for part in message["parts"]]}'

/** Sets members of the metadata of finals. */
const withMetadata = (members: string): readonly [string, string] => [
  FINALIZE,
  `told = [{**one, "metadata": {**one["metadata"], ${members}}} for one in finals]\n    ${FINALIZE.replace('finals', 'told')}`,
]

/** More bugs of the extension `loud.py`. */
export const EXTENSION_BUGS: readonly PythonBug[] = [
  {
    bug: 'tags that need a setting',
    caught: ['resolves without an error', 'resolves without its settings'],
    replace: ['return ["loud"]', 'return [config["settings"]["loud-py"]["voice"]]'],
  },
  {
    bug: 'a required tag that nobody has',
    caught: ['is on for its config'],
    replace: ['config_schema = {', 'required_tags = ["none-has-it"]\nconfig_schema = {'],
  },
  {
    bug: 'a default that its schema refuses',
    caught: ['has defaults that its schema accepts', 'has settings that a form can show'],
    replace: [VOLUME, '"title": "Volume", "default": "high"'],
  },
  {
    bug: 'a setting without words',
    caught: ['says what each setting is for'],
    replace: [VOLUME, '"default": 3'],
  },
  {
    bug: 'a secret that is not marked',
    caught: ['marks its secrets'],
    replace: [', "writeOnly": True', ''],
  },
  {
    bug: 'a secret with a default',
    caught: ['has no default for a secret'],
    replace: ['"writeOnly": True', '"writeOnly": True, "default": "sk-1"'],
  },
  {
    bug: 'an action that nobody runs',
    caught: ['can run the actions that it lists'],
    replace: ['def run_action', 'def _run'],
  },
  {
    bug: 'an element that its form lists twice',
    caught: ['lists each element of its form once'],
    replace: ['"title": "Shout"}]', '"title": "Shout"}] * 2'],
  },
  {
    bug: 'a state that is no JSON',
    caught: ['takes part in a whole answer', 'takes part in a stream'],
    replace: [INIT, 'return {**state, "loud": {1, 2}}'],
  },
  {
    bug: 'finals that only a stream changes',
    caught: ['ends a whole answer and a stream in the same messages'],
    replace: withMetadata('"streamed": bool(context.local)'),
    also: [
      'return [partials, finals',
      'context.local["streamed"] = True\n    return [partials, finals',
    ],
  },
  {
    bug: 'usage that is lost',
    caught: ['keeps the usage of an answer'],
    replace: withMetadata('"usage": {}'),
  },
  {
    bug: 'reasoning that is left out of messages',
    caught: [
      'streams the reasoning of its messages',
      'keeps the metadata of a provider byte for byte',
    ],
    replace: [MESSAGE, MESSAGE.replace(']}', ' if part["type"] != "reasoning"]}')],
  },
  {
    bug: 'other call ids in messages',
    caught: [
      'streams the tool calls of its messages, with their ids',
      'keeps the ids of tool calls',
    ],
    replace: [
      'else part\n',
      'else {**part, "callId": "own-" + part["callId"]} if "callId" in part else part\n',
    ],
  },
  {
    bug: 'parts in another order',
    caught: ['streams parts in the order of its messages'],
    replace: [
      MESSAGE,
      'parts = sorted(message["parts"], key=lambda part: part["type"] != "tool-call")\n    return {**message, "parts": [_loud_part(part) for part in parts]}',
    ],
  },
  {
    bug: 'the state of others lost in processChunk',
    caught: ['keeps the state of others in processChunk'],
    replace: ['return [partials, finals, native, state]', 'return [partials, finals, native, {}]'],
  },
  {
    bug: 'words of an own answer that are only found whole in a piece',
    caught: ['streams the same text wherever its own answers are split'],
    options: { answers: ['The colour is hot.'] },
    replace: ['return text.translate(', 'return text.replace("colour", "color").translate('],
  },
  {
    bug: 'words that are only found whole in a piece',
    caught: ['streams the same text wherever it is split', 'streams the same text in small pieces'],
    replace: ['return text.translate(', 'return text.replace("Tea", "***").translate('],
  },
  {
    bug: 'a value of a request that is kept in the module',
    caught: ['keeps 20 whole answers at once apart', 'keeps 20 streams at once apart'],
    replace: withMetadata('"isOwn": config_schema["id"] == context.request_id'),
    also: [INIT, `config_schema["id"] = context.request_id\n    ${INIT}`],
  },
  {
    bug: 'results left out of the history',
    caught: [
      'keeps calls together with their results in a history',
      'keeps failures of calls in a history',
    ],
    replace: [KEEP, 'return [one for one in messages if one["role"] != "tool"]'],
  },
  {
    bug: 'a message changed in place',
    caught: [],
    onlyPytest: ['leaves the arguments of editMessages as they are'],
    replace: [KEEP, `messages[0]["seen"] = True\n    ${KEEP}`],
  },
]
