import { expect } from 'chai'
import structuredOutput, { outputOf } from '../../../features/structured-output/index.ts'
import {
  type ConfigLayer,
  createHost,
  type Message,
  type Part,
  textOf,
} from '../../../src/core/index.ts'
import type { ResponseFormat } from '../../../src/plugin/index.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { errorOf, eventProvider } from '../../helpers/plugins.ts'
import { answered, CITY, configOf, faultOf, finalOf, formatOf, said } from './asking.ts'

const ULM = '{"city": "Ulm"}'
const ANY = formatOf({})
const JSON_OBJECT: ResponseFormat = { type: 'json' }

describe('structured-output', () => {
  it('puts the value of an answer into the metadata of its message, and into an event', async () => {
    const { messages, events } = await answered({ events: said(ULM, { finishReason: 'stop' }) })
    const structuredOutput = { city: 'Ulm' }
    expect(messages).to.deep.equal([
      {
        role: 'assistant',
        parts: [{ type: 'text', text: ULM }],
        metadata: { finishReason: 'stop', structuredOutput },
      },
    ])
    expect(outputOf(messages)).to.deep.equal(structuredOutput)
    expect(events.at(-2)).to.deep.equal({ type: 'metadata', metadata: { structuredOutput } })
    expect(events.at(-1)).to.deep.include({ type: 'finish', messages })
  })

  it('has no value where there is none', () => {
    expect(outputOf([])).to.equal(undefined)
    expect(outputOf([{ role: 'assistant', parts: [] }])).to.equal(undefined)
  })

  it('is off until it is asked for, and where no JSON is wanted', async () => {
    const host = await createHost({ plugins: [eventProvider([]), structuredOutput] })
    const ruleOf = async (config: ConfigLayer) => {
      const [plugin] = await host.explain(config, { plugin: 'structured-output' })
      return plugin?.rule
    }
    expect(await ruleOf({ response_format: formatOf(CITY) })).to.equal('off by default')
    expect(await ruleOf(configOf({ type: 'text' }))).to.equal('own verdict')
    expect(await ruleOf({ enabled_plugins: ['structured-output'] })).to.equal('own verdict')
    await host.close()
  })

  it('follows a setting of the provider, which wins over the config', async () => {
    const p = { response_format: { type: 'text' } }
    const config = { provider: 'p', settings: { p } }
    const { messages, error } = await answered({ events: said('Ulm'), config })
    expect(error).to.equal(undefined)
    expect(messages.map(textOf)).to.deep.equal(['Ulm'])
    const wrong = { response_format: { type: 'json-schema', schema: { type: 1 } } }
    const refused = await answered({
      events: said(ULM),
      format: { type: 'text' },
      config: { provider: 'p', settings: { p: wrong } },
    })
    expect(refused.error).to.include({
      code: 'CONFIG_INVALID',
      pointer: '/settings/p/response_format/schema/type',
    })
  })

  describe('reads', () => {
    const READ: readonly [title: string, text: string, json?: string, format?: ResponseFormat][] = [
      ['JSON alone', ULM],
      ['JSON in white space, as it stands', `\n ${ULM}\t\n`, `\n ${ULM}\t\n`],
      ['JSON behind a byte order mark', `\uFEFF${ULM}`, ULM],
      ['JSON in a fence', `\`\`\`json\n${ULM}\n\`\`\``, ULM],
      ['JSON in a fence with words around it', `Here:\n~~~\n${ULM}\n~~~\nHelps?`, ULM],
      [
        'JSON in a fence among others',
        `\`\`\`\n$ ask\n\`\`\`\n\n\`\`\`JSON\r\n${ULM}\r\n\`\`\``,
        ULM,
      ],
      ['JSON in a fence that ends on the same line', `\`\`\`json ${ULM} \`\`\``, ULM],
      ['JSON in a fence that does not end', `\`\`\`json\n${ULM}\n`, ULM],
      ['JSON with a fence in it', 'So: {"city": "```\\n1\\n```"}!', '{"city": "```\\n1\\n```"}'],
      ['JSON in words', `It is ${ULM}, in {braces} and [brackets].`, ULM],
      ['JSON behind brackets that open no JSON', `{ [x, "{ ${ULM}`.replace('"', ''), ULM],
      ['JSON behind a quote that does not end', `["no\n${ULM}`, ULM],
      ['JSON beside other JSON that does not match', `Of [1]: ${ULM}{"a":1}`, ULM],
      ['a scalar alone', ' "Ulm"', ' "Ulm"', formatOf({ type: 'string' })],
      ['a scalar in a fence', '```\n42\n```', '42', formatOf({ type: 'integer' })],
      ['nothing but null', 'null', 'null', formatOf({ type: 'null' })],
      ['an object where any will do', `It is ${ULM}`, ULM, JSON_OBJECT],
    ]
    for (const [title, text, json = text, format] of READ) {
      it(title, async () => {
        const message = await finalOf(text, format)
        expect(textOf(message)).to.equal(json)
        expect(outputOf([message])).to.deep.equal(JSON.parse(json))
      })
    }

    it('the last of equal keys, as JSON.parse does', async () => {
      const message = await finalOf('{"city": "Bonn", "city": "Ulm"}')
      expect(outputOf([message])).to.deep.equal({ city: 'Ulm' })
    })

    it('keys that are named like what every object has', async () => {
      const text = '{"constructor": {"prototype": 1}, "toString": null}'
      const message = await finalOf(text, ANY)
      expect(message.metadata?.['structuredOutput']).to.deep.equal(JSON.parse(text))
      expect(await faultOf('{}', formatOf({ required: ['constructor'] }))).to.include(
        '/constructor is missing',
      )
    })

    it('several texts as one, with what stands between them left in place', async () => {
      const source: Part = { type: 'source', url: 'https://a.test/' }
      const events = [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: '{"city": 1}' },
        { type: 'reasoning-end', id: 'r' },
        ...textEvents('I have it: {"ci').map((event) => ({ ...event, id: 'a' })),
        source,
        ...textEvents('ty": "Ulm"}.').map((event) => ({ ...event, id: 'b' })),
      ]
      const { messages } = await answered({ events })
      expect(messages[0]?.parts).to.deep.equal([
        { type: 'reasoning', text: '{"city": 1}' },
        source,
        { type: 'text', text: '{"city": "Ulm"}' },
      ])
    })
  })

  describe('refuses', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const REFUSED: readonly [
      title: string,
      text: string,
      fault: string,
      format?: ResponseFormat,
    ][] = [
      ['nothing', ' \n', 'it is empty'],
      ['words', 'Ulm, I think.', 'there is no JSON in it'],
      ['JSON that is broken', 'So: {"city": Ulm}', 'breaks off before "Ulm}"'],
      ['JSON with a comma too many', '{"city": "Ulm",}', 'breaks off before "}"'],
      ['JSON with an escape that is none', '{"city": "\\x"}', 'breaks off'],
      ['JSON in single quotes', "{'city': 'Ulm'}", 'breaks off'],
      ['JSON that ends in the middle', '{"city": "Ulm', 'its JSON is incomplete'],
      ['a part of JSON that ends in the middle', `[${ULM}`, 'its JSON is incomplete'],
      ['a part of JSON that is broken', `[${ULM}, Ulm]`, 'breaks off before "Ulm]"'],
      ['two values that match', `${ULM}\n${ULM}`, 'several JSON values that match'],
      ['two values, of which none matches', '{"a": 1} {"b": 2}', 'none of them matches'],
      ['numbers that JSON does not have', '{"city": NaN}', 'breaks off before "NaN}"'],
      ['numbers that are too large', '{"a": [1e999]}', 'too large', ANY],
      ['the key "__proto__"', '{"a": {"__proto__": {}}}', '"__proto__" is not allowed', ANY],
      ['what is nested too deep', nested(101), 'deeper than 100 levels', ANY],
      ['what is nested too deep, in words', `So: ${nested(10_000)}`, 'deeper than 100', ANY],
      ['what is too long', `"${'a'.repeat(2 ** 20)}"`, 'longer than 1048576 characters', ANY],
      ['a list where an object is wanted', '[]', 'the value must be object', JSON_OBJECT],
      ['what no schema can meet', ULM, 'must NOT be valid', formatOf({ not: {} })],
    ]
    for (const [title, text, fault, format] of REFUSED) {
      it(title, async () => {
        expect(await faultOf(text, format)).to.include(fault)
      })
    }

    it('what does not match, each fault with its pointer', async () => {
      const schema = {
        type: 'object',
        properties: {
          'a/b': { enum: ['x', 'y'] },
          list: { type: 'array', items: { const: 1 }, uniqueItems: true },
          no: false,
        },
        required: ['gone'],
        additionalProperties: false,
      }
      const text = '{"a/b": 1, "list": [2, {"b": 1, "a": 2}, {"a": 2, "b": 1}], "no": 1, "~": 1}'
      expect((await faultOf(text, formatOf(schema))).split('\n- ').slice(1).sort()).to.deep.equal([
        '/a~1b must be one of ["x","y"]',
        '/gone is missing',
        '/list must not have equal items',
        '/list/0 must be 1',
        '/list/1 must be 1',
        '/list/2 must be 1',
        '/no is not allowed',
        '/~0 is not allowed',
      ])
    })

    it('what does not match in few and short words, however much of it there is', async () => {
      const long = '\u{1F600}'.repeat(500)
      const keys = Array.from({ length: 1000 }, (_, at) => `${JSON.stringify(long + at)}:1`)
      const message = await faultOf(`{${keys.join()}}`)
      const faults = message.split('\n- ').slice(1)
      expect(faults).to.have.length.within(2, 11)
      expect(faults.at(-1)).to.equal('and more')
      for (const fault of faults) expect(fault.length).to.be.below(220)
      expect(encodeURIComponent(message)).to.be.a('string')
    })

    it('with the answer beside the error, in send too', async () => {
      const host = await createHost({
        plugins: [eventProvider(said('no')), structuredOutput],
        config: configOf(formatOf(CITY)),
      })
      const { partial } = await errorOf(host.send({}, 'Where?'))
      expect((partial as Message[]).map(textOf)).to.deep.equal(['no'])
      await host.close()
    })

    it('no answer at all', async () => {
      const fromNative = () => []
      const host = await createHost({
        plugins: [eventProvider(said('no'), { fromNative }), structuredOutput],
        config: configOf(formatOf(CITY)),
      })
      const { error } = await host.stream({}, 'Where?').result
      expect(error).to.include({ code: 'OUTPUT_INVALID', plugin: 'structured-output' })
      expect(error?.message).to.include('there is no answer')
      await host.close()
    })
  })

  describe('leaves as it is', () => {
    it('an answer with calls that are to be run', async () => {
      const call = [
        { type: 'tool-call-start', id: 'c', name: 'look' },
        { type: 'tool-call-end', id: 'c', input: {} },
      ]
      const { messages, error } = await answered({ events: [...said('I look.'), ...call] })
      expect(error).to.equal(undefined)
      expect(messages[0]).not.to.have.property('metadata')
    })

    for (const finishReason of ['content-filter', 'error']) {
      it(`an answer that ended with "${finishReason}"`, async () => {
        const { messages, error } = await answered({
          events: said('I will not.', { finishReason }),
        })
        expect(error).to.equal(undefined)
        expect(messages[0]?.metadata).to.deep.equal({ finishReason })
      })
    }

    it('an answer for which another plugin wants one more step', async () => {
      const retry = { code: 'TOO_RUDE', message: 'Be polite.' }
      const { error } = await answered({ events: said('No.', { retry }) })
      expect(error).to.include({ code: 'TOO_RUDE', message: 'Be polite.' })
    })
  })

  it('says of an answer that was cut off what to do', async () => {
    const events = said('{"city": "Ul', { finishReason: 'length' })
    const { error } = await answered({ events })
    expect(error).to.include({ code: 'OUTPUT_INVALID' })
    expect(error?.message).to.include('max_output_tokens')
  })

  it('takes an answer that was cut off behind its JSON, but no number, which might go on', async () => {
    const metadata = { finishReason: 'length' }
    const { messages } = await answered({ events: said(`${ULM} And`, metadata) })
    expect(messages.map(textOf)).to.deep.equal([ULM])
    const { error } = await answered({ events: said('12', metadata), format: ANY })
    expect(error).to.include({ code: 'OUTPUT_INVALID' })
  })
})
