import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { FACTS_PATH, factsPage } from '../../../scripts/facts-page.ts'
import type { Fact } from '../../../src/agent/facts/fact.ts'
import { FACT_CLASSES, FACT_SOURCES } from '../../../src/agent/facts/index.ts'
import { RunFacts } from '../../../src/agent/facts/run-facts.ts'
import type { StoredRun } from '../../../src/agent/index.ts'
import type { RunEvent, RunEventBody } from '../../../src/plugin/events/index.ts'
import { factFaults, HAS_FACT_SCHEMAS, limeClasses } from '../../helpers/fact-schemas.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { VARIANTS } from './variants.ts'

const RUN: StoredRun = {
  id: 'run',
  owner: 'ada',
  conversationId: 'talk',
  status: 'done',
  order: {},
  startedAt: 1_700_000_000_000,
  nextSeq: 0,
  legSeq: 0,
}

const eventsOf = (bodies: readonly RunEventBody[], first = 0): readonly RunEvent[] =>
  bodies.map((body, index) => {
    const seq = first + index
    return { ...body, runId: RUN.id, seq, at: RUN.startedAt + seq }
  })

function factsOf(bodies: readonly RunEventBody[], place = 0, first = 0): readonly Fact[] {
  const facts = new RunFacts(RUN, place)
  return eventsOf(bodies, first).flatMap((event) => facts.add(event))
}

const ALL: readonly RunEventBody[] = Object.values(VARIANTS).flat()

