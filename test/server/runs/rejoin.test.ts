import { expect } from 'chai'
import type { Message } from '../../../src/plugin/events/index.ts'
import { type Identity, LOCAL } from '../../../src/server/index.ts'
import type { GivenAnswer } from '../../../src/server/runs/kept-answer.ts'
import { Rejoiner } from '../../../src/server/runs/rejoin.ts'

const HOUR = 60 * 60_000
const ADA = { id: 'ada', role: 'user' } as const

const call = (callId: string, name: string) =>
  ({ type: 'tool-call', callId, name, input: {} }) as const
const ANSWERED: readonly Message[] = [
  { role: 'assistant', parts: [call('c1', 'search'), call('c2', 'locate')] },
  { role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'search', output: 'found' }] },
]
const SHOWN: readonly Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Where?' }] },
  { role: 'assistant', parts: [call('c2', 'locate')] },
  { role: 'tool', parts: [{ type: 'tool-result', callId: 'c2', name: 'locate', output: 'there' }] },
]

const AGENT = { agent: 'one', tools: [] }
const CLIENT_TOOLS = new Set(['locate'])

/** The same answer, with another result of the host. */
function answerWith(output: string): readonly Message[] {
  const result = { type: 'tool-result', callId: 'c1', name: 'search', output } as const
  return [ANSWERED[0]!, { role: 'tool', parts: [result] }]
}

