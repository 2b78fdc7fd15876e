import { expect } from 'chai'
import type { PartialEvent, RunEvent } from '../../../../src/plugin/events/index.ts'
import {
  anthropicMessagesAnswer,
  anthropicMessagesEncoder,
  type MessageOptions,
} from '../../../../src/server/wire/anthropic-messages/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import { textEvents } from '../../../helpers/hosts.ts'
import { ANTHROPIC_MESSAGES } from '../api-protocols.ts'
import { sseFrames } from '../frames.ts'
import { writesEveryRun } from '../protocol-suites.ts'
import { factsOf, numbered, runOf } from '../runs.ts'

type Frame = { readonly type: string; readonly [field: string]: unknown }

function textOf(
  events: readonly RunEvent[],
  facts: RunFacts = factsOf(),
  options: MessageOptions = {},
): string {
  const encoder = anthropicMessagesEncoder(facts, options)
  return events.map((event) => encoder.encode(event)).join('')
}

function framesOf(...given: Parameters<typeof textOf>): readonly Frame[] {
  return sseFrames(textOf(...given)).map(({ data }) => JSON.parse(data) as Frame)
}

/** Frames between the beginning and the end. */
function blocksOf(...given: Parameters<typeof textOf>): readonly Frame[] {
  return framesOf(...given).slice(1, -2)
}

const CALL: readonly PartialEvent[] = [
  { type: 'tool-call-start', id: 'c1', name: 'look' },
  { type: 'tool-call-delta', id: 'c1', delta: '{"at":1}' },
  { type: 'tool-call-end', id: 'c1', input: { at: 1 } },
]

function thinking(block: object, ...deltas: readonly string[]): readonly PartialEvent[] {
  return [
    { type: 'reasoning-start', id: 'r' },
    ...deltas.map((delta) => ({ type: 'reasoning-delta' as const, id: 'r', delta })),
    { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { block } } },
  ]
}

