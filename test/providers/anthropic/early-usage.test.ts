import { expect } from 'chai'
import usageCost from '../../../extensions/usage-cost/index.ts'
import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { createHost, type StreamEvent } from '../../../src/core/index.ts'
import { configFor, NOWHERE, streamedEvents } from './asking.ts'

const START = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    content: [],
    usage: { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 },
  },
}
const SAID = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
]
const OVERLOADED = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
const END = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } },
  { type: 'message_stop' },
]

describe('the usage of an answer of Anthropic', () => {
  it('is there as reported when the answer fails', async () => {
    const { result } = await streamedEvents([START, ...SAID, OVERLOADED])
    expect(result.error).to.have.property('code', 'OVERLOADED')
    expect(result.usage).to.include({ input: 14, output: 1, cacheRead: 4 })
    expect(result.messages[0]?.metadata?.usage).to.include({ input: 14 })
  })

  it('is there when the answer is cancelled', async () => {
    const controller = new AbortController()
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      const lines = [START, ...SAID].map((event) => JSON.stringify(event))
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode(streamText('messages', lines)))
          init?.signal?.addEventListener('abort', () => stream.error(new Error('aborted')))
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const plugins = [createAnthropic({ fetch }), usageCost]
    await using host = await createHost({ plugins, config: { enabled_plugins: ['usage-cost'] } })
    const stream = host.stream(configFor(NOWHERE), 'Hello', { signal: controller.signal })
    for await (const event of stream) if (event.type === 'text-delta') controller.abort()
    const { error, usage, messages } = await stream.result
    expect(error).to.have.property('code', 'ABORTED')
    expect(usage).to.include({ input: 14, output: 1 })
    expect(messages[0]?.metadata).to.have.nested.property('cost.currency', 'USD')
  })

  it('is that of the end when the answer ends', async () => {
    const { events, result } = await streamedEvents([START, ...SAID, ...END])
    expect(result.usage).to.include({ input: 14, output: 20 })
    const told = events.filter(
      (event): event is Extract<StreamEvent, { type: 'metadata' }> => event.type === 'metadata',
    )
    expect(told.map(({ metadata }) => metadata.usage?.output)).to.deep.equal([1, 20])
  })
})
