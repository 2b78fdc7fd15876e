import { expect } from 'chai'
import fc from 'fast-check'
import OpenAI, { APIError } from 'openai'
import type { RunEvent } from '../../../src/events/index.ts'
import {
  ChatCompletionChecker,
  chatCompletionAnswer,
  chatCompletionEncoder,
  decodeChatCompletion,
} from '../../../src/wire/chat-completions/index.ts'
import { openAIErrorAnswer } from '../../../src/wire/openai-error.ts'
import type { RunFacts } from '../../../src/wire/protocol.ts'
import { publicError } from '../../../src/wire/public-error.ts'
import { KEEP_ALIVE } from '../../../src/wire/sse.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { hasShared, SHARED_IS_MISSING } from '../../helpers/recordings.ts'
import { ApiServer } from '../api-server.ts'
import { argumentsOf, RecordedAnswers, recordedStreams } from '../recorded-answers.ts'
import { anyTexts, factsOf, numbered, runOf, soundRun } from '../runs.ts'

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
  function serve(events: readonly RunEvent[], facts: RunFacts = factsOf()): void {
    server.serve = ({ body }) => answer(body, events, facts)
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
      if (last?.type !== 'tool-result') return answer(body, CALL, factsOf('look'))
      asked.push(`${last.callId} ${last.name} ${String(last.output)}`)
      return answer(body, runOf(textEvents('It is there.')), factsOf('look'))
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
    server.serve = ({ body }) => answer(body, [], factsOf())
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
    const frames = framesOf(runOf(textEvents('a', 'b')), factsOf())
    server.serve = () => frames.flatMap((frame) => [KEEP_ALIVE, frame])
    const stream = client.chat.completions.stream(ASKED)
    expect(await stream.finalContent()).to.equal('ab')
  })

  it('reads any text as it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyTexts, async (texts) => {
        serve(runOf(textEvents(...texts)))
        expect(await client.chat.completions.stream(ASKED).finalContent()).to.equal(texts.join(''))
      }),
      { numRuns: 30 },
    )
  })

  it('gathers from a stream what the whole answer says', async () => {
    const facts = factsOf('run')
    await fc.assert(
      fc.asyncProperty(soundRun, async (events) => {
        serve(events, facts)
        const whole = await client.chat.completions.create(ASKED)
        const gathered = await client.chat.completions.stream(ASKED).finalChatCompletion()
        expect(essence(gathered)).to.deep.equal(essence(whole))
      }),
      { numRuns: 60 },
    )
  })

  it('has the recordings of others to read', function () {
    if (hasShared) return
    this.test!.title += SHARED_IS_MISSING
    this.skip()
  })

  describe('of recorded answers', () => {
    let recordings: RecordedAnswers
    before(async () => {
      recordings = await RecordedAnswers.start()
    })
    after(async () => {
      await recordings.close()
    })

    for (const subject of recordedStreams()) {
      it(`reads ${subject.recording.name}`, async () => {
        const recorded = await recordings.run(subject)
        serve(recorded.events, recorded.facts)
        const reasoning: string[] = []
        const stream = client.chat.completions.stream({
          ...ASKED,
          stream_options: { include_usage: true },
        })
        stream.on('chunk', ({ choices }) => {
          const delta = choices[0]?.delta as { reasoning_content?: string } | undefined
          if (delta?.reasoning_content) reasoning.push(delta.reasoning_content)
        })
        const completion = await stream.finalChatCompletion().catch((error: unknown) => error)
        if (recorded.isFailed) {
          expect(completion).to.be.instanceOf(APIError)
          return
        }
        const { choices, usage } = completion as OpenAI.Chat.ChatCompletion
        const { message } = choices[0]!
        expect(message.content ?? '').to.equal(recorded.text)
        expect(reasoning.join('')).to.equal(recorded.reasoning)
        expect(callsOf(message)).to.deep.equal(recorded.calls)
        expect(usage?.prompt_tokens).to.equal(recorded.usage.input ?? 0)
        expect(usage?.completion_tokens).to.equal(recorded.usage.output ?? 0)
      })
    }
  })

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
      model: 'published',
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
      ignored: ['logit_bias'],
    })
  })
})

function framesOf(events: readonly RunEvent[], facts: RunFacts, includesUsage = false): string[] {
  const encoder = chatCompletionEncoder(facts, { includesUsage })
  const checker = new ChatCompletionChecker()
  const frames = events.map((event) => encoder.encode(event))
  for (const frame of frames) checker.check(frame)
  checker.end()
  return frames
}

function answer(body: unknown, events: readonly RunEvent[], facts: RunFacts) {
  try {
    const { isStreaming, includesUsage } = decodeChatCompletion(body)
    if (isStreaming) return framesOf(events, facts, includesUsage)
    const whole = chatCompletionAnswer(facts)
    for (const event of events) whole.add(event)
    return whole.answer()
  } catch (error) {
    return openAIErrorAnswer(publicError(error as Parameters<typeof publicError>[0]))
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
  const { content, annotations } = message
  const calls = callsOf(message)
  return { id, created, model, content: content ?? '', annotations, finish_reason, calls }
}
