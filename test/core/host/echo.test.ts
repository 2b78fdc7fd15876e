import { expect } from 'chai'
import fc from 'fast-check'
import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { createOpenAICompatible } from '../../../providers/openai-compatible/index.ts'
import { run } from '../../../src/agent/index.ts'
import {
  Accumulator,
  type ConfigLayer,
  createHost,
  EventChecker,
  type HostError,
  type Result,
  type StreamEvent,
  textOf,
} from '../../../src/core/index.ts'
import { propertyRuns, propertyTimeout, sampled } from '../../helpers/cases.ts'

const KEY = 'sk-echo-0123456789abcdef'
const OTHER = 'token-of-the-gateway-42'
const SCHEMA = {
  type: 'object',
  properties: {
    api_key: { type: 'string', writeOnly: true },
    headers: { type: 'object', writeOnly: true, additionalProperties: { type: 'string' } },
  },
}
const CONFIG: ConfigLayer = {
  provider: 'echo',
  settings: {
    echo: {
      api_key: KEY,
      headers: { 'x-auth': `Bearer ${OTHER}`, 'x-title': 'A house by the sea' },
    },
  },
}

/** A provider that streams these events, and leaves these finals. */
function echoing(events: readonly object[], finals?: readonly object[]) {
  return {
    kind: 'provider',
    name: 'echo',
    configSchema: SCHEMA,
    getModels: () => ['m'],
    getTags: () => ['tools'],
    async *stream() {
      for (const event of events) yield event
    },
    ...(finals
      ? { call: (native: unknown, state: object) => [[], finals, native, state] as const }
      : {}),
  } as const
}

interface Streamed {
  readonly events: readonly StreamEvent[]
  readonly gathered: string
  readonly result: Result
}

async function streamed(events: readonly object[], config = CONFIG): Promise<Streamed> {
  await using host = await createHost({ plugins: [echoing(events)] })
  const checker = new EventChecker()
  const accumulator = new Accumulator()
  const seen: StreamEvent[] = []
  const stream = host.stream(config, 'Hello')
  for await (const event of stream) {
    checker.check(event)
    seen.push(event)
    if (event.type !== 'finish') accumulator.add(event)
  }
  const gathered = accumulator.messages().map(textOf).join('')
  return { events: seen, gathered, result: await stream.result }
}

const textEvents = (...deltas: readonly string[]): readonly object[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta) => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
]

const deltasOf = (events: readonly StreamEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))

