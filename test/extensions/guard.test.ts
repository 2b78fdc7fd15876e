import { expect } from 'chai'
import fc from 'fast-check'
import guard from '../../extensions/guard/index.ts'
import { readRules } from '../../extensions/guard/settings.ts'
import { TextScanner } from '../../extensions/guard/text-scanner.ts'
import scripted from '../../providers/scripted/index.ts'
import { createHost } from '../../src/core/host/index.ts'
import { EventChecker, type StreamEvent, textOf } from '../../src/plugin/events/index.ts'
import type { Config } from '../../src/plugin/index.ts'
import { propertyRuns } from '../helpers/cases.ts'
import { collect, scriptedHost, typesOf } from '../helpers/hosts.ts'
import { errorOf, eventProvider } from '../helpers/plugins.ts'

function configOf(...rules: readonly object[]): Config {
  return { enabled_plugins: ['guard'], settings: { guard: { rules } } }
}

const NO_FOO = { name: 'no foo', on: 'answer', words: ['foo', 'big secret'] }

/** What is shown of a text that comes in these pieces, and the rule that stops it. */
function scan(pieces: readonly string[], ...rules: readonly object[]) {
  const scanner = new TextScanner(readRules(configOf(...rules)))
  let shown = ''
  for (const piece of pieces) {
    const result = scanner.add(piece)
    shown += result.shown
    if (result.stop) return { shown, stop: result.stop.name }
  }
  const last = scanner.end()
  return { shown: shown + last.shown, stop: last.stop?.name }
}

function pieces(text: string, cuts: readonly number[]): string[] {
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  return [...ends, text.length].map((end, at) => text.slice(ends[at - 1] ?? 0, end))
}

async function ask(events: readonly StreamEvent[], ...rules: readonly object[]) {
  const host = await createHost({
    plugins: [eventProvider(events), guard],
    config: configOf(...rules),
  })
  const stream = host.stream({}, 'Hello')
  return { host, events: await collect(stream), result: await stream.result }
}

