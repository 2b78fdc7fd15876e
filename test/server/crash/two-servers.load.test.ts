import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { shareOfCommit } from '../../helpers/cases.ts'
import { PostgresServer } from '../../helpers/postgres.ts'
import { textOf } from '../load/stamps.ts'
import { CRASH_MODEL, type CrashFolder, crashFolder, WORDS } from './crash-folder.ts'
import { collected, framesOf, ServerProcess, type StoredEvent, textIn } from './server-process.ts'

const RUNS = 8
const LEASE_SECONDS = 2
const ENDINGS = ['finish', 'error', 'abort']
const SCRIPT = textOf(WORDS)

/** Processes that know nothing of each other's ids, like those of two machines. */
const ELSEWHERE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const

interface Place {
  readonly name: string
  readonly within: readonly string[]
  /** Why it cannot be had here. */
  missing(): string | undefined
}

const PLACES: readonly Place[] = [
  { name: 'on one machine', within: [], missing: () => undefined },
  {
    name: 'that cannot look for each other',
    within: ELSEWHERE,
    missing: () => {
      const { status } = spawnSync(ELSEWHERE[0], [...ELSEWHERE.slice(1), 'true'])
      return status === 0 ? undefined : 'no process may have ids of its own here ("unshare --pid")'
    },
  },
]

interface Store {
  readonly name: string
  missing(): string | undefined
  /** The address of a new one. */
  make(): Promise<string>
  remove(): Promise<void>
}

function stores(): readonly Store[] {
  let postgres: PostgresServer | undefined
  const remove = async () => postgres?.close()
  return [
    {
      name: 'file of SQLite',
      missing: () => undefined,
      make: async () => 'conversations.db',
      remove: async () => undefined,
    },
    {
      name: 'PostgreSQL',
      missing: () => PostgresServer.missing(),
      make: async () => {
        postgres = await PostgresServer.start()
        return postgres.createDatabase()
      },
      remove,
    },
  ]
}

/** A run that one server works at, and what was read of it. */
interface Followed {
  readonly conversationId: string
  readonly runId: string
  /** Through the server that is at work, until the connection broke. */
  readonly before: StoredEvent[]
  /** Through the other one, to the end. */
  readonly all: Promise<readonly StoredEvent[]>
}

for (const [at, store] of stores().entries()) {
  for (const { name, within, missing } of shareOfCommit(PLACES, PLACES.length, at)) {
    describe(`two servers on one ${store.name}, ${name}`, function () {
      this.timeout(60_000)
      let folder: CrashFolder | undefined
      const servers: ServerProcess[] = []

      before(async function () {
        const reason = store.missing() ?? missing()
        if (reason !== undefined) {
          process.stderr.write(`two servers on one ${store.name}, ${name}: skipped, ${reason}\n`)
          this.skip()
        }
        folder = await crashFolder({ store: await store.make(), lease_seconds: LEASE_SECONDS })
      })
      after(async () => {
        await Promise.all(servers.map((server) => server.kill()))
        await store.remove()
        await folder?.remove()
      })

      async function start(): Promise<ServerProcess> {
        const server = await ServerProcess.start(folder?.folder ?? '', within)
        servers.push(server)
        return server
      }

      it('end the runs of the one that is killed, whole up to there, once, and go on', async () => {
        const first = await start()
        const second = await start()
        const ids = Array.from({ length: RUNS }, (_, at) => `talk-${at}`)
        const followed = await Promise.all(ids.map((id) => follow(id, first, second)))
        expect(await second.activeRuns()).to.equal(0)
        await first.kill()
        for (const run of followed) await expectInterrupted(run, second)
        await Promise.all(ids.map((id) => expectGoesOn(id, second)))
      })
    })
  }
}

/** Begins a run by one server, and reads it through both until there is something of it. */
async function follow(
  conversationId: string,
  first: ServerProcess,
  second: ServerProcess,
): Promise<Followed> {
  const response = await ask(first, conversationId, 'Go on.')
  const runId = response.headers.get('x-run-id') ?? ''
  const before: StoredEvent[] = []
  const all = collected(second.events(runId))
  await new Promise<void>((resolve) => {
    void readInto(before, first.events(runId), resolve)
  })
  return { conversationId, runId, before, all }
}

/** Reads until the connection breaks, and says when the answer has begun. */
async function readInto(
  events: StoredEvent[],
  source: AsyncIterable<StoredEvent>,
  begun: () => void,
): Promise<void> {
  try {
    for await (const event of source) {
      events.push(event)
      if (event.type === 'text-delta') begun()
    }
  } catch {
    // The connection broke: that is what happens here.
  }
}

async function expectInterrupted(run: Followed, server: ServerProcess): Promise<void> {
  const { conversationId, runId, before } = run
  const all = await run.all
  expect(all.map(({ seq }) => seq)).to.deep.equal(all.map((_, index) => index))
  expect(all.slice(0, before.length)).to.deep.equal(before)
  expect(all.filter(({ type }) => ENDINGS.includes(type))).to.have.length(1)
  expect(all.at(-1)?.error).to.include({ code: 'RUN_INTERRUPTED' })
  const text = textIn(all)
  expect(SCRIPT.startsWith(text) && text.length > 0 && text.length < SCRIPT.length).to.equal(true)
  expect(await collected(server.events(runId)), 'read again').to.deep.equal(all)
  const { messages, run: open, lastRun } = await server.conversation(conversationId)
  expect(open).to.equal(undefined)
  expect(lastRun).to.include({ id: runId, status: 'interrupted' })
  expect(
    messages
      .at(-1)
      ?.parts.map((part) => part.text ?? '')
      .join(''),
  ).to.equal(text)
}

async function expectGoesOn(conversationId: string, server: ServerProcess): Promise<void> {
  const types: string[] = []
  const again = await ask(server, conversationId, 'And now?')
  for await (const { type } of framesOf<StoredEvent>(again)) types.push(type)
  expect(types.at(-1)).to.equal('finish')
  const { lastRun, messages } = await server.conversation(conversationId)
  expect(lastRun).to.include({ status: 'done' })
  expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user', 'assistant'])
}

function ask(server: ServerProcess, id: string, text: string): Promise<Response> {
  const messages = [{ id: `q-${text}`, role: 'user', parts: [{ type: 'text', text }] }]
  return server.post('/api/chat', { id, messages, agent: CRASH_MODEL })
}
