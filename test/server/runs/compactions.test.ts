import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect } from 'chai'
import { type AgentSpec, createRuntime } from '../../../src/agent/index.ts'
import { explainRun } from '../../../src/agent/internal.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { NewEntry, Storage } from '../../../src/agent/storage/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import {
  type CompactionEvent,
  EventChecker,
  type Message,
  type Part,
  type RunEvent,
  type ToolCallPart,
  textOf,
} from '../../../src/plugin/events/index.ts'
import type { Log } from '../../../src/plugin/index.ts'
import type { ServerOptions } from '../../../src/server/index.ts'
import { factFaults } from '../../helpers/fact-schemas.ts'
import { caller, schema, tool } from '../../helpers/plugins.ts'
import { chatBody, Served, user } from '../routes/served.ts'

const LONG = 'word '.repeat(1200)

const text = (role: Message['role'], of: string): Message => ({
  role,
  parts: [{ type: 'text', text: of }],
})

const POLICY = { autocompact_threshold: 5000 }
const AGENTS: readonly AgentSpec[] = [
  { id: 'talker', system_prompt: 'You are a talker.', context_policy: POLICY },
  { id: 'quiet', context_policy: POLICY, sections: { compaction: { mode: 'off' } } },
]

const LOOKING = tool('looking', {
  getToolSchemas: () => [schema('look', { safety: { is_read_only: true } })],
  executeTool: () => LONG,
})

function look(at: number): ToolCallPart {
  return { type: 'tool-call', callId: `look${at}`, name: 'look', input: { at } }
}

/** An answer that a model gives to what it is sent, with the tokens that its API counts. */
type Answer = (sent: readonly Message[]) => { readonly text: string; readonly input?: number }

