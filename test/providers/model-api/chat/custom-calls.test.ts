import { expect } from 'chai'
import { compatibleHost, configWith, sent, streamedChunks } from '../../openai-compatible/asking.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason }],
})
const call = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] })
const user = { role: 'user', parts: [{ type: 'text', text: 'Count' }] } as const
const CALL = { id: 'k', type: 'custom', custom: { name: 'code', input: '{"a": 1}' } }

describe('calls of custom tools in chat completions', () => {
  const whole = () =>
    sent({
      id: 'c',
      choices: [{ index: 0, finish_reason: 'tool_calls', message: { tool_calls: [CALL] } }],
    })

  it('have the name of the tool, and their input as the text that it is', async () => {
    const { messages, finishReason } = await whole()
    const [part] = messages[0]?.parts ?? []
    expect(part).to.deep.include({ callId: 'k', name: 'code', input: '{"a": 1}' })
    expect(finishReason).to.equal('tool-calls')
  })

  it('are the same when they are streamed', async () => {
    const { result, gathered } = await streamedChunks([
      call({ id: 'k', type: 'custom', custom: { name: 'code', input: '' } }),
      call({ custom: { input: '{"a":' } }),
      call({ custom: { input: ' 1}' } }),
      chunk({}, 'tool_calls'),
    ])
    expect(gathered).to.deep.equal(result.messages)
    expect(result.messages[0]?.parts).to.deep.equal((await whole()).messages[0]?.parts)
  })

  it('keep an input that looks whole before it is', async () => {
    const { result } = await streamedChunks([
      call({ id: 'k', type: 'custom', custom: { name: 'code', input: '{}' } }),
      call({ custom: { input: '{x}' } }),
      chunk({}, 'tool_calls'),
    ])
    expect(result.messages[0]?.parts[0]).to.include({ input: '{}{x}' })
  })

  const backTo = async (base_url: string) => {
    const { messages } = await whole()
    const host = await compatibleHost()
    const result = { type: 'tool-result', callId: 'k', name: 'code', output: '1' } as const
    const history = [user, ...messages, { role: 'tool', parts: [result] } as const]
    const { native } = await host.dryRun(configWith({ base_url }), history)
    return (native as { messages: readonly { tool_calls?: readonly object[] }[] }).messages[1]
  }

  it('come back to the server unchanged, and go to another one as calls of a function', async () => {
    const own = await backTo('https://nowhere.test/v1')
    expect(own?.tool_calls).to.deep.equal([CALL])
    const other = await backTo('https://other.test/v1')
    const written = JSON.stringify({ INVALID_JSON: '{"a": 1}' })
    expect(other?.tool_calls).to.deep.equal([
      { id: 'k', type: 'function', function: { name: 'code', arguments: written } },
    ])
  })
})
