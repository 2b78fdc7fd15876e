import { expect } from 'chai'
import fc from 'fast-check'
import { type Task, trim } from '../../../features/trim-history/trim.ts'
import type { ContextReport, Message, Part } from '../../../src/plugin/events/index.ts'
import { HAS_ALL_CASES, propertyRuns } from '../../helpers/cases.ts'
import { errorOf } from '../../helpers/plugins.ts'
import {
  disorder,
  isWhole,
  result,
  STORED,
  step,
  storedStep,
  text,
  turns,
} from './conversations.ts'

const NOTE = '[cut]'
const NEVER = new AbortController().signal

/** As if every character were a token; `loads` are the times that the tokenizer was asked for. */
function taskOf(tokens: number, more: Partial<Task> = {}) {
  const warnings: string[] = []
  const loads: number[] = []
  const reports: ContextReport[] = []
  const task: Task = {
    room: { tokens, why: 'a test' },
    longestResult: Number.POSITIVE_INFINITY,
    recent: 0,
    canReadAgain: false,
    note: NOTE,
    provider: 'p',
    schemas: [],
    signal: NEVER,
    warn: (warning) => warnings.push(warning),
    report: (report) => reports.push(report),
    load: async () => {
      loads.push(1)
      return lengthOf
    },
    ...more,
  }
  return { task, warnings, loads, reports }
}

const lengthOf = (one: string): number => one.length

/** What the test itself counts: all that is said, called and answered. */
function countOf(messages: readonly Message[]): number {
  const parts = messages.flatMap((message) => message.parts)
  return parts.reduce((sum, part) => sum + contentOf(part).length, 0)
}

function contentOf(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type === 'tool-call') return part.name + JSON.stringify(part.input)
  if (part.type !== 'tool-result') return ''
  return typeof part.output === 'string' ? part.output : JSON.stringify(part.output)
}

/** The message without the note that may have been put into it. */
function withoutNote({ parts, ...message }: Message): Message {
  return {
    ...message,
    parts: parts.filter((part) => part.type !== 'text' || part.text.trim() !== NOTE),
  }
}

async function trimmed(messages: readonly Message[], tokens: number, more: Partial<Task> = {}) {
  return trim(messages, taskOf(tokens, more).task)
}

/** What is left, or nothing where not even the newest messages fit. */
async function leftOf(messages: readonly Message[], tokens: number) {
  return trimmed(messages, tokens).catch((error: { code: string }) => {
    expect(error.code).to.equal('CONTEXT_OVERFLOW')
    return undefined
  })
}

/** Where in the messages those stood that are left: the same ones, but for the note, in their order. */
function indexesOf(left: readonly Message[], messages: readonly Message[]): number[] {
  const indexes = left.map(({ id }) => Number(id))
  for (const [at, index] of indexes.entries()) {
    expect(index).to.be.above(indexes[at - 1] ?? -1)
    if (left[at] === messages[index]) continue
    expect(left[at]!.role).to.equal('user')
    expect(withoutNote(left[at]!)).to.deep.equal(messages[index])
  }
  return indexes
}

/** Which result answers which call, as pairs of message indexes. */
function pairsOf(messages: readonly Message[]): [number, number][] {
  const open = new Map<string, number>()
  return messages.flatMap(({ parts }, at) =>
    parts.flatMap((part): [number, number][] => {
      if (part.type === 'tool-call') open.set(part.callId, at)
      if (part.type !== 'tool-result') return []
      const from = open.get(part.callId)
      open.delete(part.callId)
      return from === undefined ? [] : [[from, at]]
    }),
  )
}

const anyMessages = fc.oneof({ weight: 3, arbitrary: turns }, { weight: 1, arbitrary: disorder })
const anyRoom = fc.integer({ min: 1, max: 1500 })