describe('the facts of a run', () => {
  it('LR-16 have the classes of the profile, and no other', function () {
    if (!HAS_FACT_SCHEMAS) return this.skip()
    expect(FACT_CLASSES).to.deep.equal(limeClasses())
  })

  it('LR-16 are valid by the schemas, whatever the event', function () {
    if (!HAS_FACT_SCHEMAS) return this.skip()
    for (const body of ALL) {
      expect(factFaults(RUN, eventsOf([body])), body.type).to.deep.equal([])
    }
    expect(factFaults(RUN, eventsOf(ALL))).to.deep.equal([])
    const { conversationId: _, ...alone } = RUN
    const untimed = eventsOf(ALL).map(({ at: __, ...event }) => event as RunEvent)
    expect(factFaults(alone, untimed)).to.deep.equal([])
    const far = eventsOf(ALL).map((event, index) => ({ ...event, at: index % 2 ? 1e20 : -1 }))
    expect(factFaults(RUN, far)).to.deep.equal([])
  })

  for (const [type, variants] of Object.entries(VARIANTS)) {
    it(`LR-16 of ${type} are of all the classes that the table names, and of no other`, () => {
      const told = variants.flatMap((body) => factsOf([body]).map((fact) => fact.type))
      const { classes } = FACT_SOURCES[type as RunEvent['type']]
      expect([...new Set(told)].toSorted()).to.deep.equal([...classes].toSorted())
    })
  }

  it('LR-16 are the table of the docs; run "npm run docs" where this fails', () => {
    const page = readFileSync(join(ROOT, FACTS_PATH), 'utf8')
    expect(page).to.equal(factsPage())
    const rows = [...page.matchAll(/^\| `([\w.]+)` \| (.+) \|$/gm)]
    expect(rows.map(([, name]) => name)).to.deep.equal(FACT_CLASSES)
    const caused = (name: string) => rows.find(([, one]) => one === name)?.[2]
    expect(caused('tool.failed')).to.include('`tool-execution-end`')
    expect(caused('benchmark.trial.started')).to.equal('nothing here')
  })

  it('LR-16 call a canceled call failed with that status, and give the catalog ids of its own', () => {
    const [, canceled] = VARIANTS['tool-execution-end']
    const [failed] = factsOf(canceled ? [canceled] : [])
    expect(failed).to.deep.include({ type: 'tool.failed', toolCallId: 'c' })
    expect(failed?.payload).to.include({ status: 'canceled' })
    const [catalog] = factsOf(VARIANTS['tool-inventory'])
    expect(catalog).to.include({ stepId: 'run/step-0', toolCallId: 'run/catalog-0' })
    const [late] = factsOf(VARIANTS['tool-execution-late'])
    expect(late?.type).to.equal('tool.failed')
    expect(late?.payload).to.include({ status: 'interrupted', endedAs: 'succeeded' })
  })

  it('LR-14 have id, time, sequence, session, thread and turn, and what they are about', () => {
    const [step] = VARIANTS['step-start']
    const [call] = VARIANTS['tool-execution-progress']
    const [, progress] = factsOf(step && call ? [step, call] : [])
    expect(progress).to.deep.equal({
      type: 'tool.progress',
      eventId: 'run/1.0',
      timestamp: '2023-11-14T22:13:20.001Z',
      schemaVersion: 'lime-profile-0.4.0',
      runtimeId: 'braidwork',
      sessionId: 'talk',
      threadId: 'talk',
      turnId: 'run',
      runId: 'run',
      sequence: 1024,
      stepId: 'run/step-1',
      toolCallId: 'c',
      payload: { progress: 1 },
    })
  })

  it('LR-14 grow within their session, over all its runs, and none has the id of another', () => {
    const all = [...factsOf(ALL), ...factsOf(ALL, 1), ...factsOf(ALL, 2)]
    const numbers = all.map(({ sequence }) => sequence)
    expect(numbers).to.deep.equal([...new Set(numbers)].toSorted((left, right) => left - right))
    const ids = factsOf(ALL).map(({ eventId }) => eventId)
    expect(new Set(ids).size).to.equal(ids.length)
    // A late event of an earlier run comes before the next run, and changes none of its numbers.
    const late = factsOf(VARIANTS['tool-execution-late'], 0, 60_000_000)
    expect(late[0]?.sequence).to.be.below(factsOf(VARIANTS.start, 1)[0]?.sequence ?? 0)
    expect(Number.isSafeInteger(factsOf(VARIANTS.start, 100_000)[0]?.sequence)).to.equal(true)
  })

  it('tell a session and a thread once, and a further leg as running again', () => {
    const types = (place: number, first: number) =>
      factsOf(VARIANTS.start, place, first).map(({ type }) => type)
    const turn = ['turn.submitted', 'turn.started', 'run.status']
    expect(types(0, 0)).to.deep.equal(['session.created', 'thread.started', ...turn])
    expect(types(1, 0)).to.deep.equal(turn)
    expect(types(0, 7)).to.deep.equal(['run.status'])
  })

  it('tell a question as an action alone, and an approval as a permission too', () => {
    const told = (bodies: readonly RunEventBody[]) =>
      bodies.map((body) =>
        factsOf([body]).map(({ type, payload }) => ({ type, ...Object(payload) })),
      )
    const [asks, questions] = told(VARIANTS['approval-required'])
    expect(asks?.map(({ type }) => type)).to.deep.equal(['permission.requested', 'action.required'])
    expect(asks?.[1]).to.include({ actionType: 'tool_permission', decisionKind: 'allow_or_deny' })
    expect(questions?.map(({ type }) => type)).to.deep.equal(['action.required'])
    expect(questions?.[0]).to.include({ actionType: 'question', decisionKind: 'answer' })
    const answers = told(VARIANTS['approval-resolved']).map((facts) =>
      facts.map(({ type }) => type),
    )
    expect(answers).to.deep.equal([['permission.resolved', 'action.resolved'], ['action.resolved']])
  })

  it('tell a run that waits as waiting, until it is answered', () => {
    const { finish: ends, 'approval-required': asks, 'approval-resolved': answers } = VARIANTS
    const status = (bodies: readonly RunEventBody[]) =>
      factsOf(bodies)
        .filter(({ type }) => type === 'run.status' || type === 'turn.completed')
        .map(({ type, payload }) => [type, (payload as { status: string }).status])
    expect(status([...asks, ...ends])).to.deep.equal([['run.status', 'waiting']])
    expect(status([...asks, ...answers, ...ends])).to.deep.equal([
      ['turn.completed', 'completed'],
      ['run.status', 'completed'],
    ])
  })

  it('LT-08 list the tools that are not offered, with the reasons', () => {
    const [catalog] = factsOf(VARIANTS['tool-inventory'])
    const { tools } = (catalog?.payload ?? {}) as {
      tools: readonly { tool_name: string; offered: boolean; reason?: string }[]
    }
    expect(tools.map(({ tool_name, offered, reason }) => [tool_name, offered, reason]))
      .to //
      .deep.equal([
        ['add', true, undefined],
        ['braille', false, 'missing tags: braille'],
        ['write', false, 'The policy denies it.'],
      ])
  })
})
