import type {
  Message,
  Part,
  ToolCallPart,
  ToolResultPart,
} from '../../../src/plugin/events/index.ts'

/** A list of so many. */
export function times<T>(size: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: size }, (_, index) => make(index))
}

export function text(index: number): Part {
  return { type: 'text', text: `${index} is said` }
}

export function call(index: number, callId = `call_${index}`): ToolCallPart {
  return { type: 'tool-call', callId, name: 'run', input: { index } }
}

export function result(index: number, callId = `call_${index}`): ToolResultPart {
  return { type: 'tool-result', callId, name: 'run', output: `${index} is done` }
}

const message = (role: Message['role'], ...parts: readonly Part[]): Message => ({ role, parts })

const ASKED = message('user', { type: 'text', text: 'Hello' })

/** Histories that grow in one way each. */
export const HISTORIES: { readonly [name: string]: (size: number) => readonly Message[] } = {
  'turns of the user': (size) => times(size, (index) => message('user', text(index))),
  'turns of both sides': (size) =>
    times(size, (index) => message(index % 2 === 0 ? 'user' : 'assistant', text(index))),
  'turns of an assistant': (size) => [
    ASKED,
    ...times(size, (index) => message('assistant', text(index))),
  ],
  'system messages': (size) => [...times(size, (index) => message('system', text(index))), ASKED],
  'parts of a message': (size) => [message('user', ...times(size, text))],
  'parts of an answer': (size) => [ASKED, message('assistant', ...times(size, text)), ASKED],
  'calls with results': (size) => [
    ASKED,
    message('assistant', ...times(size, (index) => call(index))),
    message('tool', ...times(size, (index) => result(index))),
  ],
  'steps of calls with results': (size) => [
    ASKED,
    ...times(size / 2, (index) => [
      message('assistant', call(index)),
      message('tool', result(index)),
    ]).flat(),
  ],
}

/** Histories with faults, which providers of model APIs repair. */
export const BROKEN_HISTORIES: typeof HISTORIES = {
  'open calls': (size) => [ASKED, message('assistant', ...times(size, (at) => call(at))), ASKED],
  'messages with an open call': (size) => [
    ASKED,
    ...times(size, (index) => message('assistant', call(index))),
    ASKED,
  ],
  'calls with one id': (size) => [
    ASKED,
    message('assistant', ...times(size, (index) => call(index, 'same'))),
    ASKED,
  ],
  'calls and results with one id': (size) => [
    ASKED,
    ...times(size / 2, (index) => [
      message('assistant', call(index, 'same')),
      message('tool', result(index, 'same')),
    ]).flat(),
  ],
  'results of one id': (size) => [
    ASKED,
    message('assistant', ...times(size, (index) => call(index, 'same'))),
    message('tool', ...times(size, (index) => result(index, 'same'))),
  ],
  'calls, with results in the other order': (size) => [
    ASKED,
    message('assistant', ...times(size, (index) => call(index))),
    message('tool', ...times(size, (index) => result(size - 1 - index))),
    ASKED,
    message('tool', result(-1)),
  ],
  'results far behind their calls': (size) => [
    ASKED,
    ...times(size / 2, (index) => message('assistant', call(index))),
    ...times(size / 2, (index) => message('tool', result(index))),
  ],
  'results without calls': (size) => [
    ASKED,
    ...times(size, (index) => message('tool', result(index))),
  ],
  'calls with ids that no API takes': (size) => [
    ASKED,
    message('assistant', ...times(size, (index) => call(index, `${index} ${'ä'.repeat(80)}`))),
    message('tool', ...times(size, (index) => result(index, `${index} ${'ä'.repeat(80)}`))),
  ],
}

export function toolsOf(size: number) {
  return times(size, (index) => ({
    name: `tool_${index}`,
    description: 'does something',
    input_schema: { type: 'object', properties: { index: { type: 'integer' } } },
  }))
}
