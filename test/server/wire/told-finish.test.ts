import { expect } from 'chai'
import type { FinishEvent } from '../../../src/plugin/events/index.ts'
import { toldFinish } from '../../../src/server/wire/told-finish.ts'

describe('the finish of a run as protocols of model APIs tell it', () => {
  const finish = { type: 'finish', finishReason: 'tool-calls', usage: {}, messages: [] } as const
  const reasonAfter = (termination: FinishEvent['termination']) =>
    toldFinish({ ...finish, ...(termination ? { termination } : {}) }).finishReason

  it('is that of an answer that is too long where a limit cut the run off', () => {
    for (const code of ['max_rounds', 'timeout', 'token_budget', 'loop_detection'] as const) {
      expect(reasonAfter({ reason: 'stopped', code, detail: '' }), code).to.equal('length')
    }
  })

  it('is its own where the run ended otherwise, or met a condition by what it said', () => {
    for (const code of ['stop_on_tool', 'content_match'] as const) {
      expect(reasonAfter({ reason: 'stopped', code, detail: '' }), code).to.equal('tool-calls')
    }
    expect(reasonAfter({ reason: 'natural_end' })).to.equal('tool-calls')
    expect(reasonAfter(undefined)).to.equal('tool-calls')
  })
})