describe('an answer that echoes a key', function () {
  // An SDK is loaded by the first request to it.
  this.timeout(propertyTimeout(30_000))

  it('has it masked wherever it is cut into deltas', async () => {
    const text = `Your key is ${KEY}, and ${OTHER} is another.`
    for (const at of sampled([...Array(text.length + 1).keys()], 3)) {
      const { events, gathered, result } = await streamed(
        textEvents(text.slice(0, at), text.slice(at)),
      )
      expect(gathered).to.equal('Your key is ***, and *** is another.')
      expect(result.messages.map(textOf)).to.deep.equal([gathered])
      expect(JSON.stringify(events)).to.not.include(KEY).and.not.include(OTHER)
    }
    const { gathered } = await streamed(textEvents(...text.split('')))
    expect(gathered).to.equal('Your key is ***, and *** is another.')
  })

  it('says the same in deltas and in the end, whatever is said', async () => {
    const piece = fc.oneof(
      fc.constantFrom(KEY, OTHER, KEY.slice(0, 5), KEY.slice(3), 'sk-', 's', 'token-of-'),
      fc.string({ maxLength: 6 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.nat(9), async (pieces, size) => {
        const text = pieces.join('')
        const cut = size === 0 ? [text] : (text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [])
        const { gathered, result } = await streamed(textEvents(...cut))
        const whole = text.replaceAll(KEY, '***').replaceAll(OTHER, '***')
        expect(gathered).to.equal(whole)
        expect(result.messages.map(textOf).join('')).to.equal(whole)
      }),
      { numRuns: propertyRuns(150, 15) },
    )
  })

  it('shows each delta as it comes where none ends as a secret begins', async () => {
    const deltas = ['The ', 'river ', 'runs', ' by', ' the ', 'mill.']
    const { events } = await streamed(textEvents(...deltas))
    // A single letter waits for the next delta.
    expect(deltasOf(events)).to.deep.equal(['The ', 'river ', 'run', 's by', ' the ', 'mill.'])
  })

  it('has it masked in all else that events and messages say', async () => {
    const echo = `a ${KEY} b`
    const events = [
      ...textEvents('Look'),
      { type: 'reasoning-start', id: `r ${KEY}` },
      { type: 'reasoning-delta', id: `r ${KEY}`, delta: echo },
      { type: 'reasoning-end', id: `r ${KEY}`, providerMetadata: { echo: { seal: echo } } },
      { type: 'tool-call-start', id: 'c', name: 'look' },
      { type: 'tool-call-delta', id: 'c', delta: '{"deep":["sk-echo-0123' },
      { type: 'tool-call-delta', id: 'c', delta: '456789abcdef"]}' },
      {
        type: 'tool-call-end',
        id: 'c',
        input: { deep: [KEY], [KEY]: 1 },
        providerMetadata: { echo: { [KEY]: { raw: [[echo]] } } },
      },
      { type: 'source', url: `https://a.test/?key=${KEY}`, title: echo },
      { type: 'source', url: `https://a.test/?key=${encodeURIComponent(KEY)}` },
      { type: 'file', mediaType: 'text/plain', url: `https://a.test/${KEY}`, name: echo },
      { type: 'data', name: 'note', data: { said: [echo] } },
      {
        type: 'metadata',
        metadata: { usage: { input: 1, raw: { header: echo } }, model: KEY, own: { at: echo } },
      },
    ]
    const stream = await streamed(events)
    expect(stream.result.status).to.equal('done')
    expect(JSON.stringify([stream.events, stream.result])).to.not.include(KEY)
    const [message] = stream.result.messages
    const call = message?.parts.find((part) => part.type === 'tool-call')
    expect(call).to.deep.include({ input: { deep: ['***'], '***': 1 } })
    await using host = await createHost({ plugins: [echoing([], stream.result.messages)] })
    expect(JSON.stringify(await host.send(CONFIG, 'Hello'))).to.not.include(KEY)
    await using other = await createHost({ plugins: [echoing(events)] })
    const ran = run(other, { config: CONFIG, messages: 'Hello', maxSteps: 1 })
    const told: unknown[] = []
    for await (const event of ran) told.push(event)
    expect(JSON.stringify([told, await ran.result])).to.not.include(KEY)
  })

  it('has it masked in an answer in one piece', async () => {
    const parts = [
      { type: 'text', text: `It is ${KEY}.` },
      { type: 'tool-call', callId: 'c', name: 'look', input: { at: [KEY] } },
    ]
    const finals = [{ role: 'assistant', parts, metadata: { usage: { raw: { key: KEY } } } }]
    await using host = await createHost({ plugins: [echoing([], finals)] })
    const result = await host.send(CONFIG, 'Hello')
    expect(JSON.stringify(result)).to.not.include(KEY)
    expect(result.messages.map(textOf)).to.deep.equal(['It is ***.'])
  })

  it('keeps what was held back of an answer that breaks off, and masks what had arrived', async () => {
    const begun = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: `It is ${KEY} or sk-ec` },
      { type: 'tool-call-start', id: 'c', name: 'look' },
      { type: 'tool-call-delta', id: 'c', delta: `{"at":"${KEY}` },
      { type: 'nonsense' },
    ]
    const { gathered, result } = await streamed(begun)
    expect(result.status).to.equal('failed')
    expect(gathered).to.equal('It is *** or sk-ec')
    expect(JSON.stringify(result.messages)).to.not.include(KEY)
    await using host = await createHost({ plugins: [echoing(begun)] })
    const thrown: unknown = await host.send(CONFIG, 'Hello').catch((error: unknown) => error)
    expect(JSON.stringify((thrown as HostError).partial)).to.not.include(KEY)
  })

  it('is masked where the secret came from the environment, and by what it is spelled like', async () => {
    process.env['BRAIDWORK_TEST_ECHO'] = 'Zx8/secret+of=env42'
    try {
      const config = { settings: { echo: { note: '${env:BRAIDWORK_TEST_ECHO}' } } }
      const said = 'Zx8/secret+of=env42 or Zx8%2Fsecret%2Bof%3Denv42.'
      await using host = await createHost({ plugins: [echoing(textEvents(said))], config })
      const { messages } = await host.stream({ provider: 'echo' }, 'Hello').result
      expect(messages.map(textOf)).to.deep.equal(['*** or ***.'])
    } finally {
      delete process.env['BRAIDWORK_TEST_ECHO']
    }
  })

  it('is left alone where what is set is no secret to a reader', async () => {
    const said = 'A house by the sea: lm-studio and application/json.'
    const settings = {
      echo: {
        api_key: 'lm-studio',
        headers: { accept: 'application/json', 'x-title': 'A house by the sea' },
      },
    }
    const { gathered } = await streamed(textEvents(said), { provider: 'echo', settings })
    expect(gathered).to.equal(said)
  })

  it('takes no longer where the key comes a million times', async () => {
    const { gathered } = await streamed(textEvents(KEY.repeat(100_000)))
    expect(gathered).to.equal('***'.repeat(100_000))
  })

  it('has it masked in the errors behind an error', async () => {
    const provider = {
      ...echoing([]),
      stream: () => {
        const cause = Object.assign(new Error(`sent ${KEY}`), { headers: { authorization: KEY } })
        throw new Error(`refused ${KEY}`, { cause })
      },
    }
    await using host = await createHost({ plugins: [provider] })
    const { error } = await host.stream(CONFIG, 'Hello').result
    const { inspect } = await import('node:util')
    expect(inspect(error, { depth: 9 }))
      .to.include('***')
      .and.not.include(KEY)
  })

  for (const [name, create] of [
    ['openai', createOpenAI],
    ['openai-compatible', createOpenAICompatible],
    ['anthropic', createAnthropic],
  ] as const) {
    it(`is masked as ${name} reads it, in send, stream and errors`, async () => {
      let isGood = true
      const fetch: typeof globalThis.fetch = async (_input, init) => {
        const headers = new Headers(init?.headers)
        const sent = headers.get('authorization') ?? headers.get('x-api-key')
        const said = `You sent ${sent}.`
        const message = { role: 'assistant', content: said }
        const answer = {
          id: sent,
          usage: { echo: said },
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          content: [{ type: 'text', text: said }],
          output: [
            {
              type: 'message',
              id: sent,
              role: 'assistant',
              content: [{ type: 'output_text', text: said, annotations: [{ url: sent }] }],
            },
          ],
          status: 'completed',
          stop_reason: 'end_turn',
        }
        const headersBack = { 'x-echo': String(sent) }
        return isGood
          ? Response.json(answer, { headers: headersBack })
          : Response.json({ error: { message: said } }, { status: 400, headers: headersBack })
      }
      await using host = await createHost({ plugins: [create({ fetch })] })
      const own = { api_key: KEY, base_url: 'https://nowhere.test' }
      const config = { provider: name, model: 'm', settings: { [name]: own } }
      const sent = await host.send(config, 'Hello')
      const stream = host.stream(config, 'Hello')
      const events: unknown[] = []
      for await (const event of stream) events.push(event)
      expect(textOf(sent.messages[0]!)).to.match(/^You sent (Bearer )?\*\*\*\.$/)
      expect(JSON.stringify([sent, events, await stream.result])).to.not.include(KEY)
      isGood = false
      const { inspect } = await import('node:util')
      const thrown: unknown = await host.send(config, 'Hello').catch((error: unknown) => error)
      expect(inspect(thrown, { depth: 9 }))
        .to.include('400')
        .and.not.include(KEY)
    })
  }

  it('is masked in the list of models', async () => {
    const provider = { ...echoing([]), refreshModels: () => ['m', `m-${KEY}`] }
    await using host = await createHost({ plugins: [provider] })
    expect(await host.refreshModels(CONFIG)).to.deep.equal(['m', 'm-***'])
  })
})
