import { expect } from 'chai'
import OpenAI, { type APIError } from 'openai'
import type { RunEvent } from '../../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import {
  decodeResponses,
  responseInProgress,
  responsesAnswer,
  responsesEncoder,
} from '../../../../src/server/wire/responses/index.ts'
import { KEEP_ALIVE } from '../../../../src/server/wire/sse.ts'
import { textEvents } from '../../../helpers/hosts.ts'
import { answerOf, framesOf, RESPONSES } from '../api-protocols.ts'
import { ApiServer } from '../api-server.ts'
import { CLASSES, callStates, MADE, STORED } from '../call-states.ts'
import { readsEveryRun } from '../protocol-suites.ts'
import { argumentsOf } from '../recorded-answers.ts'
import { factsOf, numbered, runOf } from '../runs.ts'

const ASKED = { model: 'published', input: 'Hello' }
const LOOK = {
  type: 'function' as const,
  name: 'look',
  description: 'Looks',
  parameters: { type: 'object', properties: {} },
  strict: null,
}
const SEALED = { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed' }
const CALL = runOf([
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'hm' },
  { type: 'reasoning-end', id: 'r', providerMetadata: { openai: { item: SEALED } } },
  ...textEvents('I look.'),
  { type: 'tool-call-start', id: 'c1', name: 'look' },
  { type: 'tool-call-delta', id: 'c1', delta: '{"at":1}' },
  { type: 'tool-call-end', id: 'c1', input: { at: 1 } },
])

