import { expect } from 'chai'
import { type Environment, systemEnvironment } from '../../../src/agent/environment.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { Leases } from '../../../src/agent/run-log/leases.ts'
import { LiveRun } from '../../../src/agent/run-log/live-run.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'

const RUN = { id: 'run', owner: 'ada', order: {}, status: 'active', startedAt: 0 } as const

describe('the leases of a process whose storage is away', () => {
  it('are logged when that begins, once a minute, and when it ends', async () => {
    let now = 0
    const live = new Map([[RUN.id, new LiveRun({ ...RUN, nextSeq: 0, legSeq: 0 })]])
    const environment: Environment = {
      ...systemEnvironment,
      elapsed: () => now,
      sleep: async (milliseconds) => {
        now += milliseconds
        if (now > 180_000) live.clear()
      },
    }
    const ask = async (): Promise<readonly string[]> => {
      if (now < 150_000) throw new Error('away')
      return [RUN.id]
    }
    const runs: Storage['runs'] = new Proxy(memoryStorage().runs, {
      get: (target, name) =>
        name === 'renew' || name === 'held' ? ask : Reflect.get(target, name, target),
    })
    const lines: string[] = []
    const leases = new Leases({
      runs,
      environment,
      log: ({ level, message }) => lines.push(`${level} ${message}`),
      holder: 'me',
      signal: new AbortController().signal,
    })
    leases.keep(live)
    await leases.settled()
    const failed = "error The leases of this process's runs could not be renewed: away"
    const again = "info The leases of this process's runs are renewed again."
    expect(lines).to.deep.equal([failed, failed, failed, again])
  })
})
