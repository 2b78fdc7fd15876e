import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { expectAgreement } from '../agent/agreement/index.ts'
import { HAS_ALL_CASES } from '../helpers/cases.ts'
import { FailingStorage, type Fault } from '../helpers/failing-storage.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const OWNER = 'ada'
const TALK = 'talk'
/** Milliseconds in which a run ends whose end can be stored. */
const LONGEST_READ = 2000
/** Seconds, so that a run is taken over soon. */
const LEASE = { heartbeat: 0.02, expiry: 0.05 }
const SCRIPT = [
  { when: { step: 1, equals: 'go' }, then: { tool_calls: [{ name: 'look', input: {} }] } },
  { when: { step: 2, equals: 'go' }, then: { tool_calls: [{ name: 'send', input: {} }] } },
  { then: { text: 'Done.' } },
]
const CONFIG = {
  settings: { scripted: { delay_ms: 0, script: SCRIPT } },
  tool_policy: { send: 'ask' },
} as const

const files = tool('files', {
  getToolSchemas: () => [schema('look'), schema('send')],
  executeTool: ({ name }: { readonly name: string }) => `${name} ran`,
})

function serve(storage: Storage): Promise<Served> {
  const options = { models: { quick: {} }, storage, lease: LEASE, log: () => undefined }
  return Served.start(options, { plugins: [scripted, files], config: CONFIG })
}

/** What a client was told of a conversation. */
interface Told {
  readonly isChatWhole: boolean
  readonly hasTitle: boolean
  /** The approvals that were accepted. */
  readonly accepted: readonly string[]
  readonly isDone: boolean
}

/** Asks, gives the conversation a title, approves what is asked, and reads the answer. */
async function askAll(served: Served, storage: Storage): Promise<Told> {
  const chat = await served.ask('/api/chat', {
    body: chatBody(TALK, [user('u', 'go')], { agent: 'quick' }),
  })
  const isChatWhole = chat.status === 200 && !chat.text.includes('"type":"error"')
  const body = { title: 'A talk' }
  const titled = await served.ask(`/api/conversations/${TALK}`, { method: 'PATCH', body })
  const run = await storage.runs.open(OWNER, TALK)
  const accepted: string[] = []
  for (const { id } of run ? await storage.approvals.list(OWNER, run.id) : []) {
    const { status } = await served.ask(`/approvals/${id}`, { body: { approved: true } })
    if (status === 200) accepted.push(id)
  }
  const read = run && accepted.length > 0 ? await readEvents(served, run.id) : undefined
  const isDone = read?.includes('"natural_end"') ?? false
  return { isChatWhole, hasTitle: titled.status === 200, accepted, isDone }
}

/** Reads a run for so long: where its end cannot be stored, it stays active until the storage works again. */
async function readEvents(served: Served, runId: string): Promise<string> {
  const response = await served.fetch(`/runs/${runId}/events`)
  const texts: string[] = []
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const timer = setTimeout(() => void reader?.cancel(), LONGEST_READ)
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) break
    texts.push(value ?? '')
  }
  clearTimeout(timer)
  return texts.join('')
}

/** Whatever a client was told is stored. */
async function expectStored(storage: Storage, told: Told, at: string): Promise<void> {
  const [run] = await storage.runs.list(OWNER, TALK)
  if (told.isChatWhole) {
    expect(run?.status, `${at}: the run`).to.be.oneOf([
      'suspended',
      'active',
      'done',
      'interrupted',
    ])
    const approvals = await storage.approvals.list(OWNER, run?.id ?? '')
    expect(approvals, `${at}: the approvals`).to.have.length(1)
  }
  if (told.hasTitle) {
    const talk = await storage.conversations.load(OWNER, TALK)
    expect(talk, `${at}: the title`).to.include({ title: 'A talk' })
  }
  for (const id of told.accepted) {
    const approval = await storage.approvals.load(OWNER, id)
    expect(approval?.answer, `${at}: the answer`).to.include({ approved: true })
  }
  if (told.isDone) expect(run, `${at}: the end`).to.include({ status: 'done' })
}

/** Another server takes the runs, and resumes those that were answered. */
async function recover(storage: Storage): Promise<void> {
  const next = await serve(storage)
  const isBusy = async () =>
    (await storage.runs.leases()).length > 0 || (await storage.runs.answered(Date.now())).length > 0
  while (await isBusy()) await pause(2)
  await next.close()
}

async function ranWith(fault: Fault): Promise<boolean> {
  const storage = memoryStorage()
  const failing = new FailingStorage(fault, ['runs.takeOver'])
  const served = await serve(failing.over(storage))
  const told = await askAll(served, storage)
  const at = `write ${fault.first}, ${failing.writes[fault.first]}`
  await expectStored(storage, told, at)
  await served.close()
  await recover(storage)
  await expectStored(storage, told, at)
  await expectAgreement(storage, async () => memoryStorage(), at)
  if (!failing.hasFailed)
    expect(told).to.include({ isChatWhole: true, hasTitle: true, isDone: true })
  return failing.hasFailed
}

describe('a server whose storage fails to write', function () {
  this.timeout(60_000)
  const every = HAS_ALL_CASES ? 1 : 8
  let start = 0

  for (const failure of ['before', 'after'] as const) {
    for (const [extent, lasts] of [
      ['once', 1],
      ['from then on', Number.POSITIVE_INFINITY],
    ] as const) {
      const begin = (2 * start++) % every
      it(`tells no client that something is stored that is not: ${failure} the write, ${extent}`, async () => {
        let hasFailed = true
        for (let first = begin; hasFailed; first += every) {
          hasFailed = await ranWith({ failure, first, lasts, isRetryable: false })
        }
      })
    }
  }
})