describe("OpenAI's client at responses", () => {
  let server: ApiServer
  let client: OpenAI
  before(async () => {
    server = await new ApiServer().start()
    client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0 })
  })
  after(async () => {
    await server.close()
  })

  /** Answers all requests with this run, as the client asked for it. */
  function serve(events: readonly RunEvent[], facts?: RunFacts): void {
    server.serve = ({ body }) => answerOf(RESPONSES, body, events, facts)
  }

  it('reads a whole answer', async () => {
    serve(runOf(textEvents('Hello ', 'you')))
    const response = await client.responses.create(ASKED)
    expect(response.output_text).to.equal('Hello you')
    expect(response.status).to.equal('completed')
    expect(response.usage?.total_tokens).to.equal(5)
  })

  it('reads a stream, and what keeps the connection open', async () => {
    const frames = framesOf(RESPONSES, runOf(textEvents('a', 'b')))
    server.serve = () => frames.flatMap((frame) => [KEEP_ALIVE, frame])
    const response = await client.responses.stream(ASKED).finalResponse()
    expect(response.output_text).to.equal('ab')
  })

  it('sends what it was given back with the result of its call', async () => {
    serve(CALL, factsOf('look'))
    const response = await client.responses.stream({ ...ASKED, tools: [LOOK] }).finalResponse()
    await client.responses.create({
      ...ASKED,
      input: [
        { role: 'user', content: 'Hello' },
        ...(response.output as OpenAI.Responses.ResponseInputItem[]),
        { type: 'function_call_output', call_id: 'c1', output: 'there' },
      ],
    })
    const { messages } = decodeResponses(server.calls.at(-1)?.body)
    expect(messages).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
      {
        role: 'assistant',
        parts: [
          {
            type: 'reasoning',
            text: 'hm',
            providerMetadata: {
              openai: { item: SEALED, list: 'summary', content: { type: 'summary_text' } },
            },
          },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', callId: 'c1', name: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'c1', name: 'look', output: 'there' }],
      },
    ])
  })

  it('gets encrypted reasoning of all models if it asks for it, which no model API gets back', async () => {
    const events = runOf([
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r' },
      ...textEvents('Hello'),
    ])
    server.serve = ({ body }) => {
      const { isStreaming, sealsReasoning } = decodeResponses(body)
      const about = { sealsReasoning }
      const encoder = responsesEncoder(factsOf(), { about })
      if (isStreaming) return events.map((event) => encoder.encode(event))
      const whole = responsesAnswer(factsOf(), { about })
      for (const event of events) whole.add(event)
      return whole.answer()
    }
    const include = ['reasoning.encrypted_content' as const]
    const { output } = await client.responses.create({ ...ASKED, include })
    expect(output[0]).to.include({ type: 'reasoning', encrypted_content: 'braidwork' })
    const streamed = await client.responses.stream({ ...ASKED, include }).finalResponse()
    expect(streamed.output[0]).to.deep.equal(output[0])
    const { output: bare } = await client.responses.create(ASKED)
    expect(bare[0]).to.not.have.property('encrypted_content')
    await client.responses.create({ ...ASKED, input: output as OpenAI.Responses.ResponseInput })
    const { messages } = decodeResponses(server.calls.at(-1)?.body)
    expect(messages[0]?.parts[0]).to.deep.equal({ type: 'reasoning', text: 'hm' })
  })

  it('resumes a stream behind the last event that it has', async () => {
    const events = runOf(textEvents('a', 'b', 'c'))
    server.serve = ({ path }) => {
      const after = new URL(path, server.url).searchParams.get('starting_after')
      const options = after === null ? {} : { startingAfter: Number(after) }
      const encoder = responsesEncoder(factsOf(), options)
      return events.map((event) => encoder.encode(event))
    }
    const seen: number[] = []
    const resumed = await client.responses.retrieve('resp_run-1', {
      stream: true,
      starting_after: 4,
    })
    for await (const event of resumed) seen.push(event.sequence_number)
    expect(seen).to.deep.equal([5, 6, 7, 8, 9, 10])
    const stream = client.responses.stream({ response_id: 'resp_run-1', starting_after: 4 })
    expect((await stream.finalResponse()).output_text).to.equal('abc')
  })

  it('reads a response that is on its way, and one that failed, by its id', async () => {
    server.serve = () => responseInProgress(factsOf(), { background: true })
    expect((await client.responses.retrieve('resp_run-1')).status).to.equal('in_progress')
    const whole = responsesAnswer(factsOf(), { isRetrieved: true })
    whole.add(numbered([{ type: 'error', error: { code: 'TIMEOUT', message: 'hidden' } }])[0]!)
    server.serve = () => whole.answer()
    const failed = await client.responses.retrieve('resp_run-1')
    expect([failed.status, failed.error?.message]).to.deep.equal([
      'failed',
      'The run took too long.',
    ])
  })

  it('LT-05 LT-09 reads the calls of the host as items, with status and error, whole and as a stream', async () => {
    const { events } = await callStates()
    serve(events)
    const whole = await client.responses.create(ASKED)
    const stream = client.responses.stream(ASKED)
    const types: string[] = []
    for await (const { type } of stream) types.push(type)
    const streamed = await stream.finalResponse()
    const items = whole.output.filter((item) => item.type === 'mcp_call')
    expect(streamed.output.filter(({ type }) => type === 'mcp_call')).to.deep.equal(items)
    expect(items.map(({ name }) => name)).to.have.members(Object.keys(CLASSES))
    for (const item of items) {
      const { name, status, output, error } = item
      const { braidwork } = item as { readonly braidwork?: { readonly error?: { class?: string } } }
      const isFailed = CLASSES[name] !== undefined
      expect(braidwork?.error?.class, name).to.equal(CLASSES[name])
      // A client for xAI knows no null in their place.
      expect([status, typeof output, typeof error], name).to.deep.equal(
        isFailed ? ['failed', 'undefined', 'string'] : ['completed', 'string', 'undefined'],
      )
    }
    expect(items.find(({ name }) => name === 'large')).to.deep.include({
      server_label: 'braidwork',
      arguments: '{}',
      braidwork: { references: [STORED] },
    })
    expect(items.find(({ name }) => name === 'made')).to.deep.include({ braidwork: MADE })
    const ends = types.filter((type) => /^response.mcp_call.(completed|failed)$/.test(type))
    expect(ends).to.have.length(items.length)
  })

  it('throws an error of its own kind before the first byte', async () => {
    serve([])
    const wrong = { ...ASKED, input: [] }
    const error = await client.responses.create(wrong).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(OpenAI.BadRequestError)
    expect((error as APIError).param).to.equal('input')
  })

  it('is told of an error after the first byte by a response that failed', async () => {
    serve(numbered([{ type: 'error', error: { code: 'OVERLOADED', message: 'hidden' } }]))
    const response = await client.responses.stream(ASKED).finalResponse()
    expect(response.error?.message).to.equal('The model API is overloaded.')
    const whole = await client.responses.create(ASKED).catch((thrown: unknown) => thrown)
    expect((whole as APIError).status).to.equal(529)
  })

  readsEveryRun(
    {
      serve,
      text: async () => (await client.responses.stream(ASKED).finalResponse()).output_text,
      whole: async () => essence(await client.responses.create(ASKED)),
      gathered: async () => essence(await client.responses.stream(ASKED).finalResponse()),
      read: async () => {
        const response = await client.responses.stream(ASKED).finalResponse()
        return response.status === 'failed' ? undefined : readIn(response)
      },
    },
    2,
  )

  it('is understood: what it sends is decoded', async () => {
    serve(runOf(textEvents('ok')))
    await client.responses.create({
      ...ASKED,
      instructions: 'Be short.',
      input: [
        { role: 'developer', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,aGk=' },
          ],
        },
        {
          type: 'web_search_call',
          id: 'ws',
          status: 'completed',
          action: { type: 'open_page', url: 'https://a.test/' },
        },
        { type: 'function_call_output', call_id: 'earlier', output: 'there' },
      ],
      previous_response_id: 'resp_0',
      conversation: { id: 'conversation-1' },
      tools: [LOOK, { type: 'web_search' }],
      tool_choice: { type: 'function', name: 'look' },
      text: {
        format: { type: 'json_schema', name: 'n', schema: { type: 'object' } },
        verbosity: 'low',
      },
      reasoning: { effort: 'low', summary: 'auto' },
      max_output_tokens: 100,
      store: true,
      background: true,
      metadata: { a: 'b' },
      include: ['reasoning.encrypted_content'],
    })
    const { strict: _, parameters: input_schema, type: __, ...look } = LOOK
    expect(decodeResponses(server.calls.at(-1)?.body)).to.deep.equal({
      agent: 'published',
      conversationId: 'conversation-1',
      previousResponseId: 'resp_0',
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] },
        { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', mediaType: 'image/png', data: 'aGk=' },
          ],
        },
        {
          role: 'tool',
          parts: [{ type: 'tool-result', callId: 'earlier', name: '', output: 'there' }],
        },
      ],
      settings: {
        max_output_tokens: 100,
        tool_choice: { tool: 'look' },
        reasoning_effort: 'low',
        response_format: { type: 'json-schema', name: 'n', schema: { type: 'object' } },
        reasoning_summary: 'auto',
        sealed_reasoning: true,
      },
      schemaPlace: '/text/format/schema',
      tools: [{ ...look, input_schema }],
      isStreaming: false,
      approvals: [],
      store: true,
      background: true,
      sealsReasoning: true,
      repeated: {
        instructions: 'Be short.',
        max_output_tokens: 100,
        reasoning: { effort: 'low', summary: 'auto' },
        text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } },
        tool_choice: { type: 'function', name: 'look' },
        tools: [LOOK],
      },
      metadata: { a: 'b' },
      ignored: ['text.verbosity', 'tools.web_search', 'input.web_search_call'],
    })
  })
})

function readIn({ output, usage }: OpenAI.Responses.Response) {
  return {
    text: saidIn(output),
    reasoning: thoughtIn(output),
    calls: callsIn(output),
    usage: { input: usage?.input_tokens ?? 0, output: usage?.output_tokens ?? 0 },
  }
}

type Output = readonly OpenAI.Responses.ResponseOutputItem[]

function saidIn(output: Output): string {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  return parts.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join('')
}

function thoughtIn(output: Output): string {
  return output
    .flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : []))
    .join('')
}

function callsIn(output: Output) {
  return output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name, input: argumentsOf(item.arguments) }]
      : [],
  )
}

/** All of a response, but for what the client adds, and for white space in arguments. */
function essence({ output_text: _, output, ...head }: OpenAI.Responses.Response) {
  const items = output.map((item) => {
    if (item.type === 'message') {
      const content = item.content.map((part) => ({ ...part, parsed: undefined }))
      return { ...item, content }
    }
    if (item.type !== 'function_call') return item
    return { ...item, arguments: argumentsOf(item.arguments), parsed_arguments: undefined }
  })
  const { output_parsed: __, ...rest } = head as typeof head & { output_parsed?: unknown }
  return { ...rest, items }
}
