import { expect } from 'chai'
import fc from 'fast-check'
import { addCost, type Cost, costOf } from '../../../extensions/usage-cost/cost.ts'
import usageCost from '../../../extensions/usage-cost/index.ts'
import scripted from '../../../providers/scripted/index.ts'
import { run } from '../../../src/agent/index.ts'
import { createHost, type Message, type Usage } from '../../../src/core/index.ts'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { bothWays, cuts, replayWith, textPart } from '../../helpers/both-ways.ts'
import { HAS_ALL_CASES, propertyRuns, propertyTimeout } from '../../helpers/cases.ts'

const plugins = [usageCost]
const PRICE = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const USAGE: Usage = { input: 1000, output: 100 }

function answerOf(usage: Usage | undefined, pieces: readonly string[] = ['Hello']): PartialEvent[] {
  return [...textPart(pieces), { type: 'metadata', metadata: usage ? { usage } : { kept: true } }]
}

function pricedBy(price: object | undefined) {
  const info = price ? { price } : {}
  return { getModelInfo: () => info, getModels: () => ['m'] }
}

async function metadataOf(usage: Usage | undefined, price: object | undefined = PRICE) {
  const events = answerOf(usage)
  const { messages } = await bothWays({ events, plugins, provider: pricedBy(price) })
  return messages[0]?.metadata
}

/** A host of the scripted provider, with prices. */
function scriptedHost(
  script: readonly object[],
  price: object | undefined = PRICE,
  more: object[] = [],
) {
  const provider = { ...scripted, getModelInfo: () => (price ? { price } : {}) }
  const settings = { scripted: { script, delay_ms: 0 } }
  const config = { enabled_plugins: ['usage-cost'], settings }
  return createHost({ plugins: [provider, ...plugins, ...more], config })
}

function costIn(messages: readonly Message[], key = 'cost'): Cost | undefined {
  return messages.at(-1)?.metadata?.[key] as Cost | undefined
}