describe('compactions of a server', () => {
  let storage: Storage
  let served: Served
  let start: (more?: Partial<ServerOptions>) => Promise<Served>
  let sent: (readonly Message[])[]
  let answer: Answer
  let reached: () => Promise<void>
  /** What the next answer calls. */
  let calls: ToolCallPart[]
  /** How many further answers call `look`, each once. */
  let looks: number
  /** The tags of the provider. */
  let tags: string[]

  beforeEach(async () => {
    storage = memoryStorage()
    sent = []
    calls = []
    looks = 0
    tags = ['text', 'tools']
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine' })
    reached = async () => undefined
    const model = caller('model', [], {
      tags,
      call: async (native: readonly Message[], state: object) => {
        sent.push(native)
        if (isSummaryRequest(native)) await reached()
        const { text: said, input } = answer(native)
        const usage = input === undefined ? {} : { input, output: 10 }
        const metadata = { finishReason: 'stop', usage }
        const looking = looks > 0 && !isSummaryRequest(native) ? [look(looks--)] : []
        const parts = [...calls.splice(0), ...looking, { type: 'text', text: said }]
        return [[], [{ role: 'assistant', parts, metadata }], native, state]
      },
    })
    start = (more = {}) =>
      Served.start(
        { models: {}, storage, ...more },
        { plugins: [model, LOOKING], config: {} },
        async (host) => ({
          runtime: await createRuntime({ host, agents: AGENTS }),
        }),
      )
    served = await start()
  })
  afterEach(() => served.close())

  const talk = async (agent = 'talker') => {
    const turns = [text('user', `one ${LONG}`), text('assistant', LONG), text('user', 'two')]
    const entries = [...turns, text('assistant', 'yes')].map(
      (message, at): NewEntry => ({ id: `e${at}`, kind: 'message', message }),
    )
    await storage.conversations.create({ id: 'talk', owner: 'ada', agent, sender: 'ada' }, 1)
    await storage.conversations.append('ada', 'talk', { entries }, 1)
  }
  const compact = (as: 'ada' | 'bob' = 'ada') =>
    served.ask('/api/conversations/talk/compact', { method: 'POST', as })
  const say = (id: string, said: string, agent = 'talker') =>
    served.ask('/api/chat', { body: { ...chatBody('talk', [user(id, said)]), agent } })
  const markers = async () => {
    const entries = await storage.conversations.entries('ada', 'talk')
    return entries.filter((entry) => entry.kind === 'compaction')
  }

  it('CT-20 compact on request, with the prompt of the agent in front and nothing else', async () => {
    await talk()
    const { status, json } = await compact()
    expect(status).to.equal(200)
    expect(json).to.deep.include({ summary: 'in short', replaced: 2 })
    expect(sent).to.have.length(1)
    expect(sent[0]?.map(({ role }) => role)).to.deep.equal(['system', 'user'])
    expect(textOf(sent[0]![0]!)).to.equal('You are a talker.')
  })

  it('AW-43 send the next request with the summary in place of what it replaces', async () => {
    await talk()
    await compact()
    await say('u5', 'three')
    const [system, summary, ...rest] = sent[1]!.map(textOf)
    expect(system).to.equal('You are a talker.')
    expect(summary).to.match(/in short.*- one word.*more characters\]/s)
    expect(summary?.length).to.be.below(1000)
    expect(rest).to.deep.equal(['two', 'yes', 'three'])
  })

  it('show a person everything, and no summary', async () => {
    await talk()
    await compact()
    const history = await served.history('talk')
    expect(history.map(({ role }) => role)).to.deep.equal([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(JSON.stringify(history)).to.not.include('in short')
  })

  it('CT-20 compact by themselves from the threshold on that the API counted', async () => {
    await talk()
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine', input: 4980 })
    await say('u5', 'three')
    await say('u5b', 'and')
    await say('u5c', 'so')
    expect(sent.filter(isSummaryRequest)).to.deep.equal([])
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine', input: 4990 })
    await say('u6', 'four')
    await compacted()
    const [marker] = await markers()
    expect(marker).to.include({ trigger: 'threshold', summary: 'in short' })
  })

  it('CT-20 replace older steps of a long run, and the next turn goes on from there', async () => {
    await talk()
    looks = 7
    const { headers } = await say('u5', 'look around')
    const asked = () => sent.filter((messages) => !isSummaryRequest(messages))
    const last = asked().at(-1)?.map(textOf) ?? []
    expect(last.slice(0, 3).map((said) => said.split('\n\n')[1] ?? said)).to.deep.equal([
      'You are a talker.',
      'in short',
      'look around',
    ])
    await say('u6', 'and then?')
    expect(asked().at(-1)?.slice(0, -2).map(textOf)).to.deep.equal(last)
    const run = headers.get('x-run-id') ?? ''
    const events = await storage.runs.events('ada', run)
    const stored = (await storage.runs.load('ada', run)) ?? expect.fail('no run')
    const { compactions } = explainRun(stored, events)
    expect(compactions).to.have.length((await markers()).length)
    const entries = await storage.conversations.entries('ada', 'talk')
    const results = entries.flatMap((entry) =>
      entry.kind === 'message' ? entry.message.parts.filter(isResult) : [],
    )
    expect(results).to.have.length(7)
    for (const { archive } of await markers()) {
      expect(await storage.files.has('ada', archive, 'talk')).to.equal(true)
    }
  })

  it('CT-26 lose no message, and ask the agent nothing more', async () => {
    await talk()
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine', input: 9000 })
    await say('u5', 'three')
    await compacted()
    const requests = sent.filter((messages) => !isSummaryRequest(messages))
    expect(requests).to.have.length(1)
    const path = await storage.conversations.history('ada', 'talk')
    const messages = path.flatMap((entry) =>
      entry.kind === 'message' ? [textOf(entry.message)] : [],
    )
    expect(messages.slice(2)).to.deep.equal(['two', 'yes', 'three', 'fine'])
  })

  it('CT-20 are left to a model API that compacts by itself, except on request', async () => {
    await talk()
    tags.push('own-compaction')
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine', input: 9000 })
    await say('u5', 'three')
    await say('u6', 'four')
    expect(await markers()).to.deep.equal([])
    expect((await compact()).status).to.equal(200)
  })

  it('AW-40 do not compact by themselves where the section says off', async () => {
    await talk('quiet')
    answer = () => ({ text: 'fine', input: 9000 })
    await say('u5', 'three', 'quiet')
    await say('u6', 'four', 'quiet')
    await say('u7', 'five', 'quiet')
    expect(await markers()).to.deep.equal([])
    expect(sent).to.have.length(3)
  })

  it('AW-43 let the model read what the summary replaces, by the reference that it names', async () => {
    await talk()
    await compact()
    const archive = /under the reference ([0-9a-f]{64})/
    answer = () => ({ text: 'fine' })
    await say('u5', 'three')
    const [, hash = ''] = archive.exec(sent[1]!.map(textOf).join()) ?? []
    calls.push({ type: 'tool-call', callId: 'c1', name: 'read_result', input: { reference: hash } })
    await say('u6', 'read it')
    const results = sent.at(-1)!.flatMap(({ parts }) => parts.filter(isResult))
    expect(JSON.stringify(results)).to.include('one word')
  })

  it('CT-24 go on where the archive is damaged, and the model is told when it reads it', async () => {
    await talk()
    await compact()
    const { load } = storage.files
    storage.files.load = async (...place) => {
      const file = await load(...place)
      return file && { ...file, bytes: file.bytes.map((byte) => byte ^ 1) }
    }
    const [marker] = await markers()
    const reference = marker?.archive ?? ''
    answer = () => ({ text: 'fine' })
    calls.push({ type: 'tool-call', callId: 'c1', name: 'read_result', input: { reference } })
    expect((await say('u5', 'read it')).status).to.equal(200)
    const results = sent.at(-1)!.flatMap(({ parts }) => parts.filter(isResult))
    expect(results).to.have.length(1)
    expect(results[0]).to.have.property('isError', true)
    expect(JSON.stringify(results)).to.include('damaged')
  })

  it('AW-43 run one at a time for a conversation', async () => {
    await talk()
    const both: { begun?: () => void; release?: () => void } = {}
    const begun = new Promise<void>((resolve) => {
      both.begun = resolve
    })
    const released = new Promise<void>((resolve) => {
      both.release = resolve
    })
    reached = () => {
      both.begun?.()
      return released
    }
    const first = compact()
    await begun
    const second = await compact()
    expect([second.status, second.json]).to.have.nested.property(
      '[1].error.code',
      'COMPACTION_BUSY',
    )
    const other = await start()
    const third = await other.ask('/api/conversations/talk/compact', { method: 'POST' })
    await other.close()
    expect(third.json).to.have.nested.property('error.code', 'COMPACTION_BUSY')
    both.release?.()
    expect((await first).status).to.equal(200)
    expect(await markers()).to.have.length(1)
  })

  it('are cancelled when their conversation is deleted, and leave a new one of its id alone', async () => {
    await talk()
    const begun = new Promise<void>((resolve) => {
      reached = () => {
        resolve()
        return new Promise(() => undefined)
      }
    })
    const first = compact()
    await begun
    const deleted = await served.ask('/api/conversations/talk', { method: 'DELETE' })
    expect(deleted.status).to.equal(204)
    const { status, json } = await first
    expect([status, json['error']?.['code']]).to.deep.equal([404, 'CONVERSATION_UNKNOWN'])
    reached = async () => undefined
    await talk()
    expect((await compact()).status).to.equal(200)
  })

  it('CT-23 store nothing in a conversation that another server has put in the place of theirs', async () => {
    await talk()
    reached = async () => {
      await storage.conversations.delete('ada', 'talk')
      const about = { id: 'talk', owner: 'ada', agent: 'talker', sender: 'ada' }
      await storage.conversations.create(about, 2)
    }
    const { status, json } = await compact()
    expect([status, json['error']?.['code']]).to.deep.equal([404, 'CONVERSATION_UNKNOWN'])
    expect(await storage.conversations.entries('ada', 'talk')).to.deep.equal([])
    expect(await storage.files.count('ada', 'talk')).to.equal(0)
  })

  it('leave a branch alone that is taken while one runs', async () => {
    await talk()
    reached = async () => {
      const entry: NewEntry = { id: 'edit', kind: 'message', message: text('user', 'anew') }
      await storage.conversations.append('ada', 'talk', { entries: [entry], parent: null }, 1)
    }
    expect((await compact()).status).to.equal(200)
    await say('u5', 'three')
    expect(sent[1]?.map(textOf).slice(1)).to.deep.equal(['anew', 'three'])
  })

  it('say why a conversation cannot be compacted, and whose it is to nobody else', async () => {
    await talk()
    answer = () => ({ text: '' })
    const failed = await compact()
    expect([failed.status, failed.json]).to.have.nested.property(
      '[1].error.code',
      'COMPACTION_FAILED',
    )
    expect((await compact('bob')).status).to.equal(404)
    answer = () => ({ text: 'in short' })
    await compact()
    const again = await compact()
    expect([again.status, again.json]).to.have.nested.property(
      '[1].error.code',
      'COMPACTION_NEEDLESS',
    )
  })

  /** What the runs of the conversation tell of compactions, without what is the same in all events. */
  const told = async () => {
    const runs = await storage.runs.list('ada', 'talk')
    const all = await Promise.all(runs.toReversed().map(({ id }) => storage.runs.events('ada', id)))
    return all.flat().filter(isOfCompaction)
  }

  it('LR-07 tell in the log of the run before them that they began, and what they came to', async () => {
    await talk()
    answer = (messages) => ({ text: isSummaryRequest(messages) ? 'in short' : 'fine', input: 9000 })
    await say('u5', 'three')
    await compacted()
    await ended()
    const [run] = await storage.runs.list('ada', 'talk')
    const [start, end, ...more] = await told()
    expect(more).to.deep.equal([])
    expect(start).to.include({ type: 'compaction-start', trigger: 'threshold', runId: run?.id })
    const [marker] = await markers()
    const { done } = end?.type === 'compaction-end' ? end : expect.fail('it has no end')
    expect(done).to.deep.include({ preview: 'in short', replaced: 4, entryId: marker?.id })
    expect(marker).to.include({ keptFrom: done?.keptFrom })
    expect(done?.tokens?.after).to.be.below(done?.tokens?.before ?? 0)

    const events = await storage.runs.events('ada', run!.id)
    const checker = new EventChecker('run')
    for (const event of events) checker.check(event)
    const [known] = explainRun(run!, events).compactions
    expect(known).to.deep.include({ trigger: 'threshold', done })
    const facts = (await served.ask(`/runs/${run!.id}/facts`)).text.trim().split('\n')
    const classes = facts.map((line) => (JSON.parse(line) as { type: string }).type)
    expect(classes.slice(-2)).to.deep.equal([
      'context.compaction.started',
      'context.compaction.completed',
    ])
    expect(factFaults(run!, events)).to.deep.equal([])
  })

  it('LR-07 name the turns that they affect', async () => {
    await talk()
    for (const id of ['a', 'b', 'c']) await say(id, `${id} ${LONG}`)
    expect((await compact()).status).to.equal(200)
    const runs = await storage.runs.list('ada', 'talk')
    const ids = runs.map(({ id }) => id).toReversed()
    const end = (await told()).find((event) => event.type === 'compaction-end')
    expect(end?.done?.runIds).to.deep.equal(ids.slice(0, 2))
    expect(end?.runId).to.equal(ids[2])
  })

  it('LR-07 tell why they failed, in our words, and that they began anyway', async () => {
    await talk()
    await say('u5', 'three')
    answer = () => ({ text: '' })
    await compact()
    const [start, end] = await told()
    expect(start).to.include({ type: 'compaction-start', trigger: 'manual' })
    expect(end).to.deep.include({ type: 'compaction-end', compactionId: start?.compactionId })
    expect(end).to.have.nested.property('error.code', 'COMPACTION_FAILED')
    const [run] = await storage.runs.list('ada', 'talk')
    const { text: facts } = await served.ask(`/runs/${run?.id}/facts`)
    expect(facts).to.include('context.compaction.failed')
  })

  it('are in the log where they fail by themselves, with the run before them and the reason', async () => {
    const logged: Parameters<Log>[0][] = []
    await served.close()
    served = await start({ log: (entry) => logged.push(entry) })
    await talk()
    answer = (messages) => ({ text: isSummaryRequest(messages) ? '' : 'fine', input: 9000 })
    await say('u5', 'three')
    const warnings = () => logged.filter(({ level }) => level !== 'info')
    while (warnings().length === 0) await new Promise((resolve) => setImmediate(resolve))
    const [run] = await storage.runs.list('ada', 'talk')
    const [warning, ...more] = warnings()
    expect(more).to.deep.equal([])
    expect(warning).to.include({ level: 'warn', code: 'COMPACTION_FAILED', runId: run?.id })
    expect(warning?.message).to.match(/^A conversation was not compacted: \w.*\.$/)
  })

  it('LR-07 tell nothing where nothing can be replaced', async () => {
    await talk()
    await compact()
    await say('u5', 'three')
    await compact()
    expect(await told()).to.deep.equal([])
  })

  it('LR-07 are done without a run to tell them in', async () => {
    await talk()
    expect((await compact()).status).to.equal(200)
    expect(await markers()).to.have.length(1)
  })

  it('LR-07 go on where they cannot be told', async () => {
    await talk()
    await say('u5', 'three')
    storage.runs.addLate = async () => {
      throw new HostError('STORAGE_FULL', 'The disk is full.')
    }
    expect((await compact()).status).to.equal(200)
    expect(await markers()).to.have.length(1)
  })

  it('LR-07 are on the channel for diagnostics, once they are stored', async () => {
    const seen: string[] = []
    const note = (message: unknown): void => {
      seen.push((message as { event: { type: string } }).event.type)
    }
    subscribe('braidwork:run-event', note)
    try {
      await served.close()
      served = await start({ telemetry: {} })
      await talk()
      await say('u5', 'three')
      await compact()
      expect(seen.filter((type) => type.startsWith('compaction'))).to.deep.equal([
        'compaction-start',
        'compaction-end',
      ])
    } finally {
      unsubscribe('braidwork:run-event', note)
    }
  })

  /** Waits until the last compaction is told to have ended. */
  async function ended(): Promise<void> {
    while ((await told()).at(-1)?.type !== 'compaction-end') {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Waits until the server compacts nothing any more. */
  async function compacted(): Promise<void> {
    while ((await markers()).length === 0) await new Promise((resolve) => setImmediate(resolve))
  }
})

function isOfCompaction(event: RunEvent): event is RunEvent & CompactionEvent {
  return event.type === 'compaction-start' || event.type === 'compaction-end'
}

function isResult({ type }: Part): boolean {
  return type === 'tool-result'
}

function isSummaryRequest(messages: readonly Message[]): boolean {
  return messages.some((message) => textOf(message).startsWith('Summarize'))
}
