import { expect } from 'chai'
import { CATALOGUES } from '../../../providers/openai-compatible/known-models.ts'
import type { Host } from '../../../src/core/index.ts'
import { compatibleHost, configWith, hostAnswered } from './asking.ts'

describe('models of OpenAI-compatible servers', () => {
  let host: Host
  before(async () => {
    host = await compatibleHost()
  })
  after(() => host.close())

  const reasons = async (preset: string, model: string) => {
    const { tags } = await host.resolve(configWith({ api_key: 'k', preset }, { model }))
    return tags.includes('reasoning')
  }

  for (const preset of ['openrouter', 'together', 'ollama', 'lm-studio', 'vllm', 'llama-cpp']) {
    it(`are known to reason by their names, whoever made them: ${preset}`, async () => {
      for (const model of [
        'deepseek/deepseek-r1-0528',
        'deepseek-ai/DeepSeek-V4-Pro',
        'Qwen/QwQ-32B',
        'Qwen/Qwen3-8B',
        'openai/gpt-oss-120b',
        'mistralai/Magistral-Small-2509',
        'zai-org/GLM-4.6',
        'z-ai/glm-5',
        'MiniMaxAI/MiniMax-M2',
        'moonshotai/Kimi-K2-Thinking',
        'google/gemma-4-31b-it',
        'nvidia/Nemotron-3-Nano',
      ]) {
        expect(await reasons(preset, model), model).to.equal(true)
      }
      for (const model of [
        'meta-llama/Llama-3.3-70B-Instruct',
        'deepseek-ai/DeepSeek-V3',
        'Qwen/Qwen2.5-7B-Instruct',
        'google/gemma-3-27b-it',
        'THUDM/glm-3-turbo',
        'mistralai/Mistral-Small-3.2',
      ]) {
        expect(await reasons(preset, model), model).to.equal(false)
      }
    })
  }

  it('are listed where the answer is the list itself, as that of Together is', async () => {
    const list = JSON.stringify([{ id: 'a/one' }, { id: 'b/two', type: 'chat' }])
    const listing = await hostAnswered(() => list, 'application/json')
    const config = configWith({ api_key: 'k', preset: 'together', models: [] })
    expect(await listing.refreshModels(config)).to.deep.equal(['a/one', 'b/two'])
    await listing.close()
  })

  const infoOf = (preset: string, model: string) =>
    host.modelInfo(configWith({ api_key: 'k', preset }, { model }))

  for (const [preset, { models }] of Object.entries(CATALOGUES))
    it(`are known to read and to answer text: ${preset}`, async () => {
      for (const model of Object.keys(models)) {
        const { input, output } = await infoOf(preset, model)
        expect(input, model).to.include('text')
        expect(output, model).to.deep.equal(['text'])
      }
    })

  it('are known by what their vendors say of them', async () => {
    const [text, vision] = [['text'], ['text', 'image']]
    for (const [preset, model, known] of [
      ['deepseek', 'deepseek-flash', { contextWindow: 1_000_000, input: vision }],
      ['deepseek', 'deepseek-v4-pro', { contextWindow: 1_000_000, input: text }],
      ['groq', 'openai/gpt-oss-20b', { maxOutputTokens: 65_536, input: text }],
      ['xai', 'grok-4.7', { contextWindow: 500_000, input: vision }],
      ['mistral', 'mistral-large-latest', { input: [...vision, 'file'] }],
      ['together', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', { contextWindow: 131_072 }],
    ] as const)
      expect(await infoOf(preset, model), model).to.deep.include(known)
  })
})
