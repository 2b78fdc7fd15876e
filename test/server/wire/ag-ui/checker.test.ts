import { expect } from 'chai'
import { IllegalFrame } from '../illegal-frame.ts'
import { AgUiChecker } from './checker.ts'

const START = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const FINISH = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const TEXT = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }
const CALL = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 't' }
const STEP = { type: 'STEP_STARTED', stepName: 's' }

function check(events: readonly object[]): void {
  const checker = new AgUiChecker()
  for (const event of events) checker.check(`data: ${JSON.stringify(event)}\n\n`)
}

const ILLEGAL: readonly [string, readonly object[]][] = [
  ['an event before the run', [TEXT]],
  ['a run in a run', [START, START]],
  ['an event of no known type', [START, { type: 'TEXT_MESSAGE_GROWN', messageId: 'm' }]],
  ['an event with a null', [START, { ...TEXT, name: null }]],
  ['a text in itself', [START, TEXT, TEXT]],
  ['a delta of nothing', [START, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' }]],
  ['an empty delta', [START, TEXT, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '' }]],
  ['the end of nothing', [START, { type: 'REASONING_END', messageId: 'm' }]],
  ['a call without a name', [START, { type: 'TOOL_CALL_START', toolCallId: 'c' }]],
  ['a call beside another', [START, CALL, { ...CALL, toolCallId: 'd' }]],
  [
    'a result without a text',
    [START, { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c' }],
  ],
  ['a step that ends around a text', [START, STEP, TEXT, { type: 'STEP_FINISHED', stepName: 's' }]],
  ['a run that ends in a step', [START, STEP, FINISH]],
  ['an event after the ending', [START, FINISH, { type: 'CUSTOM', name: 'n', value: 1 }]],
]

describe('the checker of AG-UI', () => {
  for (const [what, events] of ILLEGAL) {
    it(`refuses ${what}`, () => {
      check(events.slice(0, -1))
      expect(() => check(events)).to.throw(IllegalFrame)
    })
  }

  it('refuses a run without an ending', () => {
    const checker = new AgUiChecker()
    checker.check(`data: ${JSON.stringify(START)}\n\n`)
    expect(() => checker.end()).to.throw(IllegalFrame)
    checker.check(`data: ${JSON.stringify({ type: 'RUN_ERROR', message: 'm' })}\n\n`)
    checker.end()
  })
})
