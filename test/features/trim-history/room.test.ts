import { expect } from 'chai'
import { roomOf } from '../../../features/trim-history/room.ts'
import type { Config, ModelInfo } from '../../../src/plugin/index.ts'

function tokensOf(settings: object, modelInfo: ModelInfo = {}, config: Config = {}): number {
  return roomOf(config, modelInfo, { ...settings }).tokens
}

const INFO = { contextWindow: 100_000, maxOutputTokens: 10_000 }

describe('room of trim-history', () => {
  it('is the window without the answer and the margin', () => {
    expect(tokensOf({}, INFO)).to.equal(70_000)
    expect(tokensOf({}, INFO, { model: 'gpt-5' })).to.equal(85_000)
    expect(tokensOf({ margin: 0 }, INFO)).to.equal(90_000)
    expect(roomOf({}, INFO, {}).why).to.equal(
      'a context window of 100,000, minus 10,000 for the answer and a margin of 20,000',
    )
  })

  it("takes a setting's window for the model's", () => {
    expect(tokensOf({ context_window: 50_000 }, INFO)).to.equal(30_000)
    expect(tokensOf({ context_window: 8000 })).to.equal(8000 - 2000 - 1600)
  })

  it('leaves what the config asks for to the answer, else the setting, else what the model gives', () => {
    const asked = { max_output_tokens: 1000 }
    expect(tokensOf({ margin: 0, answer_tokens: 500 }, INFO, asked)).to.equal(99_000)
    expect(tokensOf({ margin: 0, answer_tokens: 500 }, INFO)).to.equal(99_500)
    expect(tokensOf({ margin: 0 }, INFO)).to.equal(90_000)
    expect(tokensOf({ margin: 0 }, INFO, { ...asked, reasoning_effort: 2000 })).to.equal(97_000)
  })

  it('leaves a quarter to answers that could fill more than half of the window', () => {
    expect(tokensOf({ margin: 0 }, { ...INFO, maxOutputTokens: 50_000 })).to.equal(50_000)
    expect(tokensOf({ margin: 0 }, { ...INFO, maxOutputTokens: 100_000 })).to.equal(75_000)
    expect(tokensOf({ margin: 0 }, { contextWindow: 100_000 })).to.equal(75_000)
  })

  it('is no larger than the limit', () => {
    expect(tokensOf({ max_tokens: 5000 }, INFO)).to.equal(5000)
    expect(tokensOf({ max_tokens: 95_000 }, INFO)).to.equal(70_000)
    expect(tokensOf({ max_tokens: 5000 })).to.equal(5000)
  })

  it('is endless where no window is known', () => {
    const odd = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '8000', null]
    for (const contextWindow of [undefined, ...odd])
      expect(tokensOf({}, { contextWindow } as ModelInfo)).to.equal(Number.POSITIVE_INFINITY)
  })

  it('is nothing where the answer takes the window', () => {
    expect(tokensOf({}, INFO, { max_output_tokens: 200_000 })).to.equal(0)
  })
})
