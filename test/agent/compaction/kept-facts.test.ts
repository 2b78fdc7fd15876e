import { expect } from 'chai'
import { keptFacts } from '../../../src/agent/compaction/kept-facts.ts'
import type { Message, ToolResultPart } from '../../../src/plugin/events/index.ts'

function called(callId: string, input: unknown, more: Partial<ToolResultPart>): readonly Message[] {
  const result = { type: 'tool-result', callId, name: 'fetch', output: 'x', ...more } as const
  return [
    { role: 'assistant', parts: [{ type: 'tool-call', callId, name: 'fetch', input }] },
    { role: 'tool', parts: [result] },
  ]
}

const refused = { isError: true, output: 'refused\nby  the server' }
const texts = (facts: ReturnType<typeof keptFacts>) => facts.map(({ type, text }) => [type, text])

function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

describe('keptFacts', () => {
  it('LR-08 keeps an error without a later success of the same call', () => {
    const facts = keptFacts(called('1', { url: 'a' }, refused), [])
    expect(texts(facts)).to.deep.equal([['incident', 'fetch({"url":"a"}): refused by the server']])
  })

  it('LR-08 drops an error that a later success of the same call has ended, wherever that is', () => {
    const failed = called('1', { url: 'a', n: 1 }, refused)
    const again = called('2', { n: 1, url: 'a' }, {})
    const other = called('3', { url: 'b' }, {})
    expect(keptFacts([...failed, ...again], [])).to.deep.equal([])
    expect(keptFacts(failed, again)).to.deep.equal([])
    expect(keptFacts(failed, other)).to.have.length(1)
    expect(keptFacts([], again, keptFacts(failed, []))).to.deep.equal([])
  })

  it('LR-08 keeps an error that follows a success', () => {
    const messages = [...called('1', { url: 'a' }, {}), ...called('2', { url: 'a' }, refused)]
    expect(keptFacts(messages, [])).to.have.length(1)
  })

  it('LR-08 keeps references to results, files and sources, each once', () => {
    const hash = 'b'.repeat(64)
    const references = [{ hash, mediaType: 'text/plain', size: 5 }]
    const evidence = { artifacts: [{ uri: 'file:///out', title: 'Out' }], evidence: ['doc:7'] }
    const source: Message = {
      role: 'assistant',
      parts: [
        { type: 'source', url: 'https://example.com/a', title: 'A' },
        { type: 'file', mediaType: 'text/plain', url: 'https://example.com/f' },
      ],
    }
    const messages = [...called('1', {}, { references, ...evidence }), source, source]
    const ids = keptFacts(messages, []).map(({ type, id }) => `${type} ${id}`)
    expect(ids).to.deep.equal([
      `evidence ${hash}`,
      'evidence file:///out',
      'evidence doc:7',
      'evidence https://example.com/a',
      'evidence https://example.com/f',
    ])
  })

  it('LR-08 keeps the facts of earlier compactions', () => {
    const earlier = keptFacts(called('1', { url: 'a' }, refused), [])
    expect(keptFacts(called('2', { url: 'b' }, {}), [], earlier)).to.deep.equal(earlier)
  })

  it('cuts long texts', () => {
    const facts = keptFacts(called('1', { url: 'a'.repeat(5000) }, refused), [])
    expect(facts[0]?.text.length).to.be.below(700)
  })

  it('LR-08 gives room to errors first, and then to the newest references', () => {
    const one = called('1', {}, { evidence: ['doc:1'] })
    const failed = called('2', { url: 'a' }, refused)
    const two = called('3', {}, { evidence: ['doc:2', 'doc:1'] })
    const facts = keptFacts([...one, ...failed, ...two], [])
    expect(facts.map(({ type }) => type)).to.deep.equal(['evidence', 'evidence', 'incident'])
    expect(facts.map(({ id }) => id).slice(0, 2)).to.deep.equal(['doc:2', 'doc:1'])
  })

  it('keeps what the user said, each text once, and the newest last', () => {
    const said = [user('I live in  Oslo.'), user('Hello'), user('I live in Oslo.'), user(' ')]
    const answers: Message = { role: 'assistant', parts: [{ type: 'text', text: 'Well.' }] }
    const marker: Message = { ...user('a summary'), metadata: { insertedBy: 'host' } }
    const facts = keptFacts([...said, answers, marker], [])
    expect(texts(facts)).to.deep.equal([
      ['said', 'Hello'],
      ['said', 'I live in Oslo.'],
    ])
  })

  it('keeps no words that stay in a message', () => {
    const earlier = keptFacts([user('Hello'), user('I live in Oslo.')], [])
    const facts = keptFacts([], [user('Hello')], earlier)
    expect(texts(facts)).to.deep.equal([['said', 'I live in Oslo.']])
  })

  it('cuts long words of the user, and says so', () => {
    const [fact] = keptFacts([user('a'.repeat(5000))], [])
    expect(fact?.text).to.equal(`${'a'.repeat(500)}… [4500 more characters]`)
  })
})
