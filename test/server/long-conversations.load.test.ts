import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Storage } from '../../src/agent/storage/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { cpu, slowness } from '../helpers/slowness.ts'
import { chatBody, Served, user } from './routes/served.ts'

const ENTRIES = 5000
/** Milliseconds of CPU without a turn for anything else, more on a slower processor. */
const LONGEST = 50
const TRIES = 8

/**
 * The longest that a process worked without a turn of its event loop while something was done, in CPU of its thread on the
 * processor of the limit. Threads that collect garbage do not count: they spin where others have the processors.
 */
async function longestStretch(act: () => Promise<void>): Promise<number> {
  let longest = 0
  let before = cpu()
  let isOver = false
  const tick = (): void => {
    longest = Math.max(longest, cpu() - before)
    before = cpu()
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await act()
  isOver = true
  await new Promise(setImmediate)
  return longest / slowness()
}

/** Of several tries, up to one that is short enough, the one that the compiler and the collector of garbage disturbed least. */
async function leastStretch(act: (round: number) => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < TRIES && least >= LONGEST; round++) {
    least = Math.min(least, await longestStretch(() => act(round)))
  }
  return least
}

describe(`a conversation of ${ENTRIES} entries, in SQLite`, function () {
  this.timeout(120_000)
  let folder: string
  let storage: Storage
  let served: Served

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-long-'))
    storage = await openStorage(join(folder, 'data.db'))
    served = await Served.start({ storage })
    await storage.conversations.create(
      { id: 'long', owner: 'ada', agent: 'quick', sender: 'ada' },
      1,
    )
    const entries = Array.from({ length: ENTRIES }, (_, at) => ({
      kind: 'message' as const,
      id: `e${at}`,
      message: {
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        parts: [{ type: 'text' as const, text: `${at}: some words` }],
      },
    }))
    await storage.conversations.append('ada', 'long', { entries }, 1)
  })
  after(async () => {
    await served.close()
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const stops = async (name: string, act: (round: number) => Promise<void>) => {
    const stretch = await leastStretch(act)
    process.stdout.write(`      ${name}: at most ${stretch.toFixed(0)} ms at a time\n`)
    expect(stretch, name).to.be.below(LONGEST)
  }

  it('lets all else go on while it is spoken in', () =>
    stops('a turn', async (round) => {
      const body = chatBody('long', [user(`u${round}`, 'hello')])
      expect(await served.ask('/api/chat', { body })).to.include({ status: 200 })
    }))

  it('lets all else go on while it is read', () =>
    stops('reading', async () => {
      const response = await served.fetch('/api/conversations/long?sdk=6')
      expect(response.status).to.equal(200)
      let bytes = 0
      for await (const piece of response.body ?? []) bytes += piece.byteLength
      expect(bytes).to.be.above(400_000)
    }))

  it('lets all else go on while another is branched off', () =>
    stops('branching', async () => {
      const body = { messageId: `e${ENTRIES - 1}` }
      const branch = await served.ask('/api/conversations/long/branch', { body })
      expect(branch.status).to.equal(201)
    }))

  it('lets all else go on while a branch of it is deleted', () =>
    stops('deleting', async () => {
      const { json } = await served.ask('/api/conversations/long/branch', { body: {} })
      const id = String(json['id'])
      const deleted = await served.ask(`/api/conversations/${id}`, { method: 'DELETE' })
      expect(deleted.status).to.equal(204)
    }))
})
