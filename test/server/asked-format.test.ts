import { expect } from 'chai'
import structuredOutput from '../../features/structured-output/index.ts'
import scripted from '../../providers/scripted/index.ts'
import type { ConfigLayer } from '../../src/core/index.ts'
import { Served } from './routes/served.ts'

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const messages = [{ role: 'user', content: 'Where?' }]
const CHAT = { model: 'm', messages }

/** A request of each protocol with a schema, and the place of the schema in it. */
const ASKING: readonly (readonly [path: string, place: string, ask: (schema: object) => object])[] =
  [
    [
      '/v1/chat/completions',
      'response_format.json_schema.schema',
      (schema) => ({
        ...CHAT,
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
      }),
    ],
    [
      '/v1/responses',
      'text.format.schema',
      (schema) => ({
        model: 'm',
        input: 'Where?',
        text: { format: { type: 'json_schema', name: 'x', schema } },
      }),
    ],
    [
      '/v1/messages',
      'output_config.format.schema',
      (schema) => ({
        ...CHAT,
        max_tokens: 9,
        output_config: { format: { type: 'json_schema', schema } },
      }),
    ],
    [
      '/v1/messages',
      'output_format.schema',
      (schema) => ({ ...CHAT, max_tokens: 9, output_format: { type: 'json_schema', schema } }),
    ],
  ]

describe('the format of an answer that a client asks for', () => {
  let served: Served
  let lines: unknown[] = []
  afterEach(() => served.close())

  /** A server whose model answers with this text. */
  async function serve(then: object, own: ConfigLayer = {}) {
    lines = []
    served = await Served.start(
      { models: { m: {} }, log: (line) => void lines.push(line) },
      {
        plugins: [scripted, structuredOutput],
        config: {
          provider: 'scripted',
          enabled_plugins: ['structured-output'],
          settings: { scripted: { script: [{ when: {}, then }] } },
          ...own,
        },
      },
    )
  }

  for (const [path, place, ask] of ASKING) {
    it(`has its faults told at ${place} of ${path}`, async () => {
      await serve({ text: '{}' })
      const schema = { type: 'object', properties: { city: { type: 'strng' } } }
      for (const stream of [false, true]) {
        const { status, headers, json } = await served.ask(path, {
          body: { ...ask(schema), stream },
        })
        expect(status).to.equal(400)
        expect(headers.get('x-should-retry')).to.equal('false')
        const told = JSON.stringify(json)
        expect(told).to.include(`${place}.properties.city.type`)
        expect(told).to.include('The JSON Schema of the answer is invalid:')
        expect(told).to.include('must be one of')
      }
      expect(JSON.stringify(lines)).not.to.include('CONFIG_INVALID')
    })

    it(`has an answer that was cut off end as too long: ${place} of ${path}`, async () => {
      await serve({ text: '{"city": "Ul', finish_reason: 'length' })
      for (const stream of [false, true]) {
        const { status, text } = await served.ask(path, { body: { ...ask(CITY), stream } })
        expect(status).to.equal(200)
        expect(text).to.match(/"length"|"max_tokens"|"max_output_tokens"/)
        expect(text).to.include('Ul').and.not.include('"error":{')
      }
    })

    it(`has an error of its own where no answer fits: ${place} of ${path}`, async () => {
      await serve({ text: 'no JSON' })
      const { status, headers, text } = await served.ask(path, { body: ask(CITY) })
      expect(status).to.equal(422)
      expect(headers.get('x-should-retry')).to.equal('false')
      expect(text).to.include('does not have the format that was asked for')
      const streamed = await served.ask(path, { body: { ...ask(CITY), stream: true } })
      expect(streamed.text).to.include(' JSON').and.include('format that was asked for')
    })
  }

  it('ends as too long with the usage where nothing was written before the cut', async () => {
    await serve({ text: '', finish_reason: 'length', usage: { input: 7, output: 9 } })
    const body = ASKING[0]?.[2](CITY)
    const { status, json } = await served.ask('/v1/chat/completions', { body })
    expect(status).to.equal(200)
    expect(json['usage']).to.include({ prompt_tokens: 7, completion_tokens: 9 })
    const streamed = await served.ask('/v1/chat/completions', { body: { ...body, stream: true } })
    expect(streamed.status).to.equal(200)
    expect(streamed.text).to.include('"finish_reason":"length"')
  })

  it('is told in a stored response as it was at first', async () => {
    await serve({ text: '{"city": "Ul', finish_reason: 'length' })
    const body = { ...ASKING[1]?.[2](CITY), store: true }
    const first = await served.ask('/v1/responses', { body })
    const again = await served.ask(`/v1/responses/${String(first.json['id'])}`)
    expect(first.json['incomplete_details']).to.deep.equal({ reason: 'max_output_tokens' })
    expect(again.json).to.deep.equal(first.json)
    const next = { model: 'm', input: 'And then?', previous_response_id: first.json['id'] }
    const { json } = await served.ask('/v1/responses', { body: next })
    expect(json['error']).to.equal(null)
    const listed = await served.ask(`/v1/responses/${String(json['id'])}/input_items`)
    expect(listed.text).to.include('And then?')
  })

  it('has the faults of the operator hidden', async () => {
    const schema = { type: 'object', properties: { secret: { type: 'strng' } } }
    await serve({ text: '{}' }, { response_format: { type: 'json-schema', schema } })
    const { status, text } = await served.ask('/v1/chat/completions', { body: CHAT })
    expect(status).to.equal(500)
    expect(text).not.to.include('secret')
    expect(JSON.stringify(lines)).to.include('CONFIG_INVALID')
  })
})
