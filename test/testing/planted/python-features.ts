import type { PythonBug } from './python-plugins.ts'

const FINALIZE = 'return [finals, native, state]'

/** More bugs of the feature `brief.py`. */
export const FEATURE_BUGS: readonly PythonBug[] = [
  {
    bug: 'messages that are not returned',
    caught: ['takes part in a whole answer', 'takes part in a stream'],
    replace: ['return [_NOTE, *messages]', '[_NOTE, *messages]'],
  },
  {
    bug: 'a section whose schema does not compile',
    caught: ['claims sections whose schemas compile'],
    replace: ['{"brief": {"type": "object"', '{"brief": {"type": "object?"'],
  },
  {
    bug: 'actions without a handler',
    caught: ['can handle the actions that it has'],
    replace: ['def handle_action', 'def _handle'],
  },
  {
    bug: 'effects without a handler',
    caught: ['can handle the effects that it has'],
    replace: ['def handle_effect', 'def _handle'],
  },
  {
    bug: 'an edit of a call without a reason',
    caught: ['edits calls with arguments and a reason'],
    replace: [', "reason": "copied"', ''],
  },
  {
    bug: 'an edit of a result without a reason',
    caught: ['edits results with an output and a reason'],
    replace: [', "reason": "kept"', ''],
  },
  {
    bug: 'another note each time',
    caught: ['prepares the same request each time'],
    replace: [
      'return [_NOTE, *messages]',
      '_NOTE["parts"][0]["text"] += "!"\n    return [_NOTE, *messages]',
    ],
  },
  {
    bug: 'the history replaced by its last message',
    caught: [
      'keeps tool calls in a history',
      'keeps failures of calls in a history',
      'keeps metadata of other providers in a history',
      'keeps the system message in a history',
      'keeps all turns in a history',
    ],
    replace: ['return [_NOTE, *messages]', 'return list(messages[-1:])'],
  },
  {
    bug: 'the state of others lost in initializeRequest',
    caught: ['keeps the state of others in initializeRequest'],
    replace: ['return [native, state]', 'return [native, {"brief": True}]'],
  },
  {
    bug: 'the state of others lost in finalize',
    caught: ['keeps the state of others in finalize'],
    replace: [FINALIZE, 'return [finals, native, {"brief": True}]'],
  },
  {
    bug: 'files that are streamed and not kept',
    caught: ['streams the files and sources of its messages', 'keeps the files of an answer'],
    replace: [
      'return core',
      'return [{**m, "parts": [p for p in m["parts"] if p["type"] != "file"]} for m in core]',
    ],
  },
  {
    bug: 'an error in the log',
    caught: ['logs no error'],
    replace: [FINALIZE, `context.log("something is wrong", "error")\n    ${FINALIZE}`],
  },
  {
    bug: 'a gate that changes its call',
    caught: [],
    onlyPytest: ['leaves the arguments of toolGate as they are'],
    replace: ['return None', 'call["input"]["seen"] = True'],
  },
]
