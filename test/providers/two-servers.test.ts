import { expect } from 'chai'
import { createAnthropic } from '../../providers/anthropic/index.ts'
import { createOpenAI } from '../../providers/openai/index.ts'
import { type ConfigLayer, createHost, type Message } from '../../src/core/index.ts'

const hello: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] }

interface Case {
  readonly provider: 'anthropic' | 'openai'
  /** The address of the API itself, and the same in another spelling. */
  readonly own: readonly [string, string]
  readonly answer: object
  readonly make: (options: { fetch: typeof globalThis.fetch }) => ReturnType<typeof createAnthropic>
}

const CASES: readonly Case[] = [
  {
    provider: 'anthropic',
    own: ['https://api.anthropic.com', 'https://api.anthropic.com/v1/'],
    answer: {
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'SECRET' },
        { type: 'redacted_thinking', data: 'SECRET' },
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 's1',
          content: [
            { type: 'web_search_result', url: 'https://a.test/', encrypted_content: 'SECRET' },
          ],
        },
        { type: 'text', text: 'Hi' },
      ],
      container: { id: 'SECRET', expires_at: '2999-01-01T00:00:00Z' },
      stop_reason: 'end_turn',
    },
    make: createAnthropic,
  },
  {
    provider: 'openai',
    own: ['https://api.openai.com/v1', 'https://api.openai.com/v1/'],
    answer: {
      status: 'completed',
      output: [
        { type: 'reasoning', id: 'SECRET', summary: [], encrypted_content: 'SECRET' },
        {
          type: 'message',
          id: 'SECRET',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
        },
      ],
    },
    make: createOpenAI,
  },
]

describe('a conversation that goes on at another server of the same API', () => {
  for (const { provider, own, answer, make } of CASES) {
    /** Asks one server and then another. Returns the second request. */
    const secondRequest = async (
      first: string | undefined,
      second: string | undefined,
      change = (message: Message): Message => message,
    ): Promise<string> => {
      const bodies: string[] = []
      const fetch: typeof globalThis.fetch = async (_input, init) => {
        bodies.push(String(init?.body))
        return Response.json(answer)
      }
      await using host = await createHost({ plugins: [make({ fetch })] })
      const at = (base_url: string | undefined): ConfigLayer => ({
        provider,
        settings: { [provider]: { api_key: 'k-1234567890', ...(base_url ? { base_url } : {}) } },
      })
      const { messages } = await host.send(at(first), [hello])
      await host.send(at(second), [hello, ...messages.map(change), hello])
      return bodies.at(-1) ?? ''
    }

    for (const [from, to] of [
      [undefined, 'https://b.test'],
      ['https://a.test', 'https://b.test'],
      ['https://a.test', undefined],
    ] as const) {
      it(`tells ${provider} at ${to ?? 'its own address'} nothing private of ${from ?? 'that'}`, async () => {
        const sent = await secondRequest(from, to)
        expect(sent).to.include('Hi').and.not.include('SECRET')
      })
    }

    for (const [from, to] of [
      [undefined, own[0]],
      own,
      ['https://a.test', 'https://a.test/'],
    ] as const) {
      it(`is the same for ${provider} at ${from ?? 'its own address'} and ${to}`, async () => {
        expect(await secondRequest(from, to)).to.include('SECRET')
      })
    }

    it(`is as before for answers of ${provider} that do not name their server`, async () => {
      const older = ({ metadata, parts, ...message }: Message): Message => ({
        ...message,
        parts: parts.map((part) => {
          const facts = part.providerMetadata?.[provider] as object | undefined
          if (!facts) return part
          const { server: _, ...rest } = { server: undefined, ...facts }
          return { ...part, providerMetadata: { [provider]: rest } }
        }),
      })
      expect(await secondRequest('https://a.test', 'https://b.test', older)).to.include('SECRET')
    })
  }

  it('gives a server that signs no thinking its thinking back', async () => {
    const bodies: { messages: { content: object[] }[] }[] = []
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      bodies.push(JSON.parse(String(init?.body)))
      const content = [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: 'Hi' },
      ]
      return Response.json({ content, stop_reason: 'end_turn' })
    }
    await using host = await createHost({ plugins: [createAnthropic({ fetch })] })
    const config = {
      provider: 'anthropic',
      model: 'other-1',
      settings: { anthropic: { base_url: 'https://a.test/anthropic', models: ['other-1'] } },
    }
    const { messages } = await host.send(config, [hello])
    await host.send(config, [hello, ...messages, hello])
    expect(bodies[1]?.messages[1]?.content).to.deep.equal([
      { type: 'thinking', signature: '', thinking: 'Hm' },
      { type: 'text', text: 'Hi' },
    ])
  })
})
