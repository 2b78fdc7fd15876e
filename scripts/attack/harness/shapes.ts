import type { Asked, Turn } from './turns.ts'

/** A kind of request body: the default number of repeated items, and a function that builds the body. */
export interface Shape {
  readonly name: string
  readonly count: number
  readonly make: (count: number) => Asked
}

const MEBIBYTE = 1 << 20
const ASK: Turn = { kind: 'user', texts: ['Go on.'] }

/** A conversation of generated turns, followed by a question. */
function turns(count: number, make: (index: number) => Turn | readonly Turn[]): Asked {
  return { turns: [ASK, ...Array.from({ length: count }, (_, index) => make(index)).flat(), ASK] }
}

const user = (text: string): Asked => ({ turns: [{ kind: 'user', texts: [text] }] })
const withInput = (input: object): Asked => ({
  turns: [ASK, { kind: 'call', id: 'c', input }, { kind: 'result', id: 'c' }, ASK],
})

/** Bodies with more or larger items than a normal request. */
export const SHAPES: readonly Shape[] = [
  {
    name: 'user turns',
    count: 60_000,
    make: (count) => turns(count, () => ({ kind: 'user', texts: ['a'] })),
  },
  {
    name: 'assistant turns',
    count: 60_000,
    make: (count) => turns(count, () => ({ kind: 'assistant', text: 'a' })),
  },
  {
    name: 'turns of both',
    count: 60_000,
    make: (count) =>
      turns(count, (index) =>
        index % 2 === 0 ? { kind: 'assistant', text: 'a' } : { kind: 'user', texts: ['a'] },
      ),
  },
  {
    name: 'calls with one id',
    count: 8000,
    make: (count) => turns(count, () => ({ kind: 'call', id: 'same', input: {} })),
  },
  {
    name: 'open calls',
    count: 16_000,
    make: (count) => turns(count, (index) => ({ kind: 'call', id: `c${index}`, input: {} })),
  },
  {
    name: 'calls and results',
    count: 50_000,
    make: (count) =>
      turns(Math.floor(count / 2), (index) => [
        { kind: 'call', id: `c${index}`, input: {} },
        { kind: 'result', id: `c${index}` },
      ]),
  },
  {
    name: 'calls, then results',
    count: 50_000,
    make: (count) => ({
      turns: [
        ...turns(count / 2, (index) => ({ kind: 'call', id: `c${index}`, input: {} })).turns,
        ...turns(count / 2, (index) => ({ kind: 'result', id: `c${index}` })).turns,
      ],
    }),
  },
  {
    name: 'results of nothing',
    count: 16_000,
    make: (count) => turns(count, (index) => ({ kind: 'result', id: `r${index}` })),
  },
  {
    name: 'parts',
    count: 60_000,
    make: (count) => ({
      turns: [{ kind: 'user', texts: Array.from({ length: count }, () => 'a') }],
    }),
  },
  {
    name: 'tools',
    count: 20_000,
    make: (count) => ({
      turns: [ASK],
      tools: Array.from({ length: count }, () => ({ type: 'object' })),
    }),
  },
  {
    name: 'keys of an input',
    count: 500_000,
    make: (count) =>
      withInput(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))),
  },
  {
    name: 'keys of a schema',
    count: 100_000,
    make: (count) => {
      const all = Array.from({ length: count }, (_, index) => [`k${index}`, { type: 'string' }])
      return { turns: [ASK], tools: [{ type: 'object', properties: Object.fromEntries(all) }] }
    },
  },
  { name: 'depth of an input', count: 900, make: (count) => withInput(nested(count)) },
  {
    name: 'depth of a schema',
    count: 900,
    make: (count) => ({ turns: [ASK], tools: [{ type: 'object', default: nested(count) }] }),
  },
  { name: 'a long text', count: 9 * MEBIBYTE, make: (count) => user('a'.repeat(count)) },
  { name: 'a text of line ends', count: 4 * MEBIBYTE, make: (count) => user('\n'.repeat(count)) },
  { name: 'a text of spaces', count: 9 * MEBIBYTE, make: (count) => user(' '.repeat(count)) },
  { name: 'a text of many bytes', count: 2 * MEBIBYTE, make: (count) => user('𝒳'.repeat(count)) },
  {
    name: 'an image',
    count: 9 * MEBIBYTE,
    make: (count) => {
      const image = `data:image/png;base64,${'iVBO'.repeat(Math.floor(count / 4))}`
      return { turns: [{ kind: 'user', texts: ['Look.'], image }] }
    },
  },
]

function nested(depth: number): object {
  let value: object = {}
  for (let level = 0; level < depth; level++) value = { a: value }
  return value
}

/** Texts that are not a valid request in any protocol. */
export const NONSENSE: readonly {
  readonly name: string
  readonly make: (bytes: number) => string
}[] = [
  { name: 'open brackets', make: (bytes) => '['.repeat(bytes) },
  { name: 'nested lists', make: (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2) },
  { name: 'open objects', make: (bytes) => '{"a":'.repeat(bytes / 5) },
  { name: 'one number', make: (bytes) => '1'.repeat(bytes) },
  { name: 'numbers', make: (bytes) => `{"messages":[${'1,'.repeat(bytes / 2 - 10)}1]}` },
  { name: 'lists', make: (bytes) => `{"messages":[${'[],'.repeat(bytes / 3 - 10)}[]]}` },
  { name: 'the same key', make: (bytes) => `{${'"a":1,'.repeat(bytes / 6 - 10)}"a":1}` },
  { name: 'escapes', make: (bytes) => `{"messages":"${'\\u0061'.repeat(bytes / 6 - 10)}"}` },
  { name: 'a lone quote', make: (bytes) => `"${'a'.repeat(bytes - 1)}` },
]
