import { expect } from 'chai'
import anthropic from '../../../providers/anthropic/index.ts'
import { modelInfo as anthropicInfo } from '../../../providers/anthropic/models.ts'
import { type KnownModel, modelData } from '../../../providers/model-api/model-data.ts'
import openai from '../../../providers/openai/index.ts'
import { modelInfo as openaiInfo } from '../../../providers/openai/models.ts'
import compatible from '../../../providers/openai-compatible/index.ts'
import { CATALOGUES } from '../../../providers/openai-compatible/known-models.ts'
import { PRESETS } from '../../../providers/openai-compatible/presets.ts'

const OFF_PEAK = new Date('2026-11-23T12:00:00Z')
const PEAK = new Date('2026-11-23T02:00:00Z')
const BEFORE_RISE = new Date('2026-08-01T12:00:00Z')

const presetConfig = (preset: string) => ({ settings: { 'openai-compatible': { preset } } })

async function compatibleInfo(preset: string, id: string) {
  return (await compatible.getModelInfo?.(id, presetConfig(preset))) ?? {}
}

describe('the data of models', () => {
  it('has the window and the price of a model', async () => {
    expect(await modelData('gpt-5', { list: 'openai' })).to.deep.equal({
      contextWindow: 400_000,
      price: { input: 1.25, output: 10, cacheRead: 0.125 },
    })
  })

  it('takes a dated snapshot for its base, unless it is known itself', async () => {
    const base = await openaiInfo('gpt-5')
    expect(await openaiInfo('gpt-5-2025-08-07')).to.deep.equal(base)
    expect(await openaiInfo('gpt-5.6-sol-2031-01-31')).to.deep.equal(
      await openaiInfo('gpt-5.6-sol'),
    )
    expect((await openaiInfo('gpt-4o-2024-05-13')).price).to.deep.equal({ input: 5, output: 15 })
    expect((await openaiInfo('gpt-4o')).price).to.include({ input: 2.5, output: 10 })
  })

  it('has the rates of long requests beside those of others', async () => {
    const { price } = await modelData('gpt-5.4', { list: 'openai' })
    expect(price).to.deep.equal({
      input: 2.5,
      output: 15,
      cacheRead: 0.25,
      tiers: [{ over: 271_999, input: 5, output: 22.5, cacheRead: 0.5 }],
    })
  })

  it('has the price of the day and of the hour', async () => {
    const priceAt = async (at: Date) =>
      (await modelData('deepseek-v4-pro', { list: 'deepseek', at })).price?.input
    const prices = [await priceAt(BEFORE_RISE), await priceAt(OFF_PEAK), await priceAt(PEAK)]
    expect(prices).to.deep.equal([0.435, 0.66, 1.32])
  })

  it('has nothing of what nobody knows, in place of a 0', async () => {
    for (const id of ['gpt-9', '', 'constructor', '__proto__', 'whisper-1']) {
      expect(await modelData(id, { list: 'openai' }), id).to.deep.equal({})
      expect(await compatibleInfo('groq', id), id).to.deep.equal({})
    }
    expect(await modelData('whisper-large-v3', { list: 'groq' })).to.deep.equal({})
    expect(await modelData('gpt-5', { list: 'nobody' })).to.deep.equal({})
  })

  it('takes no model for another whose id its own begins with', async () => {
    const claude = (id: string) => modelData(id, { list: 'anthropic' })
    expect(await claude('claude-sonnet-5')).to.have.property('price')
    expect(await claude('claude-sonnet-5-5')).to.deep.equal({})
    expect(await claude('claude-opus-4-8-fast')).to.deep.equal({})
    expect(await claude('claude-haiku-4-5-20251001')).to.deep.equal(
      await claude('claude-haiku-4-5'),
    )
  })

  it('lets the row of a provider win', async () => {
    const known = { contextWindow: 7, price: { input: 1 } }
    expect(await modelData('gpt-5', { list: 'openai', known })).to.deep.equal(known)
  })

  it('gives answers that no asker can change for the next', async () => {
    const first = await openaiInfo('gpt-5')
    Object.assign(first, { contextWindow: 1 })
    expect(() => Object.assign(first.price ?? {}, { input: 99 })).to.throw(TypeError)
    expect(await openaiInfo('gpt-5')).to.deep.include({ contextWindow: 400_000 })
    expect((await openaiInfo('gpt-5')).price?.input).to.equal(1.25)
  })
})