describe('what a client was not shown of an answer', () => {
  let now = 0
  let rejoiner: Rejoiner
  beforeEach(async () => {
    now = 0
    rejoiner = new Rejoiner(() => now)
    await keep(SHOWN.slice(0, 1), ANSWERED)
  })

  /** Keeps an answer to a history. */
  async function keep(
    history: readonly Message[],
    messages: readonly Message[],
    more: Partial<GivenAnswer> = {},
  ): Promise<void> {
    const tools = [{ name: 'locate', description: '', input_schema: {} }]
    const { place = '' } = await rejoiner.rejoin(ADA, { ...AGENT, tools }, history)
    rejoiner.keep(ADA, { place, agent: 'one', messages, clientTools: CLIENT_TOOLS, ...more })
  }

  const rejoined = async (
    messages: readonly Message[],
    { who = ADA, agent = 'one' }: { readonly who?: Identity; readonly agent?: string } = {},
  ) => (await rejoiner.rejoin(who, { ...AGENT, agent }, messages)).messages

  const said = (...parts: Message['parts']): readonly Message[] => [
    SHOWN[0]!,
    { role: 'assistant', parts },
    SHOWN[2]!,
  ]
  const text = (words: string) => ({ type: 'text', text: words }) as const

  it('stands again where its history has that answer', async () => {
    expect(await rejoined(SHOWN)).to.deep.equal([SHOWN[0], ...ANSWERED, SHOWN[2]])
  })

  it('is kept for an hour', async () => {
    now = HOUR - 1
    expect(await rejoined(SHOWN)).to.have.length(4)
    now = HOUR
    expect(await rejoined(SHOWN)).to.deep.equal(SHOWN)
  })

  it('is kept for an hour from its last answer, whatever earlier answer used the same ids', async () => {
    const later = answerWith('moved')
    now = HOUR / 2
    await keep(SHOWN.slice(0, 1), later)
    now = HOUR
    expect(await rejoined(SHOWN)).to.deep.equal([SHOWN[0], ...later, SHOWN[2]])
  })

  it('takes the place of calls that the client was shown and sends back, under whichever ids', async () => {
    const result = (callId: string, output = 'found') =>
      ({ type: 'tool-result', callId, name: 'search', output }) as const
    const before: readonly Message[] = [
      { role: 'assistant', parts: [call('c0', 'search')] },
      { role: 'tool', parts: [result('c0')] },
    ]
    const shownIds = new Map([['mcp_run_0', 'c1']])
    await keep(before, ANSWERED, { shownIds })
    for (const id of ['c1', 'mcp_run_0']) {
      const apart = (output?: string): readonly Message[] => [
        ...before,
        { role: 'assistant', parts: [call(id, 'search')] },
        { role: 'tool', parts: [result(id, output)] },
        ...SHOWN.slice(1),
      ]
      expect(await rejoined(apart())).to.deep.equal([...before, ...ANSWERED, SHOWN[2]])
      const together = (output?: string): readonly Message[] => [
        ...before,
        { role: 'assistant', parts: [call('c2', 'locate'), call(id, 'search')] },
        { role: 'tool', parts: [result(id, output), ...(SHOWN[2]?.parts ?? [])] },
      ]
      expect(await rejoined(together())).to.deep.equal([...before, ...ANSWERED, SHOWN[2]])
      for (const changed of [apart('cleared'), together('cleared')]) {
        expect(await rejoined(changed)).to.deep.equal(changed)
      }
    }
  })

  it("is nobody else's", async () => {
    expect(await rejoined(SHOWN, { who: LOCAL })).to.deep.equal(SHOWN)
  })

  it('is not put into what the client says of other calls, or in the name of others', async () => {
    const other: readonly Message[] = [
      { role: 'user', parts: [text('c2')] },
      { role: 'assistant', parts: [call('c9', 'locate')] },
    ]
    expect(await rejoined(other)).to.deep.equal(other)
  })

  it('is not that of another conversation, whose calls have the same ids', async () => {
    const same = said({ ...call('c2', 'locate'), input: { city: 'Rome' } })
    expect(await rejoined(same)).to.deep.equal(same)
    const other = [{ ...SHOWN[0]!, parts: [text('Where, Bob?')] }, ...SHOWN.slice(1)]
    expect(await rejoined(other)).to.deep.equal(other)
    const system: Message = { role: 'system', parts: [text('For Bob')] }
    expect(await rejoined([system, ...SHOWN])).to.deep.equal([system, ...SHOWN])
  })

  it('takes no place of an answer that the client changed, or of which it left something out', async () => {
    const [three, four] = [call('c3', 'locate'), call('c4', 'locate')]
    const whole: readonly Message[] = [
      { role: 'assistant', parts: [text('I look'), call('c1', 'search')] },
      ...ANSWERED.slice(1),
      { role: 'assistant', parts: [text(' twice.\n'), three, four] },
    ]
    await keep(SHOWN.slice(0, 1), whole)
    const changed = [
      said(text('I look twice!'), three, four),
      said(three, four),
      said(text('I look twice.'), three),
      said(text('I look twice.'), three, three),
      said(text('I look twice.'), three, four, call('c5', 'locate')),
      said(text('I look twice.'), three, { ...four, input: { city: 'Rome' } }),
      said({ type: 'reasoning', text: 'Never thought' }, text('I look twice.'), three, four),
    ]
    for (const history of changed) expect(await rejoined(history)).to.deep.equal(history)
    for (const words of ['I look twice.\n', 'I look twice.']) {
      const same = said(text(words), three, four)
      expect(await rejoined(same)).to.deep.equal([SHOWN[0], ...whole, SHOWN[2]])
    }
  })

  it('stays, whether or not the client sends the reasoning', async () => {
    const thought = {
      type: 'reasoning',
      text: 'Look.',
      providerMetadata: { p: { of: 1 } },
    } as const
    const whole: readonly Message[] = [
      { role: 'assistant', parts: [thought, ...ANSWERED[0]!.parts] },
      ...ANSWERED.slice(1),
    ]
    await keep(SHOWN.slice(0, 1), whole)
    const sent = [said({ type: 'reasoning', text: 'Look.' }, call('c2', 'locate')), SHOWN]
    for (const history of sent) {
      expect(await rejoined(history)).to.deep.equal([SHOWN[0], ...whole, SHOWN[2]])
    }
    const next: Message = { role: 'assistant', parts: [call('c6', 'locate')] }
    await keep(sent[0]!, [{ ...next, parts: [call('h6', 'search'), ...next.parts] }])
    const later = await rejoined([...SHOWN, next])
    expect(later.at(-1)?.parts).to.have.length(2)
  })

  it('stays where the client sends the reasoning as text in tags, or other white space between texts', async () => {
    const thought = (words: string) => ({ type: 'reasoning', text: words }) as const
    const whole: readonly Message[] = [
      { role: 'assistant', parts: [thought('Look.'), text('I look.'), call('c1', 'search')] },
      ...ANSWERED.slice(1),
      { role: 'assistant', parts: [thought('Now there.'), text('There?'), call('c2', 'locate')] },
    ]
    await keep(SHOWN.slice(0, 1), whole)
    const sent = [
      [
        text('<think>\nLook.\n</think>'),
        text('I look.'),
        text('<think>\nNow there.\n</think>'),
        text('There?'),
      ],
      [text('<thinking>Look.</thinking>\n\nI look.\n\n<thinking>Now there.</thinking>\n\nThere?')],
      [text('I look.\n\nThere?\n\n<think>Now there.</think>')],
      [text('I look. There?')],
    ]
    for (const texts of sent) {
      const history = said(...texts, call('c2', 'locate'))
      expect(await rejoined(history)).to.deep.equal([SHOWN[0], ...whole, SHOWN[2]])
    }
    const others = [
      [text('<think>\nNever thought\n</think>'), text('I look.'), text('There?')],
      [text('<think>\nLook.\n</thinking>'), text('I look.'), text('There?')],
      [text('Look.'), text('I look.'), text('There?')],
      [text('<think>Look.</think>'), text('I look.')],
      [text('I look.'), text('There?'), text('<think>Look.')],
      [text('I loo k.'), text('There?')],
    ]
    for (const texts of others) {
      const history = said(...texts, call('c2', 'locate'))
      expect(await rejoined(history)).to.deep.equal(history)
    }
  })

  it('stays where the client was shown the texts of the last step alone', async () => {
    const whole: readonly Message[] = [
      { role: 'assistant', parts: [text('I look.'), call('c1', 'search')] },
      ...ANSWERED.slice(1),
      { role: 'assistant', parts: [text('There?'), call('c2', 'locate')] },
    ]
    await keep(SHOWN.slice(0, 1), whole, { holdsText: true })
    const sent = said(text('There?'), call('c2', 'locate'))
    expect(await rejoined(sent)).to.deep.equal([SHOWN[0], ...whole, SHOWN[2]])
  })

  it('stays where a text of the model itself looks like reasoning in tags', async () => {
    const words = '<think>Look.</think>There?'
    const whole: readonly Message[] = [
      {
        role: 'assistant',
        parts: [{ type: 'reasoning', text: 'Look.' }, text(words), ...ANSWERED[0]!.parts],
      },
      ...ANSWERED.slice(1),
    ]
    await keep(SHOWN.slice(0, 1), whole)
    const same = said(text(words), call('c2', 'locate'))
    expect(await rejoined(same)).to.deep.equal([SHOWN[0], ...whole, SHOWN[2]])
    const less = said(text('There?'), call('c2', 'locate'))
    expect(await rejoined(less)).to.deep.equal(less)
  })

  it('is that of the same agent where several gave the same answer', async () => {
    const other = answerWith('moved')
    await keep(SHOWN.slice(0, 1), other, { agent: 'two' })
    expect(await rejoined(SHOWN)).to.deep.equal([SHOWN[0], ...ANSWERED, SHOWN[2]])
    for (const agent of ['two', 'three']) {
      expect(await rejoined(SHOWN, { agent })).to.deep.equal([SHOWN[0], ...other, SHOWN[2]])
    }
  })

  it('is so much and no more, the newest of it', async () => {
    const large = (callId: string): readonly Message[] => [
      { role: 'assistant', parts: [call(callId, 'locate')] },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'h', name: 'search', output: 'x'.repeat(4 << 20) }],
      },
    ]
    // More than what is kept of all callers together, if what was forgotten counted.
    for (let at = 0; at < 20; at++) await keep([], large(`large-${at}`))
    const lengths: number[] = []
    for (const at of [15, 16, 17, 18, 19]) {
      const shown: readonly Message[] = [
        { role: 'assistant', parts: [call(`large-${at}`, 'locate')] },
      ]
      lengths.push((await rejoined(shown)).length)
    }
    expect(lengths).to.deep.equal([1, 1, 2, 2, 2])
    expect(await rejoined(SHOWN)).to.deep.equal(SHOWN)
  })

  it('is the newest thousand calls at most', async () => {
    for (let at = 0; at < 1000; at++) {
      await keep([], [{ role: 'assistant', parts: [call(`n${at}`, 'locate')] }])
    }
    expect(await rejoined(SHOWN)).to.deep.equal(SHOWN)
    const newest: readonly Message[] = [{ role: 'assistant', parts: [call('n999', 'locate')] }]
    expect(await rejoined(newest)).to.deep.equal(newest)
  })
})