describe('the encoder of Anthropic messages', () => {
  it('writes a message with its text and usage', () => {
    expect(framesOf(runOf(textEvents('Hel', 'lo')))).to.deep.equal([
      {
        type: 'message_start',
        message: {
          id: 'msg_message-1',
          type: 'message',
          role: 'assistant',
          model: 'published',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: 0,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
            output_tokens: 0,
          },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null },
        usage: {
          input_tokens: 2,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 1,
          output_tokens: 2,
        },
      },
      { type: 'message_stop' },
    ])
  })

  it('writes no block for a text that is empty', () => {
    expect(blocksOf(runOf(textEvents('')))).to.deep.equal([])
  })

  it('signs thinking with the signature that its provider gave', () => {
    const events = thinking({ type: 'thinking', signature: 'sealed' }, 'hm')
    expect(blocksOf(runOf(events))).to.deep.equal([
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'signature_delta', signature: 'sealed' },
      },
      { type: 'content_block_stop', index: 0 },
    ])
  })

  it("signs others' reasoning with a mark of the server's own", () => {
    const events: PartialEvent[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { openai: { signature: 'x' } } },
    ]
    const deltas = blocksOf(runOf(events)).map(({ delta }) => delta)
    expect(deltas).to.deep.include({ type: 'signature_delta', signature: 'braidwork' })
  })

  describe('for a client that did not ask for thinking', () => {
    const redacted = thinking({ type: 'redacted_thinking', data: 'sealed' })
    const signed = thinking({ type: 'thinking', signature: 'sealed' }, 'h', 'm')
    const foreign: readonly PartialEvent[] = [
      { type: 'reasoning-start', id: 'q' },
      { type: 'reasoning-delta', id: 'q', delta: 'hm' },
      { type: 'reasoning-end', id: 'q' },
    ]
    const run = runOf([...signed, ...redacted, ...foreign, ...textEvents('Hello'), ...CALL])
    const facts = factsOf('look')
    const streamed = (thought: NonNullable<MessageOptions['thinking']>) =>
      blocksOf(run, facts, { thinking: thought }).flatMap(({ content_block: block }) =>
        block === undefined ? [] : [block as { readonly type: string }],
      )
    const whole = (thought: NonNullable<MessageOptions['thinking']>) => {
      const answer = anthropicMessagesAnswer(facts, { thinking: thought })
      for (const event of run) answer.add(event)
      const { content } = answer.answer().body as { readonly content: readonly Frame[] }
      return content
    }
    const typesOf = (blocks: readonly { readonly type: string }[]) => blocks.map(({ type }) => type)

    it('has none of its blocks, so that the text is the first one', () => {
      expect(typesOf(streamed('none'))).to.deep.equal(['text', 'tool_use'])
      expect(typesOf(whole('none'))).to.deep.equal(['text', 'tool_use'])
      const first = blocksOf(run, facts, { thinking: 'none' })[0]
      expect(first).to.include({ type: 'content_block_start', index: 0 })
    })

    it('has its blocks without texts, with their signatures, where these are to be omitted', () => {
      const types = ['thinking', 'redacted_thinking', 'thinking', 'text', 'tool_use']
      expect(typesOf(streamed('omitted'))).to.deep.equal(types)
      expect(typesOf(whole('omitted'))).to.deep.equal(types)
      expect(whole('omitted')[0]).to.deep.equal({
        type: 'thinking',
        thinking: '',
        signature: 'sealed',
      })
      const frames = blocksOf(run, facts, { thinking: 'omitted' })
      const deltas = frames.flatMap(({ delta }) => (delta === undefined ? [] : [delta as Frame]))
      expect(deltas.map(({ type }) => type)).to.not.include('thinking_delta')
      expect(deltas[0]).to.deep.equal({ type: 'signature_delta', signature: 'sealed' })
      expect(typesOf(streamed('whole'))).to.deep.equal(types)
    })
  })

  it('writes thinking that is redacted, and thinking that is kept back', () => {
    const [redacted] = blocksOf(runOf(thinking({ type: 'redacted_thinking', data: 'sealed' })))
    expect(redacted?.['content_block']).to.deep.equal({ type: 'redacted_thinking', data: 'sealed' })
    const kept = blocksOf(runOf(thinking({ type: 'thinking', signature: 'sealed' })))
    expect(kept.map(({ type }) => type)).to.deep.equal([
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
    ])
  })

  it("hands the client's calls to it, and nothing of the host's", () => {
    const frames = framesOf(runOf([...textEvents('I look.'), ...CALL]), factsOf('look'))
    expect(frames.find(({ index }) => index === 1)?.['content_block']).to.deep.equal({
      type: 'tool_use',
      id: 'c1',
      name: 'look',
      input: {},
    })
    expect(frames.at(-2)?.['delta']).to.include({ stop_reason: 'tool_use' })
    const hidden = framesOf(runOf(CALL))
    expect(hidden.slice(1, -2)).to.deep.equal([])
    expect(hidden.at(-2)?.['delta']).to.include({ stop_reason: 'end_turn' })
  })

  it('puts blocks that take turns one after the other', () => {
    const events = runOf([
      { type: 'text-start', id: 'a' },
      { type: 'text-start', id: 'b' },
      { type: 'text-delta', id: 'b', delta: 'second' },
      { type: 'text-delta', id: 'a', delta: 'first' },
      { type: 'text-end', id: 'b' },
      { type: 'text-end', id: 'a' },
    ])
    const texts = blocksOf(events).flatMap(({ delta }) => (delta as { text: string })?.text ?? [])
    expect(texts).to.deep.equal(['first', 'second'])
  })

  it("cites a text's own places, or the sources directly behind it", () => {
    const places = (events: readonly PartialEvent[]) =>
      blocksOf(runOf(events)).flatMap(
        ({ delta }) => (delta as { citation?: object })?.citation ?? [],
      )
    const source = { type: 'source', url: 'https://a.test/', title: 'A' } as const
    const own = { type: 'char_location', cited_text: 'rain' }
    const [start, delta] = textEvents('It rains.')
    const end = {
      type: 'text-end',
      id: '1',
      providerMetadata: { anthropic: { block: { type: 'text', citations: [own] } } },
    } as const
    expect(places([start!, delta!, end, source])).to.deep.equal([own])
    expect(places([...textEvents('It rains.'), source])).to.deep.equal([
      {
        type: 'web_search_result_location',
        cited_text: '',
        encrypted_index: '',
        title: 'A',
        url: 'https://a.test/',
      },
    ])
    expect(places([...textEvents('I look.'), ...CALL, source])).to.deep.equal([])
  })

  it('says which stop sequence was met, where that is known', () => {
    const metadata = { anthropic: { stopSequence: 'END' } }
    const frames = framesOf(runOf([...textEvents('a'), { type: 'metadata', metadata }]))
    expect(frames.at(-2)?.['delta']).to.include({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    })
  })

  it('ends in an error that tells nothing of the server', () => {
    const error = { code: 'OVERLOADED', message: 'no route to 10.0.0.3' }
    expect(framesOf(numbered([{ type: 'error', error }])).at(-1)).to.deep.equal({
      type: 'error',
      error: { type: 'overloaded_error', message: 'The model API is overloaded.' },
      request_id: 'run-1',
    })
  })

  writesEveryRun(ANTHROPIC_MESSAGES)
})