describe('the models on offer', () => {
  for (const provider of [openai, anthropic]) {
    it(`of ${provider.name} have each a window, a largest output, modalities and a price`, async () => {
      for (const id of (await provider.getModels?.({})) ?? []) {
        const info = await provider.getModelInfo?.(id, {})
        const facts = ['contextWindow', 'maxOutputTokens', 'input', 'output', 'price']
        expect(info, id).to.have.all.keys(facts)
      }
    })
  }

  /** Models without a price, and why. */
  const UNPRICED: { readonly [model: string]: string } = {
    'deepseek deepseek-flash': 'the library does not have it yet, and it changes by the hour',
    'openrouter openrouter/auto': 'it costs what the model costs that it picks',
    'together openai/gpt-oss-120b': 'the library does not have it',
  }

  for (const [preset, { models }] of Object.entries(PRESETS)) {
    for (const id of models) {
      const reason = UNPRICED[`${preset} ${id}`]
      it(`${preset} ${id} has ${reason ? `no price: ${reason}` : 'a price'}`, async () => {
        const { price } = await compatibleInfo(preset, id)
        if (reason) expect(price).to.equal(undefined)
        else expect(price?.input).to.be.greaterThan(0)
      })
    }
  }

  it('of a server on the own machine, or of one without a preset, cost nothing that is known', async () => {
    expect(await compatibleInfo('ollama', 'gpt-5')).to.deep.equal({})
    expect(await compatible.getModelInfo?.('gpt-5', {})).to.deep.equal({})
  })
})

describe('the tables of models', () => {
  /** Figures that are others here than in the library. */
  const DISAGREEMENTS: readonly (readonly [model: string, field: string, why: string])[] = [
    ['openai gpt-5.5', 'contextWindow', 'the library rounds 1,050,000'],
    ['openai gpt-4.1', 'contextWindow', 'the library rounds 1,047,576'],
    ['openai gpt-4.1-mini', 'contextWindow', 'the library rounds 1,047,576'],
    ['openai gpt-4.1-nano', 'contextWindow', 'the library rounds 1,047,576'],
    ['mistral mistral-large-latest', 'price', 'the library has the price of Large 2'],
    ['mistral mistral-small-latest', 'price', 'the library has the price of Small 3'],
  ]

  /** Every row, as a provider answers with it, by the library's list. */
  async function rows(): Promise<(readonly [list: string, id: string, row: KnownModel])[]> {
    const first = ((await openai.getModels?.({})) ?? []).map(
      async (id) => ['openai', id, await openaiInfo(id)] as const,
    )
    const second = ((await anthropic.getModels?.({})) ?? []).map(
      async (id) => ['anthropic', id, await anthropicInfo(id)] as const,
    )
    const others = Object.entries(CATALOGUES).flatMap(([preset, { list, models }]) =>
      Object.keys(models).map(async (id) => [list, id, await compatibleInfo(preset, id)] as const),
    )
    return Promise.all([...first, ...second, ...others])
  }

  /** What both know, and say otherwise. */
  async function disagreements(): Promise<readonly string[]> {
    const found: string[] = []
    for (const [list, id, row] of await rows()) {
      const library = await modelData(id, { list })
      for (const field of ['contextWindow', 'price'] as const) {
        const [here, there] = [row[field], library[field]].map((value) => JSON.stringify(value))
        if (here && there && here !== there) found.push(`${list} ${id} ${field}`)
      }
    }
    return found
  }

  it('agree with the library where both know a figure, but for:', async () => {
    const known = DISAGREEMENTS.map(([model, field]) => `${model} ${field}`)
    expect((await disagreements()).filter((found) => !known.includes(found))).to.deep.equal([])
  })

  for (const [model, field, why] of DISAGREEMENTS) {
    it(`${model}, ${field}: ${why}`, async () => {
      expect(await disagreements()).to.include(`${model} ${field}`)
    })
  }
})
