import { expect } from 'chai'
import { systemEnvironment } from '../../../src/agent/environment.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { HostError, type Log } from '../../../src/plugin/index.ts'
import { claimed } from '../../../src/server/runs/compaction-claim.ts'
import { codeOf } from '../../store/stored.ts'

describe('the claim to a compaction', () => {
  let storage: Storage
  let now: number
  let logged: string[]
  let wake: () => void
  beforeEach(() => {
    storage = memoryStorage()
    now = 1_000_000_007_000
    logged = []
  })

  const log: Log = ({ message }) => void logged.push(message)
  const environment = {
    ...systemEnvironment,
    now: () => now,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        wake = resolve
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  const claim = (act: () => Promise<unknown> = async () => 'done', key = 'a') =>
    claimed({ storage, environment, log }, key, act)
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('is of one at a time, and ends with the work, also where it fails', async () => {
    let inner: unknown
    const failing = claim(async () => {
      inner = [await codeOf(claim()), await claim(undefined, 'b')]
      throw new HostError('COMPACTION_FAILED', 'no')
    })
    expect(await codeOf(failing)).to.equal('COMPACTION_FAILED')
    expect(inner).to.deep.equal(['COMPACTION_BUSY', 'done'])
    expect(await claim()).to.equal('done')
  })

  it('goes on as long as the work does', async () => {
    await claim(async () => {
      for (let part = 0; part < 5; part++) {
        now += 5000
        wake()
        await turn()
        expect(await codeOf(claim()), `part ${part}`).to.equal('COMPACTION_BUSY')
      }
    })
    expect(await claim()).to.equal('done')
  })

  it('of a process that has ended is over 10 seconds later', async () => {
    void claim(() => new Promise(() => undefined))
    await turn()
    now += 5000
    expect(await codeOf(claim())).to.equal('COMPACTION_BUSY')
    now += 5000
    expect(await claim()).to.equal('done')
  })

  it('hinders no work where it cannot be given back, and says so', async () => {
    storage.counters.add = () => Promise.reject(new HostError('STORAGE_FAILED', 'Gone.'))
    expect(await claim()).to.equal('done')
    expect(logged).to.deep.equal(['The claim to a compaction cannot be stored: Gone.'])
  })
})
