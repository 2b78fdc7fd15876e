import { expect } from 'chai'
import OpenAI, { APIError } from 'openai'
import type { RunEvent } from '../../../../src/plugin/events/index.ts'
import { decodeChatCompletion } from '../../../../src/server/wire/chat-completions/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import { KEEP_ALIVE } from '../../../../src/server/wire/sse.ts'
import { textEvents } from '../../../helpers/hosts.ts'
import { answerOf, CHAT_COMPLETIONS, framesOf } from '../api-protocols.ts'
import { ApiServer } from '../api-server.ts'
import { readsEveryRun } from '../protocol-suites.ts'
import { argumentsOf } from '../recorded-answers.ts'
import { factsOf, numbered, runOf } from '../runs.ts'

const ASKED = { model: 'published', messages: [{ role: 'user' as const, content: 'Hello' }] }
const LOOK = {
  type: 'function' as const,
  function: { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } },
}
const CALL = runOf([
  { type: 'tool-call-start', id: 'c1', name: 'look' },
  { type: 'tool-call-delta', id: 'c1', delta: '{"at":1}' },
  { type: 'tool-call-end', id: 'c1', input: { at: 1 } },
])

describe("OpenAI's client at chat completions", () => {
  let server: ApiServer
  let client: OpenAI
  before(async () => {
    server = await new ApiServer().start()
    const options = { baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0 }
    client = new OpenAI(options)
  })
  after(async () => {
    await server.close()
  })

  /** Answers all requests with this run, as the client asked for it. */
  function serve(events: readonly RunEvent[], facts?: RunFacts): void {
    server.serve = ({ body }) => answerOf(CHAT_COMPLETIONS, body, events, facts)
  }

  it('reads a whole answer', async () => {
    serve(runOf(textEvents('Hello ', 'you')))
    const completion = await client.chat.completions.create(ASKED)
    expect(completion.choices[0]?.message.content).to.equal('Hello you')
    expect(completion.choices[0]?.finish_reason).to.equal('stop')
    expect(completion.usage?.total_tokens).to.equal(5)
  })

  it('reads a stream with usage', async () => {
    serve(runOf(textEvents('Hello ', 'you')))
    const options = { stream: true as const, stream_options: { include_usage: true } }
    const stream = await client.chat.completions.create({ ...ASKED, ...options })
    let text = ''
    let total: number | undefined
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      total = chunk.usage?.total_tokens ?? total
    }
    expect([text, total]).to.deep.equal(['Hello you', 5])
  })

  it('runs its own tools, and sends results back under the ids that it was given', async () => {
    const asked: string[] = []
    server.serve = ({ body }) => {
      const { messages } = decodeChatCompletion(body)
      const last = messages.at(-1)?.parts[0]
      const isAnswered = last?.type === 'tool-result'
      if (isAnswered) asked.push(`${last.callId} ${last.name} ${String(last.output)}`)
      const events = isAnswered ? runOf(textEvents('It is there.')) : CALL
      return answerOf(CHAT_COMPLETIONS, body, events, factsOf('look'))
    }
    const runner = client.chat.completions.runTools({
      ...ASKED,
      stream: true,
      tools: [
        {
          type: 'function',
          function: {
            name: 'look',
            description: 'Looks',
            parse: JSON.parse,
            parameters: { type: 'object', properties: {} },
            function: ({ at }: { at: number }) => `at ${at}`,
          },
        },
      ],
    })
    expect(await runner.finalContent()).to.equal('It is there.')
    expect(asked).to.deep.equal(['c1 look at 1'])
  })

  it('throws an error of its own kind before the first byte', async () => {
    serve([])
    const wrong = { ...ASKED, temperature: 7 }
    const error = await client.chat.completions.create(wrong).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(OpenAI.BadRequestError)
    const { status, param, code, type } = error as APIError
    expect({ status, param, code, type }).to.deep.equal({
      status: 400,
      param: 'temperature',
      code: 'request_invalid',
      type: 'invalid_request_error',
    })
  })

  it('throws an error after the first byte', async () => {
    const failed = [{ type: 'error' as const, error: { code: 'OVERLOADED', message: 'hidden' } }]
    serve(numbered(failed))
    const read = client.chat.completions.stream(ASKED).finalChatCompletion()
    const error = await read.catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(APIError)
    expect((error as APIError).message).to.equal('The model API is overloaded.')
    const whole = await client.chat.completions.create(ASKED).catch((thrown: unknown) => thrown)
    expect((whole as APIError).status).to.equal(529)
  })

  it('reads past what keeps the connection open', async () => {
    const frames = framesOf(CHAT_COMPLETIONS, runOf(textEvents('a', 'b')))
    server.serve = () => frames.flatMap((frame) => [KEEP_ALIVE, frame])
    const stream = client.chat.completions.stream(ASKED)
    expect(await stream.finalContent()).to.equal('ab')
  })

  readsEveryRun(
    {
      serve,
      text: async () => String(await client.chat.completions.stream(ASKED).finalContent()),
      whole: async () => essence(await client.chat.completions.create(ASKED)),
      gathered: async () =>
        essence(await client.chat.completions.stream(ASKED).finalChatCompletion()),
      read: async () => {
        const options = { stream_options: { include_usage: true } }
        const stream = client.chat.completions.stream({ ...ASKED, ...options })
        let reasoning = ''
        stream.on('chunk', ({ choices }) => {
          const delta = choices[0]?.delta as { reasoning_content?: string } | undefined
          reasoning += delta?.reasoning_content ?? ''
        })
        const read = await stream.finalChatCompletion().catch((error: unknown) => error)
        if (read instanceof APIError) return undefined
        return { ...readIn(read as OpenAI.Chat.ChatCompletion), reasoning }
      },
    },
    0,
  )

  it('is understood: what it sends is decoded', async () => {
    serve(runOf(textEvents('ok')))
    await client.chat.completions.create({
      ...ASKED,
      messages: [
        { role: 'developer', content: 'Be short.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          ],
        },
      ],
      tools: [LOOK],
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_completion_tokens: 100,
      reasoning_effort: 'low',
      stop: ['END'],
      logit_bias: { '1': 2 },
    })
    const decoded = decodeChatCompletion(server.calls.at(-1)?.body)
    expect(decoded).to.deep.equal({
      agent: 'published',
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', mediaType: 'image/png', data: 'aGk=' },
          ],
        },
      ],
      settings: {
        max_output_tokens: 100,
        stop: ['END'],
        tool_choice: 'required',
        parallel_tool_calls: false,
        reasoning_effort: 'low',
        logit_bias: { '1': 2 },
      },
      tools: [
        {
          name: 'look',
          description: 'Looks',
          input_schema: { type: 'object', properties: {} },
        },
      ],
      isStreaming: false,
      approvals: [],
      includesUsage: false,
      store: false,
      ignored: [],
    })
  })
})

function readIn({ choices, usage }: OpenAI.Chat.ChatCompletion) {
  const { message } = choices[0]!
  return {
    text: `${message.content ?? ''}${message.refusal ?? ''}`,
    calls: callsOf(message),
    usage: { input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 },
  }
}

function callsOf({ tool_calls: calls = [] }: OpenAI.Chat.ChatCompletionMessage) {
  return calls.flatMap((call) =>
    call.type === 'function'
      ? [{ id: call.id, name: call.function.name, input: argumentsOf(call.function.arguments) }]
      : [],
  )
}

function essence({ choices, ...head }: OpenAI.Chat.ChatCompletion) {
  const { message, finish_reason } = choices[0]!
  const { id, created, model } = head
  const { content, refusal, annotations } = message
  const calls = callsOf(message)
  return { id, created, model, content: content ?? '', refusal, annotations, finish_reason, calls }
}
