import { expect } from 'chai'
import { IllegalFrame } from '../illegal-frame.ts'
import { type CheckedStream, UiMessageStreamChecker } from './checker.ts'

const START = { type: 'start', messageId: 'm' }
const CALL = { type: 'tool-input-available', toolCallId: 'c', toolName: 't', input: {} }
const OUTPUT = { type: 'tool-output-available', toolCallId: 'c', output: 1 }

function check(chunks: readonly object[], stream: CheckedStream = {}): void {
  const checker = new UiMessageStreamChecker(stream)
  for (const chunk of chunks) checker.check(`data: ${JSON.stringify(chunk)}\n\n`)
}

const ILLEGAL: readonly [string, readonly object[], CheckedStream?][] = [
  ['a chunk before the start', [{ type: 'start-step' }]],
  ['a second start', [START, START]],
  ['a chunk of no known type', [START, { type: 'toString' }]],
  ['a chunk without what it cannot do without', [START, { type: 'text-start' }]],
  ['data of no name', [START, { type: 'data-', data: 1 }]],
  ['a delta of nothing', [START, { type: 'text-delta', id: 't', delta: 'x' }]],
  ['an end of nothing', [START, { type: 'reasoning-end', id: 't' }]],
  ['a text in another', [START, { type: 'text-start', id: 't' }, { type: 'text-start', id: 't' }]],
  ['a step in a step', [START, { type: 'start-step' }, { type: 'start-step' }]],
  ['the end of no step', [START, { type: 'finish-step' }]],
  [
    'a step that ends around an open text',
    [START, { type: 'start-step' }, { type: 'text-start', id: 't' }, { type: 'finish-step' }],
  ],
  ['an output of no call', [START, OUTPUT]],
  [
    'an output of a call that is on its way',
    [START, { type: 'tool-input-start', toolCallId: 'c', toolName: 't' }, OUTPUT],
  ],
  ['a request for approval before 6', [START, CALL, { ...OUTPUT, type: 'tool-output-denied' }]],
  [
    'an answer to nothing that was asked',
    [START, { type: 'tool-approval-response', approvalId: 'a', approved: true }],
    { sdk: 7 },
  ],
  [
    'an output of a call that was taken back',
    [START, { type: 'start-step' }, CALL, { type: 'reset-step' }, OUTPUT],
    { sdk: 7 },
  ],
  ['an ending in a step', [START, { type: 'start-step' }, { type: 'finish' }]],
  ['a reason that is none', [START, { type: 'finish', finishReason: 'unknown' }]],
  ['a second ending', [START, { type: 'finish' }, { type: 'abort' }]],
]

describe('the checker of the UI message stream', () => {
  for (const [what, chunks, stream] of ILLEGAL) {
    it(`refuses ${what}`, () => {
      check(chunks.slice(0, -1), stream)
      expect(() => check(chunks, stream)).to.throw(IllegalFrame)
    })
  }

  it('takes outputs of calls of an earlier leg, where it is told that there was one', () => {
    check([START, OUTPUT, { type: 'finish' }], { continues: true })
  })

  it('takes data for data, though its name ends as that of another chunk does', () => {
    const names = ['start', 'delta', 'end', 'start-step', 'finish-step', 'x-end', 'x-step']
    const data = names.map((name) => ({ type: `data-${name}`, data: false }))
    check([START, ...data, { type: 'start-step' }, ...data, { type: 'finish-step' }])
  })

  it('refuses a stream without an end, and one that goes on after it', () => {
    const checker = new UiMessageStreamChecker()
    checker.check(`: keep-alive\n\ndata: ${JSON.stringify(START)}\n\n`)
    expect(() => checker.end()).to.throw(IllegalFrame)
    expect(() => checker.check('data: [DONE]\n\n')).to.throw(IllegalFrame, 'no ending')
    checker.check('data: {"type":"abort"}\n\ndata: [DONE]\n\n')
    checker.end()
    expect(() => checker.check('data: [DONE]\n\n')).to.throw(IllegalFrame)
  })
})
