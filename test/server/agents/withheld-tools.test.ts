import { expect } from 'chai'
import type { AgentSpec, ModelSpec } from '../../../src/agent/index.ts'
import { AgentServer } from './agent-server.ts'

const AGENT: AgentSpec = {
  id: 'a',
  description: 'Calculates.',
  model_id: 'small',
  allowed_tools: ['calculate', 'mine'],
}
const MODEL: ModelSpec = {
  id: 'small',
  provider_id: 'scripted',
  upstream_model: 'scripted-1',
  context_window: 4321,
}
const parameters = { type: 'object' }
const called = (name: string) => ({ type: 'function', function: { name, parameters } })
const responded = (name: string) => ({ type: 'function', name, parameters })
const messages = [{ role: 'user', content: 'go' }]
/** A call that the client is to answer, on each wire. */
const CALL = /"tool_calls":|"type":"(?:function_call|tool_use)"/
const NAMES = ['mine', 'forbidden']

/** A request with two tools of the client on each wire whose answers list the calls that the client makes. */
const REQUESTS: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { model: 'a', messages, tools: NAMES.map(called) }],
  ['/v1/chat/completions', { model: 'a', messages, tools: NAMES.map(called), stream: true }],
  ['/v1/responses', { model: 'a', input: 'go', tools: NAMES.map(responded) }],
  [
    '/v1/messages',
    {
      model: 'a',
      messages,
      max_tokens: 99,
      tools: NAMES.map((name) => ({ name, input_schema: parameters })),
    },
  ],
]

/** The answer of an agent whose model first calls a tool of the client. */
async function answerTo(tool: string, [path, body]: (typeof REQUESTS)[number]): Promise<string> {
  const script = [
    { when: { step: 1 }, then: { tool_calls: [{ name: tool, input: {} }] } },
    { then: { text: 'Done.' } },
  ]
  const settings = { scripted: { script, delay_ms: 0 } }
  const server = await AgentServer.start([AGENT], {
    models: [MODEL],
    own: { config: { provider: 'scripted', settings } },
  })
  try {
    const { status, text } = await server.served.ask(path, { body })
    expect(status, text).to.equal(200)
    return text
  } finally {
    await server.close()
  }
}

describe('a call of a tool of the client that the catalog leaves out', () => {
  for (const request of REQUESTS) {
    const [path, body] = request
    it(`is no call for the client of ${path}${'stream' in body ? ', streamed' : ''}`, async () => {
      expect(await answerTo('forbidden', request))
        .to.include('Done.')
        .and.not.match(CALL)
      expect(await answerTo('mine', request))
        .to.match(CALL)
        .and.not.include('Done.')
    })
  }
})

const names = (name: string) => ({ type: 'function', function: { name } })
/** Choices of the tool that is left out, on each wire. */
const FORCED: readonly (readonly [about: string, path: string, body: object])[] = [
  [
    'names it',
    '/v1/chat/completions',
    { messages, tools: [called('forbidden')], tool_choice: names('forbidden') },
  ],
  [
    'names it in a stream',
    '/v1/chat/completions',
    { messages, stream: true, tools: NAMES.map(called), tool_choice: names('forbidden') },
  ],
  [
    'requires one',
    '/v1/chat/completions',
    { messages, tools: [called('forbidden')], tool_choice: 'required' },
  ],
  [
    'allows only it',
    '/v1/chat/completions',
    {
      messages,
      tools: NAMES.map(called),
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [names('forbidden')] },
      },
    },
  ],
  [
    'names it',
    '/v1/responses',
    {
      input: 'go',
      tools: NAMES.map(responded),
      tool_choice: { type: 'function', name: 'forbidden' },
    },
  ],
  [
    'requires one',
    '/v1/responses',
    { input: 'go', tools: [responded('forbidden')], tool_choice: 'required' },
  ],
  [
    'names it',
    '/v1/messages',
    {
      messages,
      max_tokens: 99,
      tools: NAMES.map((name) => ({ name, input_schema: parameters })),
      tool_choice: { type: 'tool', name: 'forbidden' },
    },
  ],
  [
    'requires one',
    '/v1/messages',
    {
      messages,
      max_tokens: 99,
      tools: [{ name: 'forbidden', input_schema: parameters }],
      tool_choice: { type: 'any' },
    },
  ],
]

describe('a tool choice of a tool that the catalog leaves out', () => {
  for (const [about, path, body] of FORCED) {
    it(`is refused before the model is asked: ${path} ${about}`, async () => {
      const server = await AgentServer.start([AGENT], { models: [MODEL] })
      try {
        const asked = { body: { model: 'a', ...body } }
        const { status, text } = await server.served.ask(path, asked)
        expect(status, text).to.equal(400)
        expect(text).to.include('tool_choice').and.include('the catalog of the agent')
        expect(text).to.include('forbidden')
        expect(server.sent).to.deep.equal([])
      } finally {
        await server.close()
      }
    })
  }

  it('is no fault where another tool of the client may be called', async () => {
    const server = await AgentServer.start([AGENT], { models: [MODEL] })
    try {
      const body = { model: 'a', messages, tools: NAMES.map(called), tool_choice: 'required' }
      const { status, text } = await server.served.ask('/v1/chat/completions', { body })
      expect(status, text).to.equal(200)
    } finally {
      await server.close()
    }
  })
})
