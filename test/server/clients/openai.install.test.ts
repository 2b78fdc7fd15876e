import { expect } from 'chai'
import OpenAI, { APIError } from 'openai'
import { failureOf } from './failure-of.ts'
import { PackedServer } from './packed-server.ts'
import { COUNTED, SERVED } from './scripts.ts'

const LOCATE = {
  type: 'function',
  function: {
    name: 'locate',
    description: 'Where a city is',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
} as const
const { name, description, parameters } = LOCATE.function
const RESPONSES_LOCATE = { type: 'function', name, description, parameters, strict: false } as const

describe("OpenAI's client with a server", function () {
  this.timeout(60_000)
  let server: PackedServer
  let client: OpenAI
  before(async () => {
    server = await PackedServer.start(SERVED)
    client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0 })
  })
  after(async () => {
    if (server) expect(await server.stop()).to.equal(0)
  })

  const asking = (content: string, model = 'quick') => ({
    model,
    messages: [{ role: 'user' as const, content }],
  })

  it('lists the published models, and finds one', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id)
    expect(ids.slice(0, 4)).to.deep.equal(['quick', 'slow', 'careful', 'quick-plain'])
    expect(await client.models.retrieve('slow')).to.include({ id: 'slow', object: 'model' })
    const unknown = await failureOf(client.models.retrieve('unheard-of'))
    expect(unknown).to.be.instanceOf(OpenAI.NotFoundError)
  })

  describe('at chat completions', () => {
    it('streams, with the calls of the server done by it', async () => {
      const stream = client.chat.completions.stream({
        ...asking('calculate'),
        stream_options: { include_usage: true },
      })
      const { choices, usage } = await stream.finalChatCompletion()
      expect(choices[0]?.message.content).to.match(/^It is .*"result":"42"/)
      expect(choices[0]?.message.tool_calls ?? []).to.deep.equal([])
      expect(choices[0]?.finish_reason).to.equal('stop')
      expect(usage?.total_tokens).to.be.above(100)
    })

    it('runs its own tools, whose results come back', async () => {
      const asked: unknown[] = []
      const runner = client.chat.completions.runTools({
        ...asking('locate'),
        stream: true,
        tools: [
          {
            type: 'function',
            function: {
              ...LOCATE.function,
              parse: JSON.parse,
              function: (input: unknown) => {
                asked.push(input)
                return '41.9, 12.5'
              },
            },
          },
        ],
      })
      expect(await runner.finalContent()).to.equal('Rome is at 41.9, 12.5.')
      expect(asked).to.deep.equal([{ city: 'Rome' }])
    })

    it('is given back, with its own result, what the server did beside', async () => {
      const first = await client.chat.completions.create({ ...asking('both'), tools: [LOCATE] })
      const { message, finish_reason: reason } = first.choices[0]!
      const calls = message.tool_calls ?? []
      expect(reason).to.equal('tool_calls')
      expect(calls.map((call) => call.type === 'function' && call.function.name)).to.deep.equal([
        'locate',
      ])
      const second = await client.chat.completions.create({
        model: 'quick',
        tools: [LOCATE],
        messages: [
          ...asking('both').messages,
          message,
          { role: 'tool', tool_call_id: calls[0]!.id, content: 'there' },
        ],
      })
      expect(second.choices[0]?.message.content).to.equal('Rome is at there.')
      // The model was shown the server's own call and its result: they are in what it counts.
      expect(second.usage?.prompt_tokens).to.be.above(first.usage?.prompt_tokens ?? 0)
    })

    it('is told of errors before and after the first byte', async () => {
      const before = await failureOf(client.chat.completions.create(asking('overload')))
      expect(before).to.be.instanceOf(APIError).and.include({ status: 529, code: 'overloaded' })
      const broken = client.chat.completions.stream(asking('break'))
      const after = await failureOf(broken.finalChatCompletion())
      expect(after).to.be.instanceOf(APIError)
      expect(after.message).to.include('ended too early')
    })

    it('stops the run when it leaves', async () => {
      const stream = client.chat.completions.stream(asking('count', 'slow'))
      for await (const _ of stream) break
      stream.abort()
      await activeRuns(server, 0)
    })

    it('has what asks a person denied', async () => {
      const { choices } = await client.chat.completions.create(asking('calculate', 'careful'))
      expect(choices[0]?.message.content).to.match(/^It is .*(denies|denied|not allowed|may not)/)
    })

    it('is told which fields were passed over', async () => {
      const { response } = await client.chat.completions
        .create({ ...asking('hello'), logprobs: true, service_tier: 'flex' })
        .withResponse()
      expect(response.headers.get('x-braidwork-ignored')).to.equal('logprobs, service_tier')
    })
  })

  describe('at responses', () => {
    const input = (text: string, model = 'quick') => ({ model, input: text })

    it('streams reasoning and text', async () => {
      const stream = client.responses.stream(input('hello'))
      const types = new Set<string>()
      for await (const { type } of stream) types.add(type)
      const { output_text: text, status, usage } = await stream.finalResponse()
      expect([text, status]).to.deep.equal(['You said: hello', 'completed'])
      expect(usage?.output_tokens).to.equal(5)
      expect([...types]).to.include.members(['response.created', 'response.output_text.delta'])
    })

    it('goes on from the response before, with results of its own tools', async () => {
      const kept = { tools: [RESPONSES_LOCATE], store: true }
      const first = await client.responses.create({ ...input('locate'), ...kept })
      const call = first.output.find(({ type }) => type === 'function_call')
      if (call?.type !== 'function_call') throw new Error('there is no call')
      const second = await client.responses.create({
        ...kept,
        model: 'quick',
        previous_response_id: first.id,
        input: [{ type: 'function_call_output', call_id: call.call_id, output: 'there' }],
      })
      expect(second.output_text).to.equal('Rome is at there.')
      const third = await client.responses.create({
        ...kept,
        ...input('hello'),
        previous_response_id: second.id,
      })
      expect(third.usage?.input_tokens).to.be.above(second.usage?.input_tokens ?? 0)
    })

    it('works in the background, is asked for, and is read on from where it was', async () => {
      const begun = await client.responses.create({ ...input('count', 'slow'), background: true })
      expect(begun.status).to.be.oneOf(['queued', 'in_progress'])
      const stream = await client.responses.retrieve(begun.id, { stream: true })
      let seen = 0
      for await (const event of stream) {
        seen = event.sequence_number
        if (event.type === 'response.output_text.delta') break
      }
      expect((await client.responses.retrieve(begun.id)).status).to.equal('in_progress')
      const rest = await client.responses.retrieve(begun.id, { stream: true, starting_after: seen })
      const numbers: number[] = []
      let last = ''
      for await (const event of rest) {
        numbers.push(event.sequence_number)
        if (event.type === 'response.completed') last = event.response.status ?? ''
      }
      expect(numbers).to.deep.equal(numbers.map((_, at) => seen + 1 + at))
      expect(last).to.equal('completed')
      expect((await client.responses.retrieve(begun.id)).output_text).to.equal(COUNTED)
    })

    it('is told the run of an answer in the background, and which fields were passed over', async () => {
      const { data, response } = await client.responses
        .create({ ...input('hello'), background: true, service_tier: 'flex' })
        .withResponse()
      expect(`resp_${response.headers.get('x-run-id')}`).to.equal(data.id)
      expect(response.headers.get('x-braidwork-ignored')).to.include('service_tier')
      const asked = await client.responses.retrieve(data.id).withResponse()
      expect(`resp_${asked.response.headers.get('x-run-id')}`).to.equal(data.id)
    })

    it('is cancelled, and deleted', async () => {
      const { id } = await client.responses.create({ ...input('count', 'slow'), background: true })
      expect((await client.responses.cancel(id)).status).to.equal('cancelled')
      expect((await client.responses.retrieve(id)).status).to.equal('cancelled')
      await client.responses.delete(id)
      expect(await failureOf(client.responses.retrieve(id))).to.be.instanceOf(OpenAI.NotFoundError)
    })

    it('is told of errors before and after the first byte', async () => {
      const refused = await failureOf(client.responses.create(input('overload')))
      expect(refused).to.be.instanceOf(APIError).and.include({ status: 529 })
      const stream = await client.responses.create({ ...input('break'), stream: true })
      const types: string[] = []
      for await (const { type } of stream) types.push(type)
      expect(types.at(-1)).to.equal('response.failed')
    })
  })
})

/** Waits until the server says that so many runs are active. */
async function activeRuns({ url }: PackedServer, count: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text()
    if (text.includes(`braidwork_active_runs ${count}\n`)) return
  }
}