function textAnswer(...deltas: readonly string[]): StreamEvent[] {
  return [
    { type: 'text-start', id: '1' },
    ...deltas.map((delta): StreamEvent => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
  ]
}

function deltasOf(events: readonly StreamEvent[]): string {
  return events.map((event) => ('delta' in event ? event.delta : '')).join('')
}

describe('guard', () => {
  it('stops a request before anything is sent, by an error that names the rule and not the text', async () => {
    let sent = 0
    const answerOnce = () => {
      sent++
      return textAnswer('Hi')
    }
    const provider = { kind: 'provider', name: 'p', stream: () => answerOnce() }
    const rule = { name: 'no keys', on: 'request', pattern: 'sk-[a-z]+', message: 'keys stay here' }
    const host = await createHost({ plugins: [provider, guard], config: configOf(rule) })
    const error = await errorOf(host.send({}, 'my key is sk-abc'))
    expect(error).to.include({ code: 'CONTENT_FILTERED', plugin: 'guard', phase: 'prepare' })
    expect(error.message).to.include('"no keys"').and.include('keys stay here')
    expect(JSON.stringify(error.toJSON())).to.not.include('sk-abc')
    const events = await collect(host.stream({}, 'my key is sk-abc'))
    expect(typesOf(events)).to.deep.equal(['start', 'error'])
    expect(sent).to.equal(0)
    expect((await host.send({}, 'no key')).status).to.equal('done')
  })

  it('sees what plugins behind it put into the messages', async () => {
    const editMessages = () => [{ role: 'user', parts: [{ type: 'text', text: 'foo!' }] }]
    const adder = { kind: 'feature', name: 'adder', editMessages }
    const config = configOf({ ...NO_FOO, on: 'request' })
    const host = await createHost({
      plugins: [eventProvider(textAnswer('a')), guard, adder],
      config,
    })
    expect(await errorOf(host.send({}, 'Hello'))).to.include({ code: 'CONTENT_FILTERED' })
  })

  it('stops an answer at the first match, shows what came before it, and closes the provider', async () => {
    let isClosed = false
    let made = 0
    const provider = {
      kind: 'provider',
      name: 'p',
      async *stream() {
        try {
          yield { type: 'text-start', id: '1' }
          for (const delta of [
            'This is fine. ',
            'The f',
            'o',
            'o, is not, ',
            ...Array<string>(50).fill('more '),
          ]) {
            made++
            yield { type: 'text-delta', id: '1', delta }
          }
        } finally {
          isClosed = true
        }
      },
    }
    const host = await createHost({ plugins: [provider, guard], config: configOf(NO_FOO) })
    const stream = host.stream({}, 'Hello')
    const events = await collect(stream)
    expect(deltasOf(events)).to.equal('This is fine. The ')
    expect(typesOf(events).slice(-2)).to.deep.equal(['text-end', 'error'])
    expect(isClosed).to.equal(true)
    expect(made).to.be.below(10)
    const { status, error, messages } = await stream.result
    expect(status).to.equal('failed')
    expect(error).to.include({ code: 'CONTENT_FILTERED', plugin: 'guard' })
    expect(messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'This is fine. The ' }])
    const sent = await errorOf(host.send({}, 'Hello'))
    expect(sent).to.include({ code: 'CONTENT_FILTERED', message: error?.message })
  })

  it('looks at an answer after every sixteenth character, not later', () => {
    const scanner = new TextScanner(readRules(configOf(NO_FOO)))
    expect(scanner.add('This is a foo. ').stop).to.equal(undefined)
    expect(scanner.add('I').stop?.name).to.equal('no foo')
  })

  it('stops what a provider answers in one piece', async () => {
    const rule = { name: 'no fours', on: 'answer', pattern: '4' }
    const host = await scriptedHost([guard], configOf(rule))
    const answer = { settings: { scripted: { script: [{ then: { text: 'It is 2 + 2 = 4.' } }] } } }
    const sent = await errorOf(host.send(answer, 'Hello'))
    const stream = host.stream(answer, 'Hello')
    expect(deltasOf(await collect(stream))).to.equal('It is 2 + 2 = ')
    const { error } = await stream.result
    expect(sent).to.include({ code: 'CONTENT_FILTERED', message: error?.message })
  })

  it('shows the same of a text however it is cut', () => {
    const bits = fc.constantFrom(
      'foo',
      'fo',
      ' ',
      'o',
      '.',
      'ab',
      'abc',
      '\n',
      '😀',
      'big ',
      'secret',
      'lorem ipsum dolor ',
    )
    const rules = [NO_FOO, { name: 'abc', on: 'answer', pattern: '(?m)^ab+c|\\bxy\\b|o{3,}$' }]
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 60 }), fc.array(fc.nat(300)), (all, cuts) => {
        const text = all.join('')
        const whole = scan([text], ...rules)
        expect(scan(pieces(text, cuts), ...rules)).to.deep.equal(whole)
        if (whole.stop === undefined) expect(whole.shown).to.equal(text)
        expect(text.startsWith(whole.shown)).to.equal(true)
        // What the stream stops, `send` stops: the whole text has the match, and the other way round.
        const isMatch = readRules(configOf(...rules)).some(({ pattern }) =>
          pattern.matcher(text).find(),
        )
        expect(isMatch, text).to.equal(whole.stop !== undefined)
      }),
      { numRuns: propertyRuns(500, 20) },
    )
  })

  it('knows words by their edges, in any script', () => {
    const rule = { name: 'w', on: 'answer', words: ['über'] }
    expect(scan(['gegenüber, Überall, ', 'überaus'], rule).stop).to.equal(undefined)
    expect(scan(['es ist (Ü', 'BER)'], rule)).to.deep.equal({ shown: 'es ist (', stop: 'w' })
    expect(scan(['lorem afoo foobar and afoo'], NO_FOO).stop).to.equal(undefined)
  })

  it('stops matches of any length, and shows nothing from their beginning on', () => {
    const rule = { name: 'p', on: 'answer', pattern: 'key:.*' }
    expect(scan(['a key: ', 'b'.repeat(500), 'c'], rule)).to.deep.equal({ shown: 'a ', stop: 'p' })
  })

  it('takes time that grows with the text and no faster', () => {
    const text = 'key: '.padEnd(100_000, 'b')
    const began = performance.now()
    scan(
      pieces(
        text,
        Array.from({ length: 2_000 }, (_, at) => at * 50),
      ),
      { name: 'p', on: 'answer', pattern: 'key:.*' },
    )
    scan([text], { name: 'p', on: 'answer', pattern: '(b+)+$' })
    scan([text], { name: 'p', on: 'answer', pattern: '(x+x+)+y' })
    expect(performance.now() - began).to.be.below(8_000)
  })

  it('looks at what arguments of a call mean, and shows none of a call that is stopped', async () => {
    const call = (delta: string): StreamEvent[] => [
      { type: 'tool-call-start', id: 'c', name: 'f' },
      ...[...delta].map((one): StreamEvent => ({ type: 'tool-call-delta', id: 'c', delta: one })),
      { type: 'tool-call-end', id: 'c', input: JSON.parse(delta) },
    ]
    const stopped = await ask(call('{"a":"f\\u006fo"}'), NO_FOO)
    expect(typesOf(stopped.events)).to.deep.equal([
      'start',
      'tool-call-start',
      'tool-call-end',
      'error',
    ])
    expect(deltasOf(stopped.events)).to.equal('')
    expect(await errorOf(stopped.host.send({}, 'Hello'))).to.include({ code: 'CONTENT_FILTERED' })
    const passed = await ask(call('{"a":"bar"}'), NO_FOO)
    expect(deltasOf(passed.events)).to.equal('{"a":"bar"}')
    expect(passed.result.status).to.equal('done')
  })

  it('CL-42 leaves an answer that no rule matches as it is, in stream and send', async () => {
    const answer: StreamEvent[] = [
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-delta', id: '1', delta: 'Well' },
      ...textAnswer('Food', ' is fo', 'od'),
      { type: 'reasoning-end', id: '1' },
      { type: 'source', url: 'https://example.org' },
    ]
    const { host, events, result } = await ask(answer, NO_FOO)
    const checker = new EventChecker()
    for (const event of events) checker.check(event)
    expect(result.messages[0]?.parts).to.deep.equal([
      { type: 'reasoning', text: 'Well' },
      { type: 'text', text: 'Food is food' },
      { type: 'source', url: 'https://example.org' },
    ])
    expect((await host.send({}, 'Hello')).messages).to.deep.equal(result.messages)
  })

  it('warns by name, and holds nothing, where a rule only warns', async () => {
    const rules = [
      { ...NO_FOO, action: 'warn', message: 'mind it' },
      { name: 'hi', on: 'request', words: ['hello'], action: 'warn' },
    ]
    const { host, events, result } = await ask(textAnswer('a ', 'foo', ' b'), ...rules)
    expect(events.filter(({ type }) => type === 'text-delta')).to.have.length(3)
    expect(result.warnings).to.have.length(2)
    expect(result.warnings[0]).to.include('"hi"')
    expect(result.warnings[1]).to.include('"no foo"').and.include('mind it')
    expect((await host.send({}, 'Hello')).warnings).to.deep.equal(result.warnings)
  })

  it('is off until it is asked for, and on without a rule, so that a form can ask for one', async () => {
    const host = await createHost({ plugins: [scripted, guard] })
    const settings = configOf(NO_FOO).settings ?? {}
    expect((await host.resolve({ settings })).enabled.extensions).to.deep.equal([])
    expect((await host.resolve(configOf())).enabled.extensions).to.deep.equal(['guard'])
    const { status, messages } = await host.stream(configOf(), 'My name is Ada.').result
    expect([status, messages.map(textOf)]).to.deep.equal(['done', ['Noted. Your name is Ada.']])
    expect((await host.resolve(configOf(NO_FOO))).enabled.extensions).to.deep.equal(['guard'])
  })

  const faults: readonly [rule: object, pointer: string][] = [
    [{ name: '', on: 'answer', words: ['a'] }, '/0/name'],
    [{ name: 'a', on: 'both', words: ['a'] }, '/0/on'],
    [{ name: 'a', on: 'answer' }, '/0'],
    [{ name: 'a', on: 'answer', words: ['a'], pattern: 'a' }, '/0'],
    [{ name: 'a', on: 'answer', words: [] }, '/0/words'],
    [{ name: 'a', on: 'answer', pattern: '(?=a)' }, '/0/pattern'],
    [{ name: 'a', on: 'answer', pattern: 'a', action: 'stay' }, '/0/action'],
  ]
  for (const [rule, pointer] of faults) {
    it(`refuses the rule ${JSON.stringify(rule)}`, async () => {
      expect(await errorOf(() => readRules(configOf(rule)))).to.include({
        code: 'SETTINGS_INVALID',
        pointer: `/settings/guard/rules${pointer}`,
      })
    })
  }
})
