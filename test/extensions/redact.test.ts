import { expect } from 'chai'
import fc from 'fast-check'
import { Finder } from '../../extensions/redact/find.ts'
import redact from '../../extensions/redact/index.ts'
import { mapMessages } from '../../extensions/redact/map-texts.ts'
import { readSettings } from '../../extensions/redact/settings.ts'
import { Table } from '../../extensions/redact/table.ts'
import scripted from '../../providers/scripted/index.ts'
import { run } from '../../src/agent/index.ts'
import { createHost } from '../../src/core/host/index.ts'
import {
  EventChecker,
  eventsOfAll,
  type Message,
  type StreamEvent,
} from '../../src/plugin/events/index.ts'
import type { Config } from '../../src/plugin/index.ts'
import { propertyRuns } from '../helpers/cases.ts'
import { collect } from '../helpers/hosts.ts'
import { errorOf, schema, tool } from '../helpers/plugins.ts'

const MAIL = 'ada@example.org'

function configOf(settings: object = {}): Config {
  return { enabled_plugins: ['redact'], settings: { redact: { ...settings } } }
}

function tableOf(settings: object = {}): Table {
  return new Table(new Finder(readSettings(configOf(settings))))
}

/** What the provider is sent for these messages, and what comes of its events and of its final. */
async function ask(
  messages: string | readonly Message[],
  answer: readonly StreamEvent[],
  settings = {},
) {
  let sent: readonly Message[] = []
  const provider = {
    kind: 'provider',
    name: 'p',
    getTags: () => ['tools'],
    toNative: (given: readonly Message[]) => {
      sent = given
      return { messages: given.length }
    },
    stream: () => answer,
  }
  const host = await createHost({ plugins: [provider, redact], config: configOf(settings) })
  const stream = host.stream({}, messages)
  const events = await collect(stream)
  return { sent, events, result: await stream.result, send: () => host.send({}, messages) }
}

