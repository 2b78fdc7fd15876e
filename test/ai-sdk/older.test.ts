import { expect } from 'chai'
import { asLanguageModel } from '../../src/ai-sdk/index.ts'
import { all, listening, PROMPT } from './asking.ts'

const USAGE = { input: 10, output: 7, reasoning: 2, cacheRead: 3 }
const EVENTS = [
  { type: 'file', mediaType: 'image/png', data: 'aGk=' },
  { type: 'file', mediaType: 'image/png', url: 'https://files.test/a.png' },
  { type: 'data', name: 'chart', data: 1 },
  { type: 'metadata', metadata: { finishReason: 'stop', usage: USAGE } },
]
const FILE = { type: 'file', mediaType: 'image/png', data: 'aGk=' }
const options = { prompt: PROMPT, topK: 3, headers: { 'x-team': 'a' } }
const details = 'Set headers in the settings of the provider.'

const answersOf = async (sdk: 5 | 6) => {
  const { host } = await listening(EVENTS)
  const model = asLanguageModel(await host.open({}), { sdk } as { sdk: 5 })
  const { stream } = await model.doStream(options)
  const answers = { model, parts: await all(stream), result: await model.doGenerate(options) }
  await host.close()
  return answers
}

describe('a language model for an older version of the AI SDK', () => {
  it('is a LanguageModelV3 for version 6', async () => {
    const { model, parts, result } = await answersOf(6)
    const warnings = [
      { type: 'unsupported', feature: 'topK' },
      { type: 'unsupported', feature: 'headers', details },
    ]
    const ending = {
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 10, noCache: 7, cacheRead: 3, cacheWrite: undefined },
        outputTokens: { total: 7, text: 5, reasoning: 2 },
      },
    }
    expect(model.specificationVersion).to.equal('v3')
    expect(parts).to.deep.equal([
      { type: 'stream-start', warnings },
      FILE,
      { type: 'finish', ...ending },
    ])
    expect(result).to.deep.equal({ content: [FILE], warnings, ...ending })
  })

  it('is a LanguageModelV2 for version 5', async () => {
    const { model, parts, result } = await answersOf(5)
    const warnings = [
      { type: 'unsupported-setting', setting: 'topK' },
      { type: 'unsupported-setting', setting: 'headers', details },
    ]
    const usage = {
      inputTokens: 10,
      outputTokens: 7,
      totalTokens: 17,
      reasoningTokens: 2,
      cachedInputTokens: 3,
    }
    expect(model.specificationVersion).to.equal('v2')
    expect(parts).to.deep.equal([
      { type: 'stream-start', warnings },
      FILE,
      { type: 'finish', finishReason: 'stop', usage },
    ])
    expect(result).to.deep.equal({ content: [FILE], warnings, finishReason: 'stop', usage })
  })
})
