import { expect } from 'chai'
import { RunFacts } from '../../src/agent/facts/run-facts.ts'
import { explainRun } from '../../src/agent/internal.ts'
import { type ConfigLayer, createHost } from '../../src/core/index.ts'
import {
  type ContextReport,
  type ContextResolvedEvent,
  type Message,
  type RunEvent,
  textOf,
} from '../../src/plugin/events/index.ts'
import { textProvider } from '../helpers/hosts.ts'
import { ANSWER, CUT, Flaky, QuickTime } from './flaky-provider.ts'
import { expectAgreement, recordedRun } from './recorded-run.ts'

/** A feature that does something in `editMessages`. */
function teller(name: string, tell: (report: (report: ContextReport) => void) => void): object {
  return {
    kind: 'feature',
    name,
    editMessages(
      messages: readonly Message[],
      _state: object,
      { report }: { readonly report: (report: ContextReport) => void },
    ) {
      tell(report)
      return messages
    },
  }
}

const contextsOf = (events: readonly RunEvent[]): readonly ContextResolvedEvent[] =>
  events.filter((event) => event.type === 'context-resolved')

async function ran(plugins: readonly unknown[], config: ConfigLayer = {}, options: object = {}) {
  await using host = await createHost({ plugins, config })
  const recorded = await recordedRun(host, options)
  expectAgreement(recorded)
  return recorded
}