function textAnswer(...deltas: readonly string[]): StreamEvent[] {
  return [
    { type: 'text-start', id: '1' },
    ...deltas.map((delta): StreamEvent => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
  ]
}

function user(...parts: readonly object[]): Message {
  return { role: 'user', parts } as unknown as Message
}

function deltasOf(events: readonly StreamEvent[]): string {
  return events.map((event) => ('delta' in event ? event.delta : '')).join('')
}

/** A text, cut at some places. */
function pieces(text: string, cuts: readonly number[]): string[] {
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  return [...ends, text.length].map((end, at) => text.slice(ends[at - 1] ?? 0, end))
}

describe('redact', () => {
  it('hands on the very messages that it changes nothing in', () => {
    const clean = [user({ type: 'text', text: 'Tea.' })]
    const mask = (text: string) => text.replaceAll(MAIL, '[mail]')
    expect(mapMessages(clean, mask)).to.equal(clean)
    const [first, second] = mapMessages([...clean, user({ type: 'text', text: MAIL })], mask)
    expect(first).to.equal(clean[0])
    expect(second).to.deep.equal(user({ type: 'text', text: '[mail]' }))
  })

  describe('takes out', () => {
    const found: readonly [text: string, redacted: string][] = [
      ['Mail ada.l+x@mail.example.org.', 'Mail <EMAIL_1>.'],
      ['…ada@example.org, jürgen@müller.de', '…<EMAIL_1>, <EMAIL_2>'],
      ['Call +49 (30) 1234567 or 030 1234-567', 'Call <PHONE_1> or <PHONE_2>'],
      ['Call (415) 555-0123, 415-555-0124.', 'Call <PHONE_1>, <PHONE_2>.'],
      ['Card 4111 1111 1111 1111 123', 'Card <CARD_1> 123'],
      ['Order 12 4111111111111111', 'Order 12 <CARD_1>'],
      ['IBAN DE89 3704 0044 0532 0130 00 AND MORE', 'IBAN <IBAN_1> AND MORE'],
      ['to GB82WEST12345698765432.', 'to <IBAN_1>.'],
      ['from 192.168.0.1:80 to 2001:db8::1', 'from <IP_1>:80 to <IP_2>'],
      ['key sk-proj-abcdefghijklmnop1234', 'key <KEY_1>'],
      ['AKIAIOSFODNN7EXAMPLE', '<KEY_1>'],
      [`ghp_${'a1'.repeat(18)}`, '<KEY_1>'],
      [`gho_${'a1'.repeat(18)}`, '<KEY_1>'],
      [`github_pat_${'a1'.repeat(11)}`, '<KEY_1>'],
      [`sk_live_${'a1'.repeat(8)}`, '<KEY_1>'],
      [`glpat-${'a1'.repeat(10)}`, '<KEY_1>'],
      [`xoxb-${'a1'.repeat(5)}`, '<KEY_1>'],
      [`AIza${'a1b2c'.repeat(7)}`, '<KEY_1>'],
      [`GOCSPX-${'a1'.repeat(14)}`, '<KEY_1>'],
      [`hf_${'a1'.repeat(15)}`, '<KEY_1>'],
      [`npm_${'a1'.repeat(18)}`, '<KEY_1>'],
      [`pypi-${'a1'.repeat(25)}`, '<KEY_1>'],
      [`SG.${'a1'.repeat(8)}.${'b2'.repeat(16)}`, '<KEY_1>'],
      [`-----BEGIN PRIVATE KEY-----\nMIIB-x\n-----END PRIVATE KEY-----`, '<KEY_1>'],
    ]
    for (const [text, redacted] of found) {
      it(`what is secret in ${JSON.stringify(text)}`, () => {
        const table = tableOf()
        expect(table.redact(text)).to.equal(redacted)
        expect(table.restore(redacted)).to.equal(text)
      })
    }

    const left = [
      'Card 4111 1111 1111 1112',
      'DE88370400440532013000',
      'at 12:30:45, on 2026-11-21 and 01-02-2026',
      'version 1.2.3, 256.1.1.1, std::vector and a::b',
      'ada@localhost, @ada, 3.14159265358979',
      'It is 1795262400000 ms.',
    ]
    for (const text of left) {
      it(`nothing of ${JSON.stringify(text)}`, () => {
        expect(tableOf().redact(text)).to.equal(text)
      })
    }
  })

  it('gives the same value the same placeholder, and none that the messages have already', async () => {
    const { sent, events } = await ask(
      [user({ type: 'text', text: `<EMAIL_1> is ${MAIL}, and ${MAIL} is bob@example.org` })],
      textAnswer('<EMAIL_1> <EMAIL_2> <EMAIL_3> <EMAIL_4>'),
    )
    expect(sent).to.deep.equal([
      user({ type: 'text', text: '<EMAIL_1> is <EMAIL_2>, and <EMAIL_2> is <EMAIL_3>' }),
    ])
    expect(deltasOf(events)).to.equal(`<EMAIL_1> ${MAIL} bob@example.org <EMAIL_4>`)
  })

  it('looks into texts, calls, results, data and names of files, and not into their bytes', async () => {
    const data = Buffer.from(MAIL).toString('base64')
    const call = { type: 'tool-call', callId: 'c', name: 'find' }
    const result = { type: 'tool-result', callId: 'c', name: 'find' }
    const messages = [
      user(
        { type: 'text', text: MAIL },
        { type: 'file', mediaType: 'a/b', data, name: `${MAIL} 1.txt` },
      ),
      { role: 'assistant', parts: [{ ...call, input: { [MAIL]: [MAIL] } }] },
      {
        role: 'tool',
        parts: [{ ...result, output: { card: 4111111111111111, count: 7, of: { mail: MAIL } } }],
      },
    ] as unknown as Message[]
    const { sent } = await ask(messages, textAnswer('Yes'))
    expect(JSON.stringify(sent)).to.not.include(MAIL)
    expect(sent).to.deep.equal([
      user(
        { type: 'text', text: '<EMAIL_1>' },
        { type: 'file', mediaType: 'a/b', data, name: '<EMAIL_1> 1.txt' },
      ),
      { role: 'assistant', parts: [{ ...call, input: { '<EMAIL_1>': ['<EMAIL_1>'] } }] },
      {
        role: 'tool',
        parts: [{ ...result, output: { card: '<CARD_1>', count: 7, of: { mail: '<EMAIL_1>' } } }],
      },
    ])
  })

  it('leaves messages without anything secret as they are', async () => {
    const messages = [user({ type: 'text', text: 'Hello' })]
    const { sent } = await ask(messages, textAnswer('Hi'))
    expect(sent).to.have.ordered.members(messages)
  })

  it('CL-42 puts values back however the answer is cut, and send and stream end alike', async () => {
    const bits = fc.constantFrom(
      '<EMAIL_1>',
      '<PHONE_1>',
      '<',
      '>',
      '<EM',
      'AIL_1>',
      '<EMAIL_9>',
      ' a',
      '_1',
    )
    const text = fc.array(bits, { minLength: 1, maxLength: 12 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(100), { maxLength: 20 }), async (answer, cuts) => {
        const asked = await ask(`${MAIL} +49 30 1234567`, textAnswer(...pieces(answer, cuts)))
        const restored = answer
          .replaceAll('<EMAIL_1>', MAIL)
          .replaceAll('<PHONE_1>', '+49 30 1234567')
        expect(deltasOf(asked.events)).to.equal(restored)
        const checker = new EventChecker()
        for (const event of asked.events) checker.check(event)
        expect(asked.result.messages).to.deep.equal([
          { role: 'assistant', parts: [{ type: 'text', text: restored }] },
        ])
        expect((await asked.send()).messages).to.deep.equal(asked.result.messages)
      }),
      { numRuns: propertyRuns(60, 10) },
    )
  })

  it('holds nothing but what may be the beginning of a placeholder', async () => {
    const { events } = await ask(MAIL, textAnswer('a < b <E', 'MAI', 'L_1', '> <EM', 'PTY <'))
    expect(events.flatMap((event) => ('delta' in event ? [event.delta] : []))).to.deep.equal([
      'a < b ',
      `${MAIL} `,
      '<EMPTY ',
      '<',
    ])
  })

  it('puts values back into events of every kind', async () => {
    const answer: StreamEvent[] = [
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-delta', id: '1', delta: 'of <EMAIL' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: '<EMAIL_1> <' },
      { type: 'reasoning-delta', id: '1', delta: '_1>' },
      { type: 'reasoning-end', id: '1' },
      { type: 'text-end', id: '1' },
      { type: 'source', title: '<EMAIL_1>', citedText: 'of <EMAIL_1>' },
      { type: 'data', name: 'd', data: { of: ['<EMAIL_1>'] } },
    ]
    const { result, send } = await ask(MAIL, answer)
    expect(result.messages).to.deep.equal([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: `of ${MAIL}` },
          { type: 'text', text: `${MAIL} <` },
          { type: 'source', title: MAIL, citedText: `of ${MAIL}` },
          { type: 'data', name: 'd', data: { of: [MAIL] } },
        ],
      },
    ])
    expect((await send()).messages).to.deep.equal(result.messages)
  })

  it('writes values into arguments as JSON', async () => {
    const secret = 'a"b\\c'
    const settings = { patterns: [{ label: 'PASS', pattern: 'a"b.c' }] }
    const args = '{"pass":"<PASS_1>"}'
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30)), async (cuts) => {
        const answer: StreamEvent[] = [
          { type: 'tool-call-start', id: 'c', name: 'f' },
          ...pieces(args, cuts).map(
            (delta): StreamEvent => ({ type: 'tool-call-delta', id: 'c', delta }),
          ),
          { type: 'tool-call-end', id: 'c', input: JSON.parse(args) },
        ]
        const { events, result, send } = await ask(secret, answer, settings)
        expect(JSON.parse(deltasOf(events))).to.deep.equal({ pass: secret })
        expect(result.messages[0]?.parts).to.deep.equal([
          { type: 'tool-call', callId: 'c', name: 'f', input: { pass: secret } },
        ])
        expect((await send()).messages).to.deep.equal(result.messages)
      }),
      { numRuns: propertyRuns(20) },
    )
  })

  it('restores any finals to the same as the events of them', async () => {
    const finals: Message[] = [
      { role: 'assistant', parts: [{ type: 'text', text: 'To <EMAIL_1>' }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', callId: 'c', name: 'f', input: '<EMAIL_1> {' }],
      },
    ]
    const { result, send } = await ask(MAIL, eventsOfAll(finals))
    expect(JSON.stringify(result.messages)).to.include(`To ${MAIL}`).and.include(`${MAIL} {`)
    expect((await send()).messages).to.deep.equal(result.messages)
  })

  it('writes values into an answer in JSON as JSON', async () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIB-x\n-----END PRIVATE KEY-----'
    const answer = textAnswer('{"key": "<KE', 'Y_1>", "mail": "<EMAIL_1>"}')
    const provider = { kind: 'provider', name: 'p', stream: () => answer }
    const config: Config = { ...configOf(), response_format: { type: 'json' } }
    const host = await createHost({ plugins: [provider, redact], config })
    const stream = host.stream({}, `${key} of ${MAIL}`)
    const shown = deltasOf(await collect(stream))
    const { messages } = await stream.result
    expect(JSON.parse(shown)).to.deep.equal({ key, mail: MAIL })
    expect(messages[0]?.parts).to.deep.equal([{ type: 'text', text: shown }])
    expect((await host.send({}, `${key} of ${MAIL}`)).messages).to.deep.equal(messages)
  })

  it('gives tools the real values, and the provider placeholders again', async () => {
    const inputs: unknown[] = []
    const finder = tool('finder', {
      getToolSchemas: () => [schema('find')],
      executeTool: ({ input }: { readonly input: unknown }) => {
        inputs.push(input)
        return `${MAIL} lives at 10.0.0.1`
      },
    })
    const script = [
      { when: { tool: 'find' }, then: { text: 'I was told: {{result.find}}' } },
      { then: { tool_calls: [{ name: 'find', input: { who: '<EMAIL_1>' } }] } },
    ]
    const config = { ...configOf(), settings: { scripted: { script, delay_ms: 0 } } }
    const host = await createHost({ plugins: [scripted, redact, finder], config })
    const { messages } = await run(host, { messages: `Who is ${MAIL}?` }).result
    expect(inputs).to.deep.equal([{ who: MAIL }])
    expect(messages.at(-1)?.parts).to.deep.equal([
      { type: 'text', text: `I was told: ${MAIL} lives at 10.0.0.1` },
    ])
  })

  it('keeps its table out of native, state, logs and errors', async () => {
    const seen: unknown[] = []
    const provider = {
      kind: 'provider',
      name: 'p',
      toNative: (messages: unknown) => ({ messages }),
      stream: (native: unknown, state: unknown) => {
        seen.push(native, state)
        throw new Error('the provider failed')
      },
    }
    const log = (entry: unknown) => seen.push(entry)
    const host = await createHost({ plugins: [provider, redact], config: configOf(), log })
    seen.push((await errorOf(host.send({}, MAIL))).toJSON())
    expect(seen).to.have.length.greaterThan(2)
    expect(JSON.stringify(seen)).to.include('<EMAIL_1>').and.not.include(MAIL)
  })

  describe('where plugins behind it add to the messages', () => {
    const adder = {
      kind: 'feature',
      name: 'adder',
      editMessages: (messages: readonly Message[]) => [
        user({ type: 'text', text: `Known: "${MAIL}"\nand 10.0.0.1` }),
        user({ type: 'data', name: 'note', data: { card: 4_111_111_111_111_111 } }),
        ...messages,
      ],
    }

    async function sentBy(toNative: (messages: readonly Message[]) => unknown) {
      let sent: unknown
      const provider = {
        kind: 'provider',
        name: 'p',
        toNative,
        stream: (native: unknown) => {
          sent = native
          return textAnswer('Hi <EMA', 'IL_2> <EMAIL_1>')
        },
      }
      const host = await createHost({ plugins: [provider, redact, adder], config: configOf() })
      return { ...(await host.send({}, 'I am bob@example.org')), sent }
    }

    it('takes it out of the native request, and puts it back', async () => {
      const { sent, messages, warnings } = await sentBy(([first, second, third]) => ({
        system: `${JSON.stringify(first?.parts)} is true.`,
        note: second?.parts,
        user: third?.parts,
      }))
      expect(sent).to.deep.equal({
        system: `${JSON.stringify([{ type: 'text', text: 'Known: "<EMAIL_2>"\nand <IP_1>' }])} is true.`,
        note: [{ type: 'data', name: 'note', data: { card: '<CARD_1>' } }],
        user: [{ type: 'text', text: 'I am <EMAIL_1>' }],
      })
      expect(warnings).to.deep.equal([])
      expect(messages[0]?.parts).to.deep.equal([
        { type: 'text', text: `Hi ${MAIL} bob@example.org` },
      ])
    })

    it('warns where the provider wrote it otherwise', async () => {
      const { warnings } = await sentBy((messages) =>
        JSON.stringify(messages).replace('Known', 'So'),
      )
      expect(warnings).to.have.length(1)
      expect(warnings[0]).to.include('added 2 value(s)').and.not.include(MAIL)
    })
  })

  it('has patterns of the user, on which no text can hang', async () => {
    const table = tableOf({
      rules: ['email'],
      patterns: [{ label: 'EMPLOYEE', pattern: 'E-\\d{4}' }],
    })
    expect(table.redact(`E-1234 E-5678 10.0.0.1 ${MAIL}`)).to.equal(
      '<EMPLOYEE_1> <EMPLOYEE_2> 10.0.0.1 <EMAIL_1>',
    )
    const evil = tableOf({ rules: [], patterns: [{ label: 'X', pattern: '(a+)+$' }] })
    expect(evil.redact(`${'a'.repeat(20_000)}b`)).to.have.length(20_001)
  })

  it('sends nothing where its patterns take too long', () => {
    const slow = tableOf({ rules: [], patterns: [{ label: 'X', pattern: 'a.*b|a' }] })
    expect(() => slow.redact('a'.repeat(50_000)))
      .to.throw('take more than 2 s')
      .with.property('code', 'TIMEOUT')
  })

  it('takes time that grows with the text and no faster', () => {
    const bits = [
      'a',
      '+1',
      '@',
      'a@a.',
      '-----BEGIN PRIVATE KEY-----',
      'AA11',
      '1 ',
      '4',
      ':',
      'eyJ',
      '0-',
    ]
    for (const bit of bits) {
      const began = performance.now()
      tableOf().redact(bit.repeat(100_000 / bit.length))
      expect(performance.now() - began, bit).to.be.below(3_000)
    }
  })

  it('takes what overlaps as one', () => {
    const table = tableOf({ patterns: [{ label: 'ORG', pattern: 'example\\.org/\\w+' }] })
    expect(table.redact(`see ${MAIL}/home now`)).to.equal('see <EMAIL_1> now')
  })

  it('is off until it is asked for', async () => {
    const host = await createHost({ plugins: [scripted, redact] })
    expect((await host.resolve({})).enabled.extensions).to.deep.equal([])
  })

  const faults: readonly [settings: object, pointer: string][] = [
    [{ rules: ['mail'] }, '/rules/0'],
    [{ patterns: [{ label: 'a', pattern: 'a' }] }, '/patterns/0/label'],
    [{ patterns: [{ label: 'A', pattern: '(' }] }, '/patterns/0/pattern'],
  ]
  for (const [settings, pointer] of faults) {
    it(`refuses the settings ${JSON.stringify(settings)}`, async () => {
      expect(await errorOf(() => readSettings(configOf(settings)))).to.include({
        code: 'SETTINGS_INVALID',
        pointer: `/settings/redact${pointer}`,
      })
      const host = await createHost({ plugins: [scripted, redact], config: configOf(settings) })
      expect(await errorOf(host.send({}, 'Hello'))).to.include({ code: 'SETTINGS_INVALID' })
    })
  }

  it('loses nothing of what it held where a stream fails', async () => {
    const provider = {
      kind: 'provider',
      name: 'p',
      getTags: () => ['text'],
      stream: async function* () {
        yield* textAnswer('Write to <EMA').slice(0, -1)
        throw new Error('lost')
      },
    }
    const host = await createHost({ plugins: [provider, redact], config: configOf() })
    const stream = host.stream({}, `I am ${MAIL}`)
    const events = await collect(stream)
    const checker = new EventChecker()
    for (const event of events) checker.check(event)
    const { status, messages } = await stream.result
    expect(status).to.equal('failed')
    expect(messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'Write to <EMA' }])
  })
})
