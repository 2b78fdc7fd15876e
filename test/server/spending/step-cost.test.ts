import { expect } from 'chai'
import { tokensIn } from '../../../src/agent/estimated-tokens.ts'
import type { Result, ResultStatus } from '../../../src/core/host/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import {
  amountsOfStep,
  type MeteredStep,
  mostOfStep,
} from '../../../src/server/spending/step-cost.ts'

const PRICE = { input: 1, output: 10, cacheRead: 0.1 }
const MILLION = 1_000_000
type Answered = Pick<Result, 'messages' | 'usage'>

const DONE: ResultStatus = { status: 'done' }
const ABORTED: ResultStatus = { status: 'aborted', error: new HostError('ABORTED', 'Stopped.') }

function failed(error: HostError): ResultStatus {
  return { status: 'failed', error }
}

function says(text: string, metadata: Message['metadata'] = {}): Message {
  return { role: 'assistant', parts: [{ type: 'text', text }], metadata }
}

/** In millionths of a dollar. */
function cost(
  { ending = DONE, ...result }: Partial<Answered> & { readonly ending?: ResultStatus },
  more: Partial<MeteredStep> = {},
): number {
  const whole: Result = {
    ...ending,
    messages: [],
    usage: {},
    finishReason: 'stop',
    warnings: [],
    ...result,
  }
  const step = { modelInfo: { price: PRICE }, input: 50, seconds: 0, maxOutput: undefined }
  return Math.round(amountsOfStep({ result: whole, ...step, ...more }).dollars * MILLION)
}

describe('what a request of a run cost', () => {
  const text = 'four letters are a token, about.'
  const tokens = tokensIn([says(text)])

  it('is what its usage comes to', () => {
    expect(cost({ usage: { input: 100, output: 20 } })).to.equal(300)
    expect(cost({ usage: { input: 100, output: 20, cacheRead: 60 } })).to.equal(246)
  })

  it('is what a plugin says of a whole answer, which may know other prices', () => {
    const told = says(text, { cost: { total: 0.5 } })
    expect(cost({ messages: [told], usage: { input: 100, output: 20 } })).to.equal(MILLION / 2)
  })

  it('is not what a plugin says where that is nothing, or no number', () => {
    for (const total of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '7', undefined]) {
      const told = says(text, { cost: { total } })
      expect(cost({ messages: [told], usage: { input: 100, output: 20 } })).to.equal(300)
    }
  })

  it('is an estimate where an API says no usage, or nothing of one kind', () => {
    const messages = [says(text)]
    expect(cost({ messages })).to.equal(50 + tokens * 10)
    expect(cost({ messages, usage: { input: 0, output: 0 } })).to.equal(50 + tokens * 10)
    expect(cost({ messages, usage: { output: 3 } })).to.equal(50 + 30)
  })

  it('is at least an estimate where it was cut, whatever was said of its beginning', () => {
    const messages = [says(text)]
    for (const ending of [ABORTED, failed(new HostError('PROVIDER_FAILED', 'It broke.'))]) {
      expect(cost({ ending, messages })).to.equal(50 + tokens * 10)
      const usage = { input: 70, output: 1 }
      expect(cost({ ending, messages, usage })).to.equal(70 + tokens * 10)
      const told = says(text, { cost: { total: 0.000_001 } })
      expect(cost({ ending, messages: [told] })).to.equal(50 + tokens * 10)
    }
  })

  it('has in it what a model may have thought unseen until it was cut, and no more than it may', () => {
    const cut = { ending: ABORTED, messages: [says('x')] }
    expect(cost(cut, { seconds: 10 })).to.equal(50 + 400 * 10)
    expect(cost(cut, { seconds: 10, maxOutput: 100 })).to.equal(50 + 100 * 10)
    expect(cost({ messages: [says(text)] }, { seconds: 10 })).to.equal(50 + tokens * 10)
  })

  it('is nothing where an API refused, and its time where it kept silent', () => {
    const refused = new HostError('OVERLOADED', 'No.', { status: 529 })
    expect(cost({ ending: failed(refused) }, { seconds: 10 })).to.equal(0)
    const silent = new HostError('TIMEOUT', 'It did not answer.')
    expect(cost({ ending: failed(silent) }, { seconds: 10 })).to.equal(50 + 400 * 10)
  })

  it('counts all that a model says: reasoning, calls and their inputs, in any script', () => {
    const parts = [
      { type: 'reasoning', text: 'x'.repeat(400) },
      { type: 'tool-call', callId: '1', name: 'find', input: { text: 'y'.repeat(400) } },
      { type: 'text', text: '水'.repeat(400) },
    ] as const
    for (const part of parts) {
      expect(tokensIn([{ role: 'assistant', parts: [part] }])).to.be.at.least(100)
    }
    const image = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const
    expect(tokensIn([{ role: 'user', parts: [image] }])).to.be.at.least(1000)
  })

  it('is not known without a price', () => {
    for (const price of [undefined, {}, { input: 1 }]) {
      const modelInfo = price === undefined ? {} : { price }
      expect(cost({ usage: { input: 9, output: 9 } }, { modelInfo })).to.equal(0)
    }
  })

  it('takes the rates that its input reaches', () => {
    const price = { ...PRICE, tiers: [{ over: 60, input: 2, output: 20 }] }
    const modelInfo = { price }
    expect(cost({ usage: { input: 60, output: 1 } }, { modelInfo })).to.equal(70)
    expect(cost({ usage: { input: 61, output: 1 } }, { modelInfo })).to.equal(142)
  })
})

describe('what a request may cost at most', () => {
  const input = 100
  const most = (info: object, maxOutput?: number) =>
    Math.round(
      mostOfStep({ modelInfo: { price: PRICE, ...info }, input, maxOutput }).dollars * MILLION,
    )

  it('is its input, and the longest answer that it, or its model, allows', () => {
    expect(most({ maxOutputTokens: 1000 })).to.equal(100 + 10_000)
    expect(most({ maxOutputTokens: 1000 }, 10)).to.equal(100 + 100)
    expect(most({ maxOutputTokens: 1000 }, 9e9)).to.equal(100 + 10_000)
    expect(most({}, 10)).to.equal(100 + 100)
    expect(most({})).to.equal(100 + 163_840)
  })
})
