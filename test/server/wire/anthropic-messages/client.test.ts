import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { expect } from 'chai'
import { isObject, type RunEvent } from '../../../../src/plugin/events/index.ts'
import { decodeAnthropicMessages } from '../../../../src/server/wire/anthropic-messages/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import { KEEP_ALIVE } from '../../../../src/server/wire/sse.ts'
import { textEvents } from '../../../helpers/hosts.ts'
import { ANTHROPIC_MESSAGES, answerOf, framesOf } from '../api-protocols.ts'
import { ApiServer } from '../api-server.ts'
import { readsEveryRun } from '../protocol-suites.ts'
import { factsOf, numbered, runOf } from '../runs.ts'

const ASKED = {
  model: 'published',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hello' }],
}
const LOOK = {
  name: 'look',
  description: 'Looks',
  input_schema: { type: 'object' as const, properties: {} },
}
const CALL = runOf([
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'hm' },
  {
    type: 'reasoning-end',
    id: 'r',
    providerMetadata: { anthropic: { block: { type: 'thinking', signature: 'sealed' } } },
  },
  { type: 'tool-call-start', id: 'c1', name: 'look' },
  { type: 'tool-call-delta', id: 'c1', delta: '{"at":1}' },
  { type: 'tool-call-end', id: 'c1', input: { at: 1 } },
])

/** Arguments that are cut off, or no JSON, in every state of their reader. */
const BROKEN = [
  '{"at":1,"text":"line 1\\nli',
  '{"at":1,"text":"line \\',
  '{"at":1,"text":"\\u00',
  '{"at":1,"te',
  '{"at":1,"text"',
  '{"at":1,"text":',
  '{"at":1,"text":"a"',
  '{"at":1,',
  '{"at":1',
  '{"at":[{"a":1},',
  '{"at":tru',
  '{"at": foo}',
  '{"at":1} and more',
  '{"at":1}{"at":2}',
  '{',
]

function callRun(pieces: readonly string[], input: unknown): readonly RunEvent[] {
  return runOf([
    { type: 'tool-call-start', id: 'c1', name: 'look' },
    ...pieces.map((delta) => ({ type: 'tool-call-delta' as const, id: 'c1', delta })),
    { type: 'tool-call-end', id: 'c1', input },
  ])
}

/** A call whose arguments come in two pieces and do not parse. */
function brokenRun(text: string): readonly RunEvent[] {
  return callRun([text.slice(0, 5), text.slice(5)].filter(Boolean), text)
}