describe('trim', () => {
  it('leaves whole messages, in their order, that fit', () =>
    fc.assert(
      fc.asyncProperty(anyMessages, anyRoom, async (messages, tokens) => {
        const left = await leftOf(messages, tokens)
        if (left === undefined) return
        indexesOf(left, messages)
        expect(countOf(left)).to.be.at.most(tokens)
      }),
      { numRuns: propertyRuns(500, 20) },
    ))

  it('keeps system messages, the newest user message, and the newest message', () =>
    fc.assert(
      fc.asyncProperty(anyMessages, anyRoom, async (messages, tokens) => {
        const left = await leftOf(messages, tokens)
        if (left === undefined) return
        const kept = indexesOf(left, messages)
        const needed = messages.flatMap(({ role }, at) => (role === 'system' ? [at] : []))
        const newest = messages.findLastIndex(({ role }) => role === 'user')
        expect(kept).to.include.members([...needed, messages.length - 1])
        if (newest !== -1) expect(kept).to.include(newest)
      }),
      { numRuns: propertyRuns(500, 20) },
    ))

  it('never parts a call from its result', () =>
    fc.assert(
      fc.asyncProperty(anyMessages, anyRoom, async (messages, tokens) => {
        const left = await leftOf(messages, tokens)
        if (left === undefined) return
        const kept = new Set(indexesOf(left, messages))
        for (const [from, to] of pairsOf(messages)) expect(kept.has(from)).to.equal(kept.has(to))
      }),
      { numRuns: propertyRuns(500, 20) },
    ))

  it('keeps what the user said last between a call and its result', async () => {
    const [calling, answered] = step('c', 'x'.repeat(50))
    const talk = [text('user', 'Go'), calling!, text('user', 'Wait'), answered!]
    const messages = [...talk, ...step('d', 'y'.repeat(50)), text('assistant', 'Done')]
    const left = await leftOf(messages, 150)
    expect(left).to.equal(undefined)
    expect(await leftOf(messages, 300)).to.equal(messages)
  })

  it('begins with a user where the conversation did', () =>
    fc.assert(
      fc.asyncProperty(turns, anyRoom, async (messages, tokens) => {
        const left = await leftOf(messages, tokens)
        const first = (all: readonly Message[]) => all.find(({ role }) => role !== 'system')?.role
        if (left && first(messages) === 'user') expect(first(left)).to.equal('user')
      }),
      { numRuns: propertyRuns(500, 20) },
    ))

  it('changes nothing in what it left', () =>
    fc.assert(
      fc.asyncProperty(anyMessages, anyRoom, async (messages, tokens) => {
        const left = await leftOf(messages, tokens)
        if (left) expect(await trimmed(left, tokens)).to.equal(left)
      }),
      { numRuns: propertyRuns(500, 20) },
    ))

  it('leaves no less in a larger room', () =>
    fc.assert(
      fc.asyncProperty(
        anyMessages,
        anyRoom,
        fc.nat({ max: 300 }),
        async (messages, tokens, more) => {
          const small = await leftOf(messages, tokens)
          const large = await leftOf(messages, tokens + more)
          if (small === undefined) return
          expect(large, 'what fits into less room').to.not.equal(undefined)
          expect(indexesOf(large!, messages)).to.include.members(indexesOf(small, messages))
        },
      ),
      { numRuns: propertyRuns(1000, 40) },
    ))

  it('cuts a conversation that grows at the same place for long, and keeps half of the room filled', async () => {
    const messages: Message[] = [text('system', 's'.repeat(50))]
    const cuts: number[] = []
    // Few turns in a small room are cut as often as many in a large one.
    const times = HAS_ALL_CASES ? 400 : 100
    const room = 7.5 * times
    for (let turn = 0; turn < times; turn++) {
      messages.push(text('user', 'q'.repeat(20)), text('assistant', 'a'.repeat(60 + (turn % 7))))
      const left = await trimmed(messages, room)
      if (left.length === messages.length) continue
      expect(countOf(left)).to.be.within(0.4 * room, room)
      cuts.push(messages.length - left.length)
    }
    // 85 tokens of each turn went by, and a cut frees from a quarter to a half of the room.
    expect(new Set(cuts).size).to.be.within(10, 50)
    expect(cuts).to.deep.equal(cuts.toSorted((one, other) => one - other))
  })

  it('tells the model in the first user message that is left', async () => {
    const messages = [
      text('system', 'Be brief.'),
      text('user', 'x'.repeat(90)),
      text('assistant', 'y'),
      text('user', 'New'),
    ]
    expect(await trimmed(messages, 60)).to.deep.equal([
      messages[0],
      {
        role: 'user',
        parts: [
          { type: 'text', text: '[cut]\n\n' },
          { type: 'text', text: 'New' },
        ],
      },
    ])
  })

  it('tells the model nothing where the note is empty', async () => {
    const messages = [text('user', 'x'.repeat(90)), text('assistant', 'y'), text('user', 'New')]
    expect(await trimmed(messages, 60, { note: '' })).to.deep.equal(messages.slice(2))
  })

  it('takes the oldest steps out of an answer that is too long, and keeps what it answers', async () => {
    const steps = Array.from({ length: 30 }, (_, at) => step(`call-${at}`, 'x'.repeat(20)))
    const messages = [
      text('user', 'Old'),
      text('assistant', 'ok'),
      text('user', 'Go'),
      ...steps.flat(),
    ]
    const { task, warnings } = taskOf(600)
    const left = await trim(messages, task)
    expect(left[0]).to.deep.equal({
      role: 'user',
      parts: [
        { type: 'text', text: 'Go' },
        { type: 'text', text: '\n\n[cut]' },
      ],
    })
    expect(left.slice(1)).to.deep.equal(messages.slice(1 - left.length))
    expect(left.length).to.be.within(9, 21)
    expect(warnings).to.deep.equal([
      `Earlier messages left out to fit into 600 tokens: ${messages.length - left.length}`,
    ])
  })

  it('prefers a cut between turns to a rounder one within an answer', async () => {
    const messages = [
      text('user', 'one'),
      ...Array.from({ length: 9 }, (_, at) => step(`a${at}`)).flat(),
      text('user', 'two'),
      ...Array.from({ length: 8 }, (_, at) => step(`b${at}`)).flat(),
    ]
    const left = await trimmed(messages, 500)
    expect(left.slice(1)).to.deep.equal(messages.slice(20))
  })

  it('says once what it says, where it is to leave out more of what it left', async () => {
    const steps = Array.from({ length: 30 }, (_, at) => step(`call-${at}`, 'x'.repeat(20)))
    const left = await trimmed([text('user', 'Go'), ...steps.flat()], 600)
    const less = await trimmed(left, 300)
    expect(less.length).to.be.below(left.length)
    expect(less[0]).to.equal(left[0])
  })

  it('fails where even the newest messages do not fit, and says what was counted', async () => {
    const messages = [
      text('system', 's'.repeat(40)),
      text('user', 'old'),
      text('user', 'x'.repeat(2000)),
    ]
    const error = await errorOf(trimmed(messages, 1000, { schemas: [{ name: 'look' }] }))
    expect(error).to.include({ code: 'CONTEXT_OVERFLOW', retryable: false })
    expect(error.message).to.match(
      /about 2,004 tokens, beside 44 of system messages and 26 of tools, where there is room for 1,000 \(a test\)/,
    )
  })

  it('asks for no tokenizer where there are fewer bytes than room', async () => {
    const messages = [text('user', 'é'.repeat(40)), text('assistant', 'ok'), text('user', 'New')]
    const roomy = taskOf(200)
    expect(await trim(messages, roomy.task)).to.equal(messages)
    expect(roomy.loads).to.have.length(0)
    const narrow = taskOf(90)
    expect(await trim(messages, narrow.task)).to.equal(messages)
    expect(narrow.loads).to.have.length(1)
  })

  it('measures a part once, and again where it was written on', async () => {
    const seen: string[] = []
    const measure = (one: string): number => {
      seen.push(one)
      return one.length
    }
    const part = { type: 'text' as const, text: 'ééé' }
    const messages: Message[] = [{ role: 'user', parts: [part] }, text('assistant', 'ok')]
    const load = async () => measure
    await trimmed(messages, 18, { load })
    await trimmed(
      messages.map((message) => ({ ...message })),
      18,
      { load },
    )
    expect(seen.filter((one) => !one.includes(NOTE))).to.deep.equal(['ééé', 'ok'])
    part.text = 'éééé'
    await trimmed(messages, 18, { load })
    expect(seen.filter((one) => !one.includes(NOTE))).to.deep.equal(['ééé', 'ok', 'éééé'])
  })

  it('ends where the request is cancelled', async () => {
    const cancel = new AbortController()
    const messages = Array.from({ length: 200 }, () => text('user', 'Hello'))
    cancel.abort()
    const error = await errorOf(trimmed(messages, 20, { signal: cancel.signal }))
    expect(error.name).to.equal('AbortError')
  })

  describe('with a limit to results', () => {
    const limit = { longestResult: 200 }
    const gap = `\\n\\[\\d+ characters left out; the result is stored as ${STORED.hash}\\]\\n`

    it('LT-09 leaves whole what the model cannot read again', async () => {
      const messages = [text('user', 'Go'), ...step('call', 'a'.repeat(1000))]
      expect(await trimmed(messages, 5000, limit)).to.equal(messages)
    })

    it('LT-09 takes their middle, and says where the whole is stored', async () => {
      const output = `${'a'.repeat(500)}${'b'.repeat(500)}`
      const messages = [
        text('user', 'Go'),
        ...storedStep('call', output),
        ...storedStep('short', 'c'.repeat(150)),
      ]
      const { task, warnings, reports } = taskOf(5000, limit)
      const left = await trim(messages, task)
      const [part] = left[2]!.parts
      expect(part).to.include({ type: 'tool-result', callId: 'call' })
      const shown = contentOf(part!)
      expect(shown).to.match(new RegExp(`^a+${gap}b+$`))
      expect(shown.length).to.be.within(120, 200)
      expect(left.toSpliced(2, 1)).to.deep.equal(messages.toSpliced(2, 1))
      expect(warnings).to.deep.equal([])
      expect(reports.map(({ status, ref }) => [status, ref])).to.deep.equal([
        ['shortened', 'result of look (call)'],
      ])
    })

    it('does so once, and in the same way', async () => {
      const messages = [text('user', 'Go'), ...storedStep('call', { list: 'x'.repeat(999) })]
      const left = await trimmed(messages, 5000, limit)
      expect((await trimmed(messages, 5000, limit))[2]!.parts[0]).to.equal(left[2]!.parts[0])
      expect(await trimmed(left, 5000, limit)).to.deep.equal(left)
    })

    it('keeps files, and what is in a format of a provider', async () => {
      const file = { type: 'file', mediaType: 'image/png', data: '' } as const
      const texts = [
        { type: 'text', text: 'x'.repeat(500) },
        file,
        { type: 'text', text: 'y'.repeat(500) },
      ]
      const native = { native: { p: 'x'.repeat(999) }, output: 'x' }
      const messages: Message[] = [
        text('user', 'Go'),
        ...storedStep('list', texts),
        ...storedStep('native', native),
        {
          role: 'assistant',
          parts: [{ ...result('own', 'z'.repeat(999)), providerExecuted: true } as Part],
        },
      ]
      const left = await trimmed(messages, 50_000, limit)
      const [list] = left[2]!.parts as unknown as readonly [
        { readonly output: readonly { text: string }[] },
      ]
      expect(list.output).to.have.length(2)
      expect(list.output[0]!.text).to.match(new RegExp(`^x+${gap}y+$`))
      expect(list.output[1]).to.equal(file)
      expect(left.slice(3)).to.deep.equal(messages.slice(3))
    })

    it('leaves none that is longer, whatever it is', () =>
      fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.string({ minLength: 250, maxLength: 900, unit: 'grapheme' }), fc.jsonValue()),
          async (output) => {
            const messages = [text('user', 'Go'), ...storedStep('call', output)]
            const left = await trimmed(messages, 50_000, limit)
            expect(contentOf(left[2]!.parts[0]!).length).to.be.at.most(200)
            expect(isWhole(contentOf(left[2]!.parts[0]!))).to.equal(isWhole(JSON.stringify(output)))
          },
        ),
      ))
  })
})
