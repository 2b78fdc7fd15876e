import { expect } from 'chai'
import { sizeOf, sizeOfJson } from '../../../features/trim-history/sizes.ts'
import type { Part } from '../../../src/plugin/events/index.ts'

const sizing = { provider: 'p', measure: (text: string) => text.length }
const file = (mediaType: string, bytes: number): Part => ({
  type: 'file',
  mediaType,
  data: Buffer.alloc(bytes, 'a').toString('base64'),
})

describe('sizes of trim-history', () => {
  const samples: readonly [name: string, part: Part, size: number][] = [
    ['a text', { type: 'text', text: 'Hello' }, 5],
    ['a call', { type: 'tool-call', callId: 'c', name: 'look', input: { a: 1 } }, 8 + 4 + 7],
    [
      'a call whose arguments are no JSON',
      { type: 'tool-call', callId: 'c', name: 'look', input: '{' },
      8 + 4 + 1,
    ],
    ['a result', { type: 'tool-result', callId: 'c', name: 'look', output: 'done' }, 8 + 4],
    [
      'a result in JSON',
      { type: 'tool-result', callId: 'c', name: 'look', output: [1, null] },
      8 + 8,
    ],
    [
      'a result of texts and files',
      {
        type: 'tool-result',
        callId: 'c',
        name: 'look',
        output: [{ type: 'text', text: 'done' }, file('image/png', 9)],
      },
      8 + 4 + 1600,
    ],
    [
      "a result in the provider's own format",
      {
        type: 'tool-result',
        callId: 'c',
        name: 'look',
        output: { native: { p: 'own' }, output: 'other' },
      },
      8 + 3,
    ],
    [
      "a result in another provider's format",
      {
        type: 'tool-result',
        callId: 'c',
        name: 'look',
        output: { native: { q: 'own' }, output: 'other' },
      },
      8 + 5,
    ],
    [
      'a result whose format has a name of every object',
      {
        type: 'tool-result',
        callId: 'c',
        name: 'look',
        output: { native: { toString: 'own' }, output: 'other' },
      },
      8 + 5,
    ],
    [
      "the provider's reasoning",
      { type: 'reasoning', text: 'So it is.', providerMetadata: { p: {} } },
      9,
    ],
    [
      'sealed reasoning',
      { type: 'reasoning', text: '', providerMetadata: { p: { s: 'x'.repeat(92) } } },
      25,
    ],
    [
      "another's reasoning",
      { type: 'reasoning', text: 'So it is.', providerMetadata: { q: {} } },
      0,
    ],
    ["nobody's reasoning", { type: 'reasoning', text: 'So it is.' }, 0],
    [
      'a call that the provider ran',
      {
        type: 'tool-call',
        callId: 'c',
        name: 'search',
        input: 'x'.repeat(86),
        providerExecuted: true,
        providerMetadata: { p: {} },
      },
      8 + 24,
    ],
    [
      'a result of what another ran',
      { type: 'tool-result', callId: 'c', name: 'search', output: 'done', providerExecuted: true },
      8 + 4,
    ],
    ['an image', file('image/png', 1_000_000), 1600],
    ['a text file', file('text/plain', 60), 60],
    ['a PDF', file('application/pdf', 96_000), 3000],
    ['sound', file('audio/mpeg', 51_200), 100],
    [
      'a file that is elsewhere',
      { type: 'file', mediaType: 'application/pdf', url: 'https://a.test/' },
      10_000,
    ],
    ['a source', { type: 'source', url: 'https://a.test/' }, 0],
    ["the app's data", { type: 'data', name: 'chart', data: [1, 2, 3] }, 0],
    ["the provider's data", { type: 'data', name: 'p-block', data: [1, 2, 3, 4, 5, 6] }, 4],
  ]
  for (const [name, part, size] of samples) {
    it(`count ${name}`, () => expect(sizeOf(part, sizing)).to.equal(size))
  }

  it('count what any provider keeps where the config names none', () => {
    const part: Part = { type: 'reasoning', text: 'So.', providerMetadata: { q: {} } }
    expect(sizeOf(part, { ...sizing, provider: undefined })).to.be.greaterThan(2)
  })

  it('count schemas as JSON', () => {
    expect(sizeOfJson({ name: 'look' }, sizing.measure)).to.equal(8 + 15)
    expect(sizeOfJson(undefined, sizing.measure)).to.equal(0)
  })
})
