import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Storage } from '../../src/agent/storage/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { memoryFolder } from '../helpers/memory-folder.ts'

const MIB = 1 << 20

describe('the log beside a file of SQLite', () => {
  let folder: string
  let path: string
  let storage: Storage
  let stored = 0
  beforeEach(async () => {
    folder = memoryFolder('braidwork-sqlite-')
    path = join(folder, 'data.db')
    storage = await openStorage(path)
    await storage.conversations.create({ id: 'c', owner: 'ada', agent: 'a', sender: 's' }, 1)
  })
  afterEach(async () => {
    await storage.close()
    rmSync(folder, { recursive: true })
  })

  function store(size: number): Promise<unknown> {
    const bytes = new Uint8Array(size)
    bytes.set([stored >> 8, stored++ & 255])
    return storage.files.put('ada', { bytes, mediaType: 'a/b' }, 'c')
  }

  it('is copied to the file after a long transaction', async () => {
    await store(3 * MIB)
    for (let tries = 0; tries < 200 && statSync(path).size < 3 * MIB; tries++) await sleep(10)
    expect(statSync(path).size).to.be.at.least(3 * MIB)
  })

  it('is copied by short transactions again, so that it does not grow with them', async () => {
    await store(3 * MIB)
    // The copy runs on a thread of its own and may still run during the first rounds.
    let rounds = 0
    let growth: number
    do {
      growth = await growthInTenMib()
      rounds++
    } while (rounds < 20 && growth > 5 * MIB)
    expect(growth).to.be.at.most(5 * MIB)
    // At most the pages since the last copy are in the log alone.
    expect(statSync(path).size).to.be.above((3 + 10 * rounds - 5) * MIB)
  })

  /** Stores 10 MiB in short transactions and returns by how much the log grew. */
  async function growthInTenMib(): Promise<number> {
    const before = statSync(`${path}-wal`).size
    for (let count = 0; count < 40; count++) await store(MIB / 4)
    return statSync(`${path}-wal`).size - before
  }
})
