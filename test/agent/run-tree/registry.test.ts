import { expect } from 'chai'
import { AgentRegistry, TIMES_TO_LIVE } from '../../../src/agent/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { RunPlace, Storage } from '../../../src/agent/storage/index.ts'
import { HostError } from '../../../src/plugin/index.ts'

const OWNER = 'ada'
const LEASE = { holder: 'h', expiresAt: 0 }
const HOUR = 3_600_000

const place = (parentRunId: string, depth: number): RunPlace => ({
  parentRunId,
  parentCallId: 'call_1',
  rootRunId: 'root',
  depth,
  lane: depth === 1 ? 'subagent' : 'nested',
  agent: 'a',
  above: [],
})

describe('the registry of agents', () => {
  let storage: Storage
  let now: number
  let sleeps: (() => void)[]

  beforeEach(async () => {
    storage = memoryStorage()
    now = 0
    sleeps = []
    await start('root')
  })

  const start = (id: string, where?: RunPlace) =>
    storage.runs.start(
      { id, owner: OWNER, order: { agent: 'a' }, ...(where ? { place: where } : {}) },
      LEASE,
      { entries: [] },
      now,
    )
  const end = (runId: string, status: 'done' | 'suspended' = 'done') =>
    storage.runs.end({ runId, holder: 'h', status, events: [], entries: [] }, now)

  function registry(timeToLive?: number): AgentRegistry {
    const sleep = (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleeps.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      })
    const environment = { now: () => now, sleep }
    return new AgentRegistry({
      storage,
      owner: OWNER,
      environment,
      ...(timeToLive === undefined ? {} : { timeToLive }),
    })
  }
  const ids = async (one: AgentRegistry, root = 'root') =>
    (await one.list(root)).map(({ id }) => id)

  it('AL-04 lists an agent with its link to its parent, and at its parent', async () => {
    await start('c', place('root', 1))
    await start('d', place('c', 2))
    const agents = await registry().list('root')
    expect(agents.map(({ id, children }) => [id, children])).to.deep.equal([
      ['c', ['d']],
      ['d', []],
      ['root', ['c']],
    ])
    expect(agents[1]).to.deep.include({ parentRunId: 'c', depth: 2, agent: 'a', state: 'running' })
    expect(await ids(registry(), 'c')).to.deep.equal(['c', 'd'])
  })

  it('AL-08 lists in order of id', async () => {
    for (const id of ['z', 'B', 'b', 'a']) await start(id, place('root', 1))
    expect(await ids(registry())).to.deep.equal(['B', 'a', 'b', 'root', 'z'])
  })

  it('AL-09 stays usable where a callback throws, and calls it for all others', async () => {
    await start('a', place('root', 1))
    await start('z', place('root', 1))
    const one = registry()
    const seen: string[] = []
    const thrown = await one.forEach('root', ({ id }) => {
      seen.push(id)
      if (id === 'a') throw new Error('no')
    })
    expect(seen).to.deep.equal(['a', 'root', 'z'])
    expect(thrown).to.have.length(1)
    expect(await ids(one)).to.deep.equal(['a', 'root', 'z'])
  })

  it('AL-10 shows a finished agent for its time to live, and every other always', async () => {
    await start('c', place('root', 1))
    await start('w', place('root', 1))
    await end('c')
    await end('w', 'suspended')
    now = HOUR - 1
    expect(await ids(registry())).to.deep.equal(['c', 'root', 'w'])
    now = HOUR
    expect(await ids(registry())).to.deep.equal(['root', 'w'])
    expect(await ids(registry(TIMES_TO_LIVE.week))).to.deep.equal(['c', 'root', 'w'])
    now = 7 * 24 * HOUR
    expect(await ids(registry(TIMES_TO_LIVE.week))).to.deep.equal(['root', 'w'])
    expect(await ids(registry(Infinity))).to.deep.equal(['c', 'root', 'w'])
    await end('root')
    expect(await ids(registry(TIMES_TO_LIVE.none))).to.deep.equal([])
  })

  it('AL-21 lets any number wait for one agent, which read it together', async () => {
    await start('c', place('root', 1))
    const one = registry()
    const leaving = new AbortController()
    const waiting = Array.from({ length: 50 }, () => one.finished('c'))
    const left = one.finished('c', leaving.signal)
    await new Promise(setImmediate)
    expect(sleeps).to.have.length(1)
    leaving.abort()
    const error: unknown = await left.catch((thrown: unknown) => thrown)
    expect(HostError.is(error) && error.code).to.equal('ABORTED')
    await end('c')
    for (const wake of sleeps) wake()
    expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set(['completed']))
    expect(await one.finished('c')).to.equal('completed')
  })

  it('AL-21 reads nothing any more when all who waited have left', async () => {
    const one = registry()
    const leaving = new AbortController()
    const left = one.finished('root', leaving.signal).catch(() => 'left')
    await new Promise(setImmediate)
    leaving.abort()
    expect(await left).to.equal('left')
    const again = one.finished('root')
    await new Promise(setImmediate)
    expect(sleeps).to.have.length(2)
    await end('root')
    for (const wake of sleeps) wake()
    expect(await again).to.equal('completed')
  })

  it('has no run of another owner', async () => {
    const other = new AgentRegistry({
      storage,
      owner: 'bob',
      environment: { now: () => now, sleep: async () => undefined },
    })
    for (const asked of [other.list('root'), other.finished('root')]) {
      const error: unknown = await asked.catch((thrown: unknown) => thrown)
      expect(HostError.is(error) && error.code).to.equal('RUN_UNKNOWN')
    }
  })
})