describe('the context of a request', () => {
  it('LR-06 is one stored event before the answer: what plugins put in, left out, and miss', async () => {
    const { events, run } = await ran([
      textProvider('fine'),
      teller('notes', (report) => {
        report({ kind: 'file', ref: 'notes.md' })
        report({ kind: 'memory', ref: 'm1', status: 'left_out', reason: 'no room' })
      }),
      teller('policies', (report) => {
        report({ kind: 'policy', ref: 'house', status: 'missing', reason: 'no such file' })
      }),
    ])
    const [told, ...more] = contextsOf(events)
    expect(more).to.deep.equal([])
    expect(told?.items).to.deep.equal([
      { kind: 'file', ref: 'notes.md', status: 'included', plugin: 'notes' },
      { kind: 'memory', ref: 'm1', status: 'left_out', reason: 'no room', plugin: 'notes' },
      {
        kind: 'policy',
        ref: 'house',
        status: 'missing',
        reason: 'no such file',
        plugin: 'policies',
      },
    ])
    const types = events.map(({ type }) => type)
    expect(types.indexOf('context-resolved')).to.equal(types.indexOf('step-start') + 1)
    expect(types.indexOf('context-resolved')).to.be.below(types.indexOf('text-start'))
    expect(explainRun(run, events).steps[0]?.context).to.deep.equal(told?.items)
  })

  it('LR-06 becomes the fact context.resolved, sorted by what became of it', async () => {
    const { events, run } = await ran([
      textProvider(),
      teller('a', (report) => {
        report({ kind: 'file', ref: 'in' })
        report({ kind: 'file', ref: 'cut', status: 'shortened', reason: 'long' })
        report({ kind: 'file', ref: 'out', status: 'left_out', reason: 'longer' })
        report({ kind: 'file', ref: 'gone', status: 'missing', reason: 'deleted' })
      }),
    ])
    const facts = new RunFacts(run, 0)
    const [fact] = events
      .flatMap((e) => facts.add(e))
      .filter(({ type }) => type === 'context.resolved')
    const { included, leftOut, missing } = (fact?.payload ?? {}) as Record<
      string,
      { ref: string }[]
    >
    const refs = [included, leftOut, missing].map((items) => items?.map(({ ref }) => ref))
    expect(refs).to.deep.equal([['in', 'cut'], ['out'], ['gone']])
  })

  it('LR-06 is not told of a request about which nobody reports anything', async () => {
    const { events } = await ran([textProvider(), teller('silent', () => undefined)])
    expect(contextsOf(events)).to.deep.equal([])
  })

  it('LR-06 is told of each request, also of one whose output was discarded', async () => {
    const { environment } = new QuickTime()
    const flaky = new Flaky({ error: CUT }, ANSWER)
    let requests = 0
    const { events } = await ran(
      [flaky.plugin(), teller('a', (report) => report({ kind: 'file', ref: `${++requests}` }))],
      {},
      { environment, retry: { max_retries: 1 } },
    )
    const refs = contextsOf(events).map(({ items }) => items.map(({ ref }) => ref))
    expect(refs).to.deep.equal([['1'], ['2']])
    // It shows a reader nothing of an answer, so a failure after it is as invisible as one before it.
    expect(events.map(({ type }) => type)).to.not.include('step-reset')
  })

  it('LR-06 has a bounded number of reports, of a bounded length, whatever a plugin says', async () => {
    const { events } = await ran([
      textProvider(),
      teller('loud', (report) => {
        for (let at = 0; at < 250; at++) {
          report({ kind: 'file', ref: `${at} ${'x'.repeat(100_000)}`, reason: '😀'.repeat(9999) })
        }
      }),
    ])
    const [told] = contextsOf(events)
    expect(told).to.include({ omitted: 150 })
    expect(told?.items).to.have.length(100)
    expect(JSON.stringify(told).length).to.be.below(100_000)
    const reasons = told?.items.map(({ reason = '' }) => reason).join('') ?? ''
    expect(Buffer.from(reasons).toString()).to.equal(reasons)
  })

  it('LR-06 has no secrets', async () => {
    const configSchema = {
      type: 'object',
      properties: { key: { type: 'string', writeOnly: true } },
    }
    const secret = 'sk-0123456789abcdef'
    const { events } = await ran(
      [
        textProvider(),
        {
          ...teller('a', (report) => {
            report({ kind: 'resource', ref: `https://x/?key=${secret}`, reason: secret })
          }),
          configSchema,
        },
      ],
      { settings: { a: { key: secret } } },
    )
    expect(contextsOf(events)).to.have.length(1)
    expect(JSON.stringify(events)).to.not.include(secret)
  })

  it('LR-06 refuses a report that is none, in words that name the plugin', async () => {
    const wrong: readonly unknown[] = [
      undefined,
      'notes.md',
      { kind: 'secret', ref: 'x' },
      { kind: 'file' },
      { kind: 'file', ref: '' },
      { kind: 'file', ref: 'x', status: 'perhaps' },
      { kind: 'file', ref: 'x', reason: 1 },
    ]
    for (const report of wrong) {
      const { result, events } = await ran([
        textProvider(),
        teller('odd', (tell) => tell(report as ContextReport)),
      ])
      expect(result.error, JSON.stringify(report)).to.include({
        code: 'EVENTS_INVALID',
        plugin: 'odd',
      })
      expect(result.error?.message).to.include('A report of plugin "odd" is invalid')
      expect(contextsOf(events)).to.deep.equal([])
    }
  })

  it('LR-06 ends with what was sent: a later report is none of the request', async () => {
    const late = {
      kind: 'feature',
      name: 'late',
      finalize(
        finals: readonly unknown[],
        native: unknown,
        state: object,
        { report }: { readonly report: (report: ContextReport) => void },
      ) {
        report({ kind: 'file', ref: 'late' })
        return [finals, native, state]
      },
    }
    const { events, result } = await ran([textProvider('fine'), late])
    expect(result.messages.map(textOf)).to.deep.equal(['fine'])
    expect(contextsOf(events)).to.deep.equal([])
  })

  it('LR-06 tells what the program put in, and that a summary took the place of messages', async () => {
    const summary = {
      role: 'user',
      parts: [{ type: 'text', text: 'They greeted each other.' }],
      metadata: {
        insertedBy: 'host',
        compaction: { summary: 'They greeted.', replaced: 7, kept: [] },
      },
    } as const
    const asked = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    const context = [{ kind: 'instructions', ref: 'AGENTS.md', status: 'included' }]
    const { events } = await ran([textProvider()], {}, { messages: [summary, asked], context })
    const reason = 'a summary took the place of 7 messages'
    expect(contextsOf(events)[0]?.items).to.deep.equal([
      ...context,
      { kind: 'history', ref: 'earlier messages', status: 'shortened', reason },
    ])
  })
})
