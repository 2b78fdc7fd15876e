import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { type Environment, run, systemEnvironment } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { RunLog } from '../../../src/agent/run-log/index.ts'
import type { RunStorage, Storage } from '../../../src/agent/storage/index.ts'
import { storageError } from '../../../src/agent/storage/storage-error.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

const OWNER = 'ada'
const ID = 'run-1'
const DEAD = 'dead'

/** Time that passes at once. */
function quickEnvironment(): Environment {
  let now = 0
  const sleep = async (milliseconds: number) => {
    now += milliseconds
    await setImmediate()
  }
  return { ...systemEnvironment, now: () => now, elapsed: () => now, sleep }
}

/** How a storage fails, from its nth write on: which of these writes fail, and whether a later try may succeed. */
const FAULTS = {
  locked: { isRetryable: true, lasts: 3 },
  full: { isRetryable: false, lasts: Number.POSITIVE_INFINITY },
  gone: { isRetryable: true, lasts: Number.POSITIVE_INFINITY },
} as const

/** A storage whose writes of events fail. */
class FailingStorage {
  readonly #runs: RunStorage
  readonly #fault: (typeof FAULTS)[keyof typeof FAULTS]
  #left: number
  #failures = 0

  constructor(runs: RunStorage, fault: (typeof FAULTS)[keyof typeof FAULTS], first: number) {
    this.#runs = runs
    this.#fault = fault
    this.#left = first
  }

  get hasFailed(): boolean {
    return this.#failures > 0
  }

  over(storage: Storage): Storage {
    const runs = this.#runs
    const failing = new Proxy(runs, {
      get: (_, name: keyof RunStorage) => {
        const method = runs[name].bind(runs) as (...args: unknown[]) => unknown
        if (name !== 'append' && name !== 'end') return method
        return async (...args: unknown[]) => {
          if (this.#left-- <= 0 && this.#failures++ < this.#fault.lasts) {
            throw storageError(new Error('no write'), this.#fault.isRetryable)
          }
          return method(...args)
        }
      },
    })
    return { ...storage, runs: failing }
  }
}

describe('a tool call whose storage fails', () => {
  const script = [
    {
      when: { step: 1 },
      then: {
        tool_calls: [1, 2].map((n) => ({ name: 'write', input: { n } })),
      },
    },
    { when: { step: 2 }, then: { tool_calls: [{ name: 'write', input: { n: 3 } }] } },
    { then: { text: 'Done.' } },
  ]

  /** A run over a storage that fails. Returns which calls ran, and all that is stored after another process took it. */
  async function runOver(kind: keyof typeof FAULTS, first: number) {
    const ran: string[] = []
    const write = tool('write', {
      getToolSchemas: () => [schema('write')],
      executeTool: async ({ callId }: { readonly callId: string }) => {
        ran.push(callId)
        await setImmediate()
        return 'written'
      },
    })
    await using host = await scriptedHost([write])
    const storage = memoryStorage()
    const failing = new FailingStorage(storage.runs, FAULTS[kind], first)
    const environment = quickEnvironment()
    const parts = { environment, log: () => undefined }
    const log = new RunLog({ ...parts, storage: failing.over(storage), holder: DEAD })
    const config = { settings: { scripted: { script } } }
    await log.start({
      run: { id: ID, owner: OWNER, order: {} },
      open: (_, { signal, committed }) =>
        run(host, { config, messages: 'go', runId: ID, signal, committed, environment }),
    })
    const told = await readAll(log).catch((error: { readonly code: string }) => error.code)
    await log.close()
    const next = new RunLog({ ...parts, storage })
    await next.recover((holder) => holder === DEAD)
    await next.close()
    const events = await storage.runs.events(OWNER, ID)
    return { ran, told, events, hasFailed: failing.hasFailed }
  }

  async function readAll(log: RunLog): Promise<readonly RunEvent[]> {
    const events: RunEvent[] = []
    for await (const page of log.read(OWNER, ID)) events.push(...page)
    return events
  }

  const idsOf = (events: readonly RunEvent[], type: RunEvent['type']) =>
    events.flatMap((event) => (event.type === type && 'callId' in event ? [event.callId] : []))

  for (const kind of ['full', 'gone'] as const) {
    it(`LT-10 has a record of each call that ran, whenever the storage is ${kind}`, async () => {
      let hasFailed = true
      for (let first = 0; hasFailed; first++) {
        const outcome = await runOver(kind, first)
        hasFailed = outcome.hasFailed
        const { ran, told, events } = outcome
        const at = `from write ${first} on`
        const begun = idsOf(events, 'tool-execution-start')
        expect(begun, at).to.include.members(ran)
        expect(idsOf(events, 'tool-execution-end'), at).to.include.members(begun)
        expect(new Set(ran).size, at).to.equal(ran.length)
        if (hasFailed) expect(told, at).to.equal('STORAGE_FAILED')
        else expect(ran, at).to.have.length(3)
      }
    })
  }

  it('LT-10 waits where the storage is locked, and goes on when it is not', async () => {
    let hasFailed = true
    for (let first = 0; hasFailed; first++) {
      const outcome = await runOver('locked', first)
      hasFailed = outcome.hasFailed
      expect(outcome.ran, `from write ${first} on`).to.have.length(3)
      expect(outcome.events.at(-1)?.type, `from write ${first} on`).to.equal('finish')
    }
  })
})
