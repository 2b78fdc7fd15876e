import { expect } from 'chai'
import fc from 'fast-check'
import { HostError } from '../../../src/plugin/errors.ts'
import { EventChecker, isEnding, type StreamEvent } from '../../../src/plugin/events/index.ts'
import { legalStream, partials } from '../../helpers/arbitraries.ts'

function checkAll(events: readonly unknown[]): EventChecker {
  const checker = new EventChecker()
  for (const event of events) checker.check(event)
  return checker
}

function faultOf(events: readonly unknown[]): HostError | undefined {
  try {
    checkAll(events)
    return undefined
  } catch (error) {
    return error as HostError
  }
}

function circle(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

const FINISH = { type: 'finish', finishReason: 'stop', usage: {}, messages: [] }

/** An edit of a legal stream that makes it illegal; `at` picks where. */
type Mutation = (events: readonly StreamEvent[], at: number) => readonly StreamEvent[]

function pick(events: readonly StreamEvent[], pattern: RegExp, at: number): number {
  const indexes = [...events.keys()].filter((index) => pattern.test(events[index]?.type ?? ''))
  return indexes[at % indexes.length] ?? -1
}

function insert(events: readonly StreamEvent[], index: number, event: unknown): StreamEvent[] {
  return events.toSpliced(index, 0, event as StreamEvent)
}

const MUTATIONS: { readonly [name: string]: Mutation } = {
  'a start that was dropped': (events, at) => events.toSpliced(pick(events, /.-start$/, at), 1),
  'an end that came twice': (events, at) => {
    const index = pick(events, /-end$/, at)
    return insert(events, index + 1, events[index])
  },
  'an id that was used before': (events, at) => {
    const start = events[pick(events, /.-start$/, at)]
    return insert(events, events.length - 1, start)
  },
  'a delta after the end': (events, at) => {
    const index = pick(events, /-end$/, at)
    const { type, id } = events[index] as { type: string; id: string }
    const delta = { type: type.replace('-end', '-delta'), id, delta: 'x' }
    return insert(events, index + 1, delta)
  },
  'a second ending': (events) => [...events, events.at(-1) as StreamEvent],
  'a partial after the ending': (events, at) => [
    ...events,
    events[1 + (at % (events.length - 1))]!,
  ],
  'a second start of the request': (events, at) =>
    insert(events, 1 + (at % (events.length - 1)), { type: 'start', requestId: 'r' }),
  'a part that is open at the finish': (events, at) => [
    ...events.slice(0, -1).toSpliced(pick(events, /-end$/, at), 1),
    FINISH as StreamEvent,
  ],
  'an id that is no string': (events, at) => {
    const index = pick(events, /-(delta|end)$/, at)
    return events.with(index, { ...events[index], id: 7 } as unknown as StreamEvent)
  },
  'a delta that is no string': (events, at) => {
    const index = pick(events, /-end$/, at)
    const { type, id } = events[index] as { type: string; id: string }
    return insert(events, index, { type: type.replace('-end', '-delta'), id, delta: 7 })
  },
  'an event of an unknown type': (events, at) =>
    insert(events, at % events.length, { type: 'text-strat', id: 'x' }),
}

describe('EventChecker', () => {
  it('lets every legal stream pass', () => {
    fc.assert(fc.property(legalStream, (events) => void checkAll(events)))
  })

  for (const [name, mutate] of Object.entries(MUTATIONS)) {
    it(`refuses ${name}, wherever it is`, () => {
      fc.assert(
        fc.property(legalStream, fc.nat(), (events, at) => {
          const fault = faultOf(mutate(events, at))
          expect(fault?.code).to.equal('EVENTS_INVALID')
        }),
      )
    })
  }

  it('says which event is not allowed and why', () => {
    const fault = faultOf([{ type: 'text-delta', id: 'a', delta: 'x' }])
    expect(fault?.message).to.equal(
      'Event "text-delta" is not allowed here: no "text-start" with the id "a" is open.',
    )
    expect(faultOf([{ type: 'nonsense' }])?.message).to.include('text-start')
  })

  it('says what a value lacks to be an event', () => {
    const saysOf = (...events: unknown[]) => faultOf(events)?.message
    const start = { type: 'text-start', id: 'a' }
    expect(saysOf(start, { type: 'text-delta', id: 'a', text: 'x' })).to.include(
      '"delta" is missing or is not of type string',
    )
    expect(saysOf({ type: 'data', name: 'd' })).to.include('"data" is missing.')
    expect(saysOf({ text: 'hello' })).to.include('An event without a type is not allowed here')
    expect(saysOf(7)).to.include('A value of type number is not allowed here')
    expect(saysOf(null)).to.include('A value of type null (None) is not allowed here')
  })

  for (const [what, value] of [
    ['nested too deeply', Array.from({ length: 50_000 }).reduce((inner) => [inner], null)],
    ['no JSON', { at: [Number.NaN] }],
    ['in a circle', circle()],
  ] as const) {
    it(`refuses values that are ${what}, which nobody could store or write`, () => {
      const call = { type: 'tool-call-start', id: '1', name: 'n' }
      expect(faultOf([{ type: 'data', name: 'd', data: value }])?.code).to.equal('EVENTS_INVALID')
      expect(faultOf([{ type: 'source', more: value }])?.code).to.equal('EVENTS_INVALID')
      expect(faultOf([call, { type: 'tool-call-end', id: '1', input: value }])?.code).to.equal(
        'EVENTS_INVALID',
      )
    })
  }

  it('refuses whatever is no event with EVENTS_INVALID, and with nothing else', () => {
    for (const value of [null, undefined, 'text', 7, [], { delta: 'x' }, { type: '__proto__' }]) {
      expect(faultOf([value])?.code, JSON.stringify(value)).to.equal('EVENTS_INVALID')
    }
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        const fault = faultOf([value])
        expect(HostError.is(fault) && fault.code).to.equal('EVENTS_INVALID')
      }),
    )
  })

  it('needs the fields of whole parts', () => {
    for (const event of [
      { type: 'file' },
      { type: 'data', name: 'x' },
      { type: 'tool-result', callId: 'c', name: 'n' },
      { type: 'metadata', metadata: 'stop' },
      { type: 'tool-call-start', id: 'c' },
    ]) {
      expect(faultOf([event])?.message, event.type).to.include('is missing')
    }
  })

  it('closes what is open, in the order in which it was opened, wherever a stream stops', () => {
    fc.assert(
      fc.property(partials, fc.nat(), (events, cut) => {
        const checker = checkAll(events.slice(0, cut % (events.length + 1)))
        for (const event of checker.closing()) checker.check(event)
        checker.check(FINISH)
      }),
    )
  })

  it('closes a tool call with the arguments that had come', () => {
    const checker = checkAll([
      { type: 'text-start', id: 'a' },
      { type: 'tool-call-start', id: 'a', name: 'add' },
      { type: 'tool-call-delta', id: 'a', delta: '{"x":' },
      { type: 'tool-call-delta', id: 'a', delta: ' 1' },
    ])
    expect(checker.closing()).to.deep.equal([
      { type: 'text-end', id: 'a' },
      { type: 'tool-call-end', id: 'a', input: '{"x": 1' },
    ])
  })

  it('lets an error and an abort come while parts are open', () => {
    for (const type of ['error', 'abort']) {
      checkAll([{ type: 'text-start', id: 'a' }, { type }])
    }
  })

  it('takes start and endings from the host alone', () => {
    const frame = [{ type: 'start', requestId: 'r' }, FINISH, { type: 'error' }, { type: 'abort' }]
    for (const event of frame) {
      expect(() => new EventChecker().check(event, 'plugin')).to.throw('only the host may send it')
      expect(() => new EventChecker().check(event)).to.not.throw()
    }
  })
})

describe('isEnding', () => {
  it('knows the three endings', () => {
    for (const type of ['finish', 'error', 'abort']) expect(isEnding({ type })).to.equal(true)
    for (const type of ['start', 'text-end', 'data']) expect(isEnding({ type })).to.equal(false)
  })

  it('refuses a file that is nowhere', () => {
    expect(faultOf([{ type: 'file', mediaType: 'image/png' }])?.message).to.contain('data or url')
    expect(
      faultOf([{ type: 'file', mediaType: 'image/png', url: 'https://a.example/b.png' }]),
    ).to.equal(undefined)
  })
})