describe('usage-cost', () => {
  it('CL-42 says what a message cost, in events and finals', async () => {
    expect(await metadataOf(USAGE)).to.deep.equal({
      usage: USAGE,
      cost: { input: 0.003, output: 0.0015, total: 0.0045, currency: 'USD' },
    })
  })

  it('counts what was cached at its own rate', () => {
    const usage = { input: 1000, output: 0, cacheRead: 600, cacheWrite: 300 }
    expect(costOf(usage, PRICE)?.input).to.equal((100 * 3 + 600 * 0.3 + 300 * 3.75) / 1e6)
    expect(costOf(usage, { input: 3, output: 15 })?.input).to.equal(0.003)
  })

  it('counts what Anthropic stores for an hour twice', () => {
    const raw = {
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
    }
    const usage = { input: 300, output: 0, cacheWrite: 300, raw }
    expect(costOf(usage, PRICE)?.input).to.equal((100 * 3.75 + 200 * 6) / 1e6)
  })

  it('takes the rates of the highest tier that the input reaches', () => {
    const price = {
      input: 1,
      output: 2,
      cacheRead: 0.1,
      tiers: [
        { over: 200, input: 2, output: 3 },
        { over: 500, input: 4 },
      ],
    }
    const total = (input: number) => costOf({ input, output: 100 }, price)?.total
    expect(total(200)).to.equal(400 / 1e6)
    expect(total(201)).to.equal(702 / 1e6)
    expect(total(501)).to.equal((501 * 4 + 300) / 1e6)
  })

  it('takes the cost that the API reports, in the proportion of the prices', () => {
    const raw = { cost: 0.009, cost_details: { upstream_inference_cost: null }, is_byok: false }
    const cost = { input: 0.006, output: 0.003, total: 0.009, currency: 'USD' }
    expect(costOf({ ...USAGE, raw }, PRICE)).to.deep.equal(cost)
    expect(costOf({ ...USAGE, raw: { cost: 0 } }, PRICE)?.total).to.equal(0)
  })

  it('takes a reported total alone where the prices are not known, also in sums', () => {
    const told = { total: 0.009, currency: 'USD' } as const
    expect(costOf({ ...USAGE, raw: { cost: 0.009 } }, undefined)).to.deep.equal(told)
    const priced = costOf(USAGE, PRICE) as Cost
    expect(addCost(priced, told)).to.deep.equal({ total: 0.0135, currency: 'USD' })
  })

  it('adds what the model cost on the bill of the own key, which the API reports apart', () => {
    const raw = { cost: 0.95, is_byok: true, cost_details: { upstream_inference_cost: 19 } }
    expect(costOf({ ...USAGE, raw }, undefined)?.total).to.equal(19.95)
  })

  it('takes no reported cost that is no amount', () => {
    for (const cost of [-1, Number.NaN, '0.1', { total: 1 }, null]) {
      expect(costOf({ ...USAGE, raw: { cost } }, PRICE)?.total).to.equal(0.0045)
    }
  })

  it('says nothing where usage or price is not known, or cannot be', async () => {
    expect(await metadataOf(undefined)).to.deep.equal({ kept: true })
    expect(await metadataOf({ output: 1 })).to.have.all.keys('usage')
    expect(await metadataOf(USAGE, { input: 3 })).to.have.all.keys('usage')
    const events = answerOf(USAGE)
    const { messages } = await bothWays({ events, plugins })
    expect(messages[0]?.metadata).to.have.all.keys('usage')
    expect(costOf({ input: 1, output: 1, cacheRead: 2 }, PRICE)).to.equal(undefined)
  })

  it('says 0 where the model is free', async () => {
    expect(await metadataOf(USAGE, { input: 0, output: 0 })).to.nested.include({ 'cost.total': 0 })
  })

  it('adds up a run, each answer once', async () => {
    const look = {
      kind: 'tool',
      name: 'look',
      getToolSchemas: () => [LOOK],
      executeTool: () => 'x',
    }
    const host = await scriptedHost(
      [
        { when: { tool: 'look' }, then: { text: 'Done.', usage: USAGE } },
        { then: { tool_calls: [{ name: 'look', input: {} }], usage: USAGE } },
      ],
      PRICE,
      [look],
    )
    for (let time = 0; time < 2; time++) {
      const { messages } = await run(host, { messages: 'Look' }).result
      const last = [messages.at(-1)].flatMap((message) => message ?? [])
      expect(costIn(messages.slice(0, 1), 'costOfRun')?.total).to.equal(0.0045)
      expect(costIn(last, 'costOfRun')).to.deep.equal({
        input: 0.006,
        output: 0.003,
        total: 0.009,
        currency: 'USD',
      })
    }
    await host.close()
  })

  it('adds up a conversation, in send and stream', async () => {
    const host = await scriptedHost([{ then: { text: 'Hello', usage: USAGE } }])
    const conversationId = 'c'
    const sent = await host.send({}, 'Hello', { conversationId })
    expect(costIn(sent.messages, 'costOfConversation')?.total).to.equal(0.0045)
    const { messages } = await host.stream({}, 'Hello', { conversationId }).result
    expect(costIn(messages, 'costOfConversation')?.total).to.equal(0.009)
    const other = await host.send({}, 'Hello', { conversationId: 'd' })
    expect(costIn(other.messages, 'costOfConversation')?.total).to.equal(0.0045)
    expect((await host.send({}, 'Hello')).messages[0]?.metadata).to.not.have.any.keys(
      'costOfConversation',
      'costOfRun',
    )
    await host.close()
  })

  it('knows no sum that has an answer of unknown cost in it', async () => {
    const host = await scriptedHost([
      { when: { text: 'free' }, then: { text: 'Hello', usage: { output: 1 } } },
      { then: { text: 'Hello', usage: USAGE } },
    ])
    const ask = (text: string) => host.send({}, text, { conversationId: 'c' })
    await ask('Hello')
    await ask('free')
    const { messages } = await ask('Hello')
    expect(messages[0]?.metadata).to.include.keys('cost').and.not.include.keys('costOfConversation')
    await host.close()
  })

  it('keeps the sums of the last runs, and no more', async () => {
    const values = new Map<string, unknown>()
    const storage = {
      get: async (key: string) => values.get(key),
      set: async (key: string, value: unknown) => void values.set(key, value),
      list: async () => [...values.keys()],
      delete: async (key: string) => void values.delete(key),
    }
    const hook = usageCost.fromNative as (...args: unknown[]) => Promise<unknown>
    const message = { role: 'assistant', parts: [], metadata: { usage: USAGE } }
    for (let count = 0; count < 600; count++) {
      const runId = `${count}`
      const modelInfo = { price: PRICE }
      const context = { phase: 'finals', runId, modelInfo, storage, local: new Map() }
      await hook([], [message], context)
    }
    expect(values.size).to.be.at.most(256).and.at.least(128)
    expect(values.has('run:599')).to.equal(true)
  })

  it('hands on events without usage as they are', () => {
    const events = textPart(['a'])
    const hook = usageCost.fromNative as (...args: unknown[]) => unknown
    expect(hook([], events, { phase: 'partials' })).to.equal(events)
  })

  it('CL-42 costs the same however the text is cut', async () => {
    const count = fc.integer({ min: 0, max: 1000 })
    const usage = fc.record(
      { input: count, output: count, cacheRead: count, cacheWrite: count },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(cuts(fc.string({ minLength: 1 })), usage, async (pieces, used) => {
        const events = answerOf(used, pieces)
        const { messages } = await bothWays({ events, plugins, provider: pricedBy(PRICE) })
        const { input, total, output } = (costIn(messages) ?? {}) as Partial<Cost>
        if (total !== undefined) expect(total).to.be.closeTo((input ?? 0) + (output ?? 0), 1e-9)
        expect(total === undefined).to.equal(costOf(used, PRICE) === undefined)
      }),
      { numRuns: propertyRuns(100, 10) },
    )
  })

  it('CL-42 adds up in recorded answers', async function () {
    this.timeout(propertyTimeout(60_000))
    let priced = 0
    const check = ([message]: readonly Message[]) => {
      if (message?.metadata?.['cost']) priced++
    }
    const provider = { getModelInfo: () => ({ price: PRICE }) }
    const count = await replayWith(plugins, check, { provider })
    expect(priced).to.be.greaterThan(HAS_ALL_CASES ? 10 : 2)
    if (this.test) this.test.title += ` (${count} recordings)`
  })
})

const LOOK = { name: 'look', description: 'looks', input_schema: { type: 'object' } }
