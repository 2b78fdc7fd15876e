import type { PythonBug } from './python-plugins.ts'

const SUM = 'return call["input"]["a"] + call["input"]["b"]'
const PROPERTIES = '"properties": {"a": _NUMBER, "b": _NUMBER, "c": _MORE}'

/** More bugs of the tool `sums.py`. */
export const TOOL_BUGS: readonly PythonBug[] = [
  {
    bug: 'no tool at all',
    caught: ['offers tools with usable schemas', 'has schemas that the calls of the test fit'],
    replace: ['return [_ADD]', 'return []'],
  },
  {
    bug: 'a name that no model API allows',
    caught: ['names its tools as model APIs allow'],
    replace: ['return [_ADD]', 'return [_ADD, {**_ADD, "name": "add two numbers!"}]'],
  },
  {
    bug: 'an argument without a description',
    caught: ['says what each argument is for'],
    replace: [PROPERTIES, PROPERTIES.replace('_NUMBER', '{"type": "number"}')],
  },
  {
    bug: 'a required argument that it does not have',
    caught: ['requires only arguments that it has', 'has schemas that the calls of the test fit'],
    replace: ['"required": ["a", "b"]', '"required": ["a", "d"]'],
  },
  {
    bug: 'a default that its schema refuses',
    caught: ['has defaults of arguments that their schemas accept'],
    replace: ['"default": 1', '"default": "one"'],
  },
  {
    bug: 'a default that a definition of its schema refuses',
    caught: ['has defaults of arguments that their schemas accept'],
    replace: [
      PROPERTIES,
      `"$defs": {"more": _NUMBER}, ${PROPERTIES.replace('_MORE', '{"$ref": "#/$defs/more", "default": "one"}')}`,
    ],
  },
  {
    bug: 'tools that change',
    caught: ['offers the same tools each time it is asked'],
    replace: [
      'return [_ADD]',
      '_HELD["n"] = _HELD.get("n", 1000000) + 1\n    return [{**_ADD, "output_schema": {"type": "number", "maximum": _HELD["n"]}}]',
    ],
  },
  {
    bug: 'an empty result',
    caught: ['answers as its output schemas say', 'answers its tool calls with something'],
    replace: [SUM, 'return ""'],
  },
  {
    bug: 'a value of a call that is kept in the module',
    caught: ['keeps 20 calls at once apart', 'answers a call that only reads the same each time'],
    replace: [SUM, '_HELD["n"] = _HELD.get("n", 0) + 1\n    return _HELD["n"]'],
  },
  {
    bug: 'a wait that a cancelled call does not end',
    caught: [],
    onlyPytest: ['ends a tool call that is cancelled'],
    replace: [
      '    await asyncio.sleep(0)\n',
      '    try:\n        await asyncio.sleep(0.05)\n    except asyncio.CancelledError:\n        await asyncio.sleep(30)\n',
    ],
  },
  {
    bug: 'arguments changed in place',
    caught: [],
    onlyPytest: ['leaves the arguments of executeTool as they are'],
    replace: [SUM, `call["input"]["c"] = 2\n    ${SUM}`],
  },
]
