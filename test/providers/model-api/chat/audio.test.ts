import { expect } from 'chai'
import type { Message } from '../../../../src/core/index.ts'
import { compatibleHost, configWith, sent, streamedChunks } from '../../openai-compatible/asking.ts'

const base_url = 'https://nowhere.test/v1'
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason }],
})
const user = { role: 'user', parts: [{ type: 'text', text: 'Speak' }] } as const

describe('spoken answers of chat completions', () => {
  const answer = (audio: object) => ({
    id: 'c',
    choices: [{ index: 0, finish_reason: 'stop', message: { content: null, audio } }],
  })
  const later = 4_000_000_000

  it('have the transcript as text, and the audio as a file', async () => {
    const audio = { id: 'audio_1', expires_at: later, data: 'UklGRgAA', transcript: 'Hello' }
    const { messages, finishReason } = await sent(answer(audio))
    const [text] = messages[0]?.parts ?? []
    const { providerMetadata } = text ?? {}
    expect(providerMetadata?.['openai-compatible']).to.deep.include({
      audio: { id: 'audio_1', expires_at: later },
    })
    expect(messages[0]?.parts).to.deep.equal([
      { type: 'text', text: 'Hello', providerMetadata },
      { type: 'file', mediaType: 'audio/wav', data: 'UklGRgAA', providerMetadata },
    ])
    expect(finishReason).to.equal('stop')
  })

  for (const [data, mediaType] of [
    ['SUQzBAAA', 'audio/mpeg'],
    ['//uQZAAA', 'audio/mpeg'],
    ['ZkxhQwAA', 'audio/flac'],
    ['T2dnUwAA', 'audio/ogg'],
    ['////AAAA', 'audio/pcm'],
  ] as const) {
    it(`have the type ${mediaType} for data that begins with ${data.slice(0, 4)}`, async () => {
      const { messages } = await sent(answer({ data }))
      expect(messages[0]?.parts[0]).to.include({ type: 'file', mediaType, data })
    })
  }

  it('are streamed in pieces, each encoded by itself', async () => {
    const { result, gathered } = await streamedChunks([
      chunk({ role: 'assistant', audio: { id: 'audio_1', transcript: 'Hel' } }),
      chunk({ audio: { data: 'AA==' } }),
      chunk({ audio: { transcript: 'lo', data: 'AQI=' } }),
      chunk({ audio: { expires_at: later } }),
      chunk({}, 'stop'),
    ])
    const [text, file] = result.messages[0]?.parts ?? []
    expect(gathered).to.deep.equal(result.messages)
    expect(text).to.include({ type: 'text', text: 'Hello' })
    expect(file).to.include({ type: 'file', mediaType: 'audio/pcm', data: 'AAEC' })
    expect(result.finishReason).to.equal('stop')
  })

  const backFrom = async (expires_at: number) => {
    const audio = { id: 'audio_1', expires_at, data: 'AAAA', transcript: 'Hello' }
    const { messages } = await sent(answer(audio))
    const host = await compatibleHost()
    const history: readonly Message[] = [user, ...messages, user]
    const config = configWith({ base_url, input: ['text'] })
    const { native } = await host.dryRun(config, history)
    return (native as { messages: readonly object[] }).messages[1]
  }

  it('come back by their name while the server has them, and then as text', async () => {
    const named = { role: 'assistant', content: null, audio: { id: 'audio_1' } }
    expect(await backFrom(later)).to.deep.equal(named)
    expect(await backFrom(1)).to.deep.equal({ role: 'assistant', content: 'Hello' })
  })
})
