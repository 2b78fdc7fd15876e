import { expect } from 'chai'
import fc from 'fast-check'
import { isTool, MessageReader, type UiMessage } from '../../../src/page/site/message/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { anyRun } from '../../server/wire/runs.ts'
import { chunksOf } from './chunks.ts'

function read(chunks: readonly unknown[], before?: UiMessage): MessageReader {
  const reader = new MessageReader(before)
  for (const chunk of chunks) reader.add(chunk)
  return reader
}

const START = { type: 'start', messageId: 'm1' }
const STEP = { type: 'start-step' }
const CALL = { type: 'tool-input-start', toolCallId: 'c1', toolName: 'add', dynamic: true }

function input(delta: string) {
  return { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: delta }
}

function text(...deltas: readonly string[]) {
  return [
    { type: 'text-start', id: 't1' },
    ...deltas.map((delta) => ({ type: 'text-delta', id: 't1', delta })),
  ]
}

/** The call of the message, without the parts beside it. */
function callIn(reader: MessageReader) {
  return reader.message?.parts.find(isTool)
}

describe('MessageReader', () => {
  it('has no message before the first chunk', () => {
    expect(new MessageReader().message).to.equal(undefined)
  })

  it('puts texts and thoughts together', () => {
    const reader = read([
      START,
      STEP,
      { type: 'reasoning-start', id: 'r1' },
      { type: 'reasoning-delta', id: 'r1', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r1' },
      ...text('Hel', 'lo'),
    ])
    expect(reader.message).to.deep.equal({
      id: 'm1',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', id: 'r1', text: 'Hm.', state: 'done' },
        { type: 'text', text: 'Hello', state: 'streaming' },
      ],
    })
  })

  it('makes a new message with a change, in which the other parts are the same', () => {
    const reader = read([START, { type: 'file', url: 'data:,', mediaType: 'a/b' }, ...text('a')])
    const before = reader.message
    expect(reader.message).to.equal(before)
    reader.add({ type: 'text-delta', id: 't1', delta: 'b' })
    expect(before?.parts[1]).to.include({ text: 'a' })
    expect(reader.message?.parts[1]).to.include({ text: 'ab' })
    expect(reader.message?.parts[0]).to.equal(before?.parts[0])
  })

  it('drops the parts of a step that begins anew, and those alone', () => {
    const reader = read([START, STEP, ...text('one'), STEP, CALL, ...text('two')])
    reader.add({ type: 'reset-step' })
    reader.add(input('{}'))
    reader.add({ type: 'text-delta', id: 't1', delta: 'late' })
    expect(reader.message?.parts).to.deep.equal([
      { type: 'step-start' },
      { type: 'text', text: 'one', state: 'streaming' },
      { type: 'step-start' },
    ])
  })

  it('shows the input of a call as text until it is whole JSON', () => {
    const reader = read([START, CALL])
    const seen = ['{"a":', '"}', '{\\""', '}', ' \n', '!'].map((delta) => {
      reader.add(input(delta))
      return callIn(reader)?.input
    })
    const whole = { a: '}{"' }
    expect(seen).to.deep.equal([
      '{"a":',
      '{"a":"}',
      '{"a":"}{\\""',
      whole,
      whole,
      '{"a":"}{\\""} \n!',
    ])
  })

  it('follows a call through progress and result', () => {
    const reader = read([START, CALL, input('{}')])
    const available = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'add' }
    reader.add({ ...available, input: {}, dynamic: true })
    const output = { type: 'tool-output-available', toolCallId: 'c1' }
    reader.add({ ...output, output: 1, preliminary: true })
    const call = { type: 'dynamic-tool', toolName: 'add', toolCallId: 'c1', input: {} }
    expect(callIn(reader)).to.deep.equal({
      ...call,
      state: 'output-available',
      output: 1,
      preliminary: true,
    })
    reader.add({ ...output, output: 2 })
    expect(callIn(reader)).to.deep.equal({ ...call, state: 'output-available', output: 2 })
  })

  it('follows a call through an approval', () => {
    const before = read([
      START,
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'add', input: 1 },
      { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
    ])
    expect(callIn(before)?.state).to.equal('approval-requested')
    const after = read(
      [
        START,
        { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 'no' },
        { type: 'tool-output-denied', toolCallId: 'c1' },
      ],
      before.message,
    )
    expect(callIn(after)).to.deep.equal({
      type: 'tool-add',
      toolCallId: 'c1',
      state: 'output-denied',
      input: 1,
      approval: { id: 'a1', approved: false, reason: 'no' },
    })
  })

  it('begins anew where a stream has another message', () => {
    const before = read([START, ...text('old')]).message
    expect(read([{ type: 'start', messageId: 'm2' }], before).message).to.deep.equal({
      id: 'm2',
      role: 'assistant',
      parts: [],
    })
  })

  it('replaces data of the same id, and keeps no transient data', () => {
    const data = { type: 'data-chart', id: 'd1' }
    const reader = read([
      START,
      { ...data, data: 1 },
      { ...data, data: 2 },
      { ...data, data: 3, transient: true },
      { type: 'data-chart', data: 4 },
    ])
    expect(reader.message?.parts).to.deep.equal([
      { ...data, data: 2 },
      { type: 'data-chart', data: 4 },
    ])
  })

  it('tells how the stream ended', () => {
    const endOf = (chunk: object) => {
      const { error, isEnded } = read([START, chunk])
      return { error, isEnded }
    }
    const ended = { error: undefined, isEnded: true }
    expect(endOf(STEP)).to.deep.equal({ ...ended, isEnded: false })
    expect(endOf({ type: 'finish' })).to.deep.equal(ended)
    expect(endOf({ type: 'abort' })).to.deep.equal(ended)
    expect(endOf({ type: 'error', errorText: 'Bad.' })).to.deep.equal({ ...ended, error: 'Bad.' })
  })

  it('merges metadata, and leaves out what is of another type', () => {
    const reader = read([
      { ...START, messageMetadata: { agent: 'a', createdAt: 1, runId: 7 } },
      { type: 'message-metadata', messageMetadata: JSON.parse('{"__proto__": {"agent": "b"}}') },
      { type: 'finish', messageMetadata: { finishReason: 'stop', usage: { input: 3, cost: 'x' } } },
    ])
    expect(reader.message?.metadata).to.deep.equal({
      agent: 'a',
      createdAt: 1,
      finishReason: 'stop',
      usage: { input: 3 },
    })
  })

  it('survives any chunks', () => {
    fc.assert(
      fc.property(fc.array(hostileChunk, { maxLength: 20 }), (chunks) => {
        const reader = read([START, STEP, ...text('kept'), { type: 'text-end', id: 't1' }, STEP])
        for (const chunk of chunks) reader.add(chunk)
        expect(reader.message?.parts).to.be.an('array')
        expect(Object.prototype).to.not.have.property('polluted')
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  it('survives the chunks of a run that are cut out, repeated or changed', () => {
    fc.assert(
      fc.property(anyRun, fc.infiniteStream(fc.nat(9)), fc.anything(), (events, dice, junk) => {
        const reader = new MessageReader()
        for (const chunk of chunksOf(events)) {
          const [field = ''] = Object.keys(chunk).slice(1)
          const way = dice.next().value
          if (way === 0) continue
          if (way === 1) reader.add(chunk)
          reader.add(way === 2 ? { ...chunk, [field]: junk } : chunk)
          void reader.message
        }
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})

const id = fc.constantFrom('t1', 'c1', 'a1', '__proto__', 'constructor', '', 5, null)
const hostileChunk = fc.oneof(
  fc.anything(),
  fc.record(
    {
      type: fc.oneof(
        fc.constantFrom(
          'start',
          'start-step',
          'reset-step',
          'finish',
          'abort',
          'error',
          'message-metadata',
          'text-start',
          'text-delta',
          'text-end',
          'reasoning-start',
          'reasoning-delta',
          'tool-input-start',
          'tool-input-delta',
          'tool-input-available',
          'tool-input-error',
          'tool-output-available',
          'tool-output-error',
          'tool-output-denied',
          'tool-approval-request',
          'tool-approval-response',
          'file',
          'source-url',
          'source-document',
          'data-',
          'data-x',
          '__proto__',
          'tool-',
          'text-',
          'constructor',
        ),
        fc.anything(),
      ),
      id,
      toolCallId: id,
      toolName: id,
      approvalId: id,
      approved: fc.constantFrom(true, false, 'yes'),
      dynamic: fc.constantFrom(true, false, 1),
      delta: fc.oneof(fc.string(), fc.anything()),
      inputTextDelta: fc.oneof(fc.constantFrom('{', '}', '"', '\\', '[1]'), fc.anything()),
      messageMetadata: fc.constantFrom(JSON.parse('{"__proto__":{"polluted":1}}'), 5, null, []),
      data: fc.anything(),
    },
    { requiredKeys: ['type'] },
  ),
)