describe("Anthropic's client at messages", () => {
  let server: ApiServer
  let client: Anthropic
  before(async () => {
    server = await new ApiServer().start()
    client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
  })
  after(async () => {
    await server.close()
  })

  /** Answers all requests with this run, as the client asked for it. */
  function serve(events: readonly RunEvent[], facts?: RunFacts): void {
    server.serve = ({ body }) => answerOf(ANTHROPIC_MESSAGES, body, events, facts)
  }

  it('reads a whole answer', async () => {
    serve(runOf(textEvents('Hello ', 'you')))
    const message = await client.messages.create(ASKED)
    expect(message.content).to.deep.equal([{ type: 'text', text: 'Hello you' }])
    expect(message.stop_reason).to.equal('end_turn')
    expect(message.usage).to.include({ input_tokens: 2, output_tokens: 2 })
  })

  it('reads a stream, and what keeps the connection open', async () => {
    const frames = framesOf(ANTHROPIC_MESSAGES, runOf(textEvents('a', 'b')))
    server.serve = () => frames.flatMap((frame) => [KEEP_ALIVE, frame])
    expect(await client.messages.stream(ASKED).finalText()).to.equal('ab')
  })

  it('sends its results, and thinking with its signature, back as they were', async () => {
    serve(CALL, factsOf('look'))
    const asked = { ...ASKED, tools: [LOOK] }
    const message = await client.messages.stream(asked).finalMessage()
    const result = { type: 'tool_result' as const, tool_use_id: 'c1', content: 'there' }
    await client.messages.create({
      ...asked,
      messages: [
        ...asked.messages,
        { role: 'assistant', content: message.content },
        {
          role: 'user',
          content: [
            { ...result, is_error: true },
            { type: 'text', text: 'So?' },
          ],
        },
      ],
    })
    const { messages } = decodeAnthropicMessages(server.calls.at(-1)?.body)
    expect(messages.slice(1)).to.deep.equal([
      {
        role: 'assistant',
        parts: [
          {
            type: 'reasoning',
            text: 'hm',
            providerMetadata: { anthropic: { block: { type: 'thinking', signature: 'sealed' } } },
          },
          { type: 'tool-call', callId: 'c1', name: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool-result', callId: 'c1', name: 'look', output: 'there', isError: true },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'So?' }] },
    ])
  })

  it('runs its own tools, with whole histories in place of a thread', async () => {
    server.serve = ({ body }) => {
      const isAnswered = JSON.stringify(body).includes('tool_result')
      const events = isAnswered ? runOf(textEvents('There.')) : CALL
      return answerOf(ANTHROPIC_MESSAGES, body, events, factsOf('look'))
    }
    const message = await client.beta.messages.toolRunner({
      ...ASKED,
      tools: [
        {
          ...LOOK,
          run: ({ at }: { at: number }) => `at ${at}`,
          parse: (given) => given as { at: number },
        },
      ],
    })
    expect(message.content).to.deep.include({ type: 'text', text: 'There.' })
    const last = decodeAnthropicMessages(server.calls.at(-1)?.body).messages
    expect(last.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool'])
  })

  it('is given arguments that are broken as the same call, streamed and at once', async () => {
    for (const text of BROKEN) {
      serve(brokenRun(text), factsOf('look'))
      const asked = { ...ASKED, tools: [LOOK] }
      const whole = await client.messages.create(asked)
      const streamed = await client.messages.stream(asked).finalMessage()
      expect(streamed.content).to.deep.equal(whole.content)
      const [block] = whole.content
      expect(block).to.deep.include({ input: { INVALID_JSON: text } })
    }
  })

  it('reads arguments as they come if it asks for that, and throws where they are broken', async () => {
    const asked = { ...ASKED, tools: [{ ...LOOK, eager_input_streaming: true }] }
    const pieces = ['{"at"', ':1', '}']
    serve(callRun(pieces, { at: 1 }), factsOf('look'))
    const read: string[] = []
    const stream = client.messages.stream(asked).on('inputJson', (piece) => read.push(piece))
    expect((await stream.finalMessage()).content[0]).to.deep.include({ input: { at: 1 } })
    expect(read).to.deep.equal(pieces)
    for (const text of BROKEN) {
      serve(brokenRun(text), factsOf('look'))
      const failed = client.messages.stream(asked).finalMessage()
      const outcome = await failed.then(JSON.stringify, (error: unknown) => error)
      expect(outcome, text).to.be.instanceOf(Error)
    }
  })

  it('throws an error of its own kind before the first byte', async () => {
    serve([])
    const wrong = { ...ASKED, messages: [] }
    const error = await client.messages.create(wrong).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(Anthropic.BadRequestError)
    expect((error as APIError).type).to.equal('invalid_request_error')
    expect((error as Error).message).to.include('messages: \\"messages\\" is empty')
  })

  it('throws an error after the first byte', async () => {
    serve(numbered([{ type: 'error', error: { code: 'OVERLOADED', message: 'hidden' } }]))
    const read = client.messages.stream(ASKED).finalMessage()
    const error = await read.catch((thrown: unknown) => thrown)
    expect((error as APIError).type).to.equal('overloaded_error')
    const whole = await client.messages.create(ASKED).catch((thrown: unknown) => thrown)
    expect((whole as APIError).status).to.equal(529)
  })

  readsEveryRun(
    {
      serve,
      text: () => client.messages.stream(ASKED).finalText(),
      whole: async () => essence(await client.messages.create(ASKED)),
      gathered: async () => essence(await client.messages.stream(ASKED).finalMessage()),
      read: async () => {
        const read = client.messages.stream(ASKED).finalMessage()
        const message = await read.catch((error: unknown) => error)
        return message instanceof APIError ? undefined : readIn(message as Anthropic.Message)
      },
    },
    4,
    (calls) => calls.map((call) => ({ ...call, input: asObject(call.input) })),
  )

  it('is understood: what it sends is decoded', async () => {
    serve(runOf(textEvents('ok')))
    await client.messages.create({
      ...ASKED,
      system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } },
          ],
        },
      ],
      tools: [LOOK, { type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 2000 },
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
    })
    expect(decodeAnthropicMessages(server.calls.at(-1)?.body)).to.deep.equal({
      agent: 'published',
      schemaPlace: '/output_config/format/schema',
      messages: [
        {
          role: 'system',
          parts: [
            {
              type: 'text',
              text: 'Be short.',
              providerMetadata: { anthropic: { cache_control: { type: 'ephemeral' } } },
            },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'file', mediaType: 'image/png', data: 'aGk=' },
            { type: 'file', mediaType: 'text/plain', data: 'aGk=' },
          ],
        },
      ],
      settings: {
        max_output_tokens: 100,
        stop: ['END'],
        tool_choice: 'required',
        parallel_tool_calls: false,
        reasoning_effort: 2000,
        response_format: { type: 'json-schema', schema: { type: 'object' } },
        user: 'u',
      },
      tools: [LOOK],
      isStreaming: false,
      approvals: [],
      eagerTools: [],
      thinking: 'whole',
      ignored: ['tools.web_search_20250305'],
    })
  })
})

/** What a message says; input tokens with those that were cached. */
function readIn({ content, usage }: Anthropic.Message) {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage
  const cached = (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)
  return {
    text: textIn(content),
    reasoning: thoughtIn(content),
    calls: callsIn(content),
    usage: { input: input_tokens + cached, output: usage.output_tokens },
  }
}

type Content = readonly Anthropic.ContentBlock[]

function textIn(content: Content): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

function thoughtIn(content: Content): string {
  return content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
}

/** Arguments that are none, as the only thing that the API has: an object. */
function asObject(input: unknown): unknown {
  return isObject(input) ? input : { INVALID_JSON: input }
}

function callsIn(content: Content) {
  return content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
  )
}

function essence({ id, model, content, stop_reason, usage }: Anthropic.Message) {
  const blocks = content.map((block) => {
    return block.type === 'text' ? { ...block, citations: block.citations ?? null } : block
  })
  return { id, model, blocks, stop_reason, usage }
}
