import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { PartialEvent } from '@braidwork/plugin'
import { checkPlugin, describeProvider } from '@braidwork/testing'
import type { ChatChunk } from './api.js'
import { eventsOf } from './events.js'
import { createProvider } from './index.js'
import { requestOf } from './request.js'

const HELLO: readonly ChatChunk[] = [
  { choices: [{ delta: { content: 'Hel' } }] },
  { choices: [{ delta: { content: 'lo.' }, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
]

function streamOf(chunks: readonly ChatChunk[], end = 'data: [DONE]\n\n'): string {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  return [...events, end].join('')
}

function answer(chunks: readonly ChatChunk[], end?: string): Response {
  return new Response(streamOf(chunks, end))
}

async function* each(chunks: readonly ChatChunk[]) {
  yield* chunks
}

async function faultWith(response: () => Response): Promise<string> {
  const results = await checkPlugin(createProvider(async () => response()))
  return results.map(({ fault }) => fault).join('\n')
}

// The folder of the package: the suite compares the plugin with its manifest, too.
describeProvider(join(import.meta.dirname, '..'), {
  // An API on this machine, which gives every request this answer.
  api: {
    config: (url) => ({ settings: { '{{name}}': { base_url: url } } }),
    whole: streamOf(HELLO),
  },
  // What the provider does not do yet.
  lacks: ['images'],
  runner: { describe, it, after },
})

describe('{{name}}', () => {
  it('reads a tool call that comes in pieces', async () => {
    const first = { index: 0, id: 'c1', function: { name: 'add', arguments: '{"a":' } }
    const second = { index: 0, function: { arguments: '1}' } }
    const events: PartialEvent[] = []
    for await (const event of eventsOf(
      each([
        { choices: [{ delta: { tool_calls: [first] } }] },
        { choices: [{ delta: { tool_calls: [second] }, finish_reason: 'tool_calls' }] },
      ]),
    )) {
      events.push(event)
    }
    assert.deepEqual(events, [
      { type: 'tool-call-start', id: 'c1', name: 'add' },
      { type: 'tool-call-delta', id: 'c1', delta: '{"a":' },
      { type: 'tool-call-delta', id: 'c1', delta: '1}' },
      { type: 'tool-call-end', id: 'c1', input: { a: 1 } },
      { type: 'metadata', metadata: { finishReason: 'tool-calls' } },
    ])
  })

  it('writes tools, calls and their results', () => {
    const call = { type: 'tool-call', callId: 'c1', name: 'add', input: { a: 1 } } as const
    const result = { type: 'tool-result', callId: 'c1', name: 'add', output: 2 } as const
    const parameters = { type: 'object' }
    const tool = { name: 'add', description: 'Adds one.', input_schema: parameters }
    const messages = [
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [result] },
    ] as const
    assert.deepEqual(requestOf(messages, 'm', [tool]), {
      model: 'm',
      stream: true,
      messages: [
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
          ],
        },
        { role: 'tool', content: '2', tool_call_id: 'c1' },
      ],
      tools: [
        { type: 'function', function: { name: 'add', description: 'Adds one.', parameters } },
      ],
    })
  })

  it('names the status of a refusal, and an answer that breaks off', async () => {
    const refused = await faultWith(() => new Response('no such key', { status: 401 }))
    assert.match(refused, /PROVIDER_UNAUTHORIZED: .*status 401: no such key/)
    assert.match(await faultWith(() => answer(HELLO, '')), /STREAM_INTERRUPTED/)
  })
})
