import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { withoutEmpty } from '../../src/server/empty-conversations.ts'

const OWNER = 'ada'
const ID = 'talk'

describe('a new conversation whose first run does not start', () => {
  const refusal = new Error('The run is refused.')

  /** Lets the run of a new conversation fail to start. Returns what is thrown, the log, and whether it is still there. */
  async function refused(canDelete: boolean) {
    const storage = memoryStorage()
    await storage.conversations.create({ id: ID, owner: OWNER, agent: 'a', sender: OWNER }, 1)
    const broken = {
      load: () => storage.conversations.load(OWNER, ID),
      delete: () => Promise.reject(new Error('The disk is full.')),
    }
    const conversations = canDelete ? storage.conversations : broken
    const lines: unknown[] = []
    const parts = {
      storage: { conversations, runs: storage.runs },
      log: (entry: unknown) => void lines.push(entry),
    }
    const thrown = await withoutEmpty(
      parts,
      { owner: OWNER, id: ID },
      Promise.reject(refusal),
    ).catch((error: unknown) => error)
    return { thrown, lines, left: await storage.conversations.load(OWNER, ID) }
  }

  it('is deleted, and the caller gets the error of the run', async () => {
    expect(await refused(true)).to.deep.equal({ thrown: refusal, lines: [], left: undefined })
  })

  it('stays where it cannot be deleted, which the log says', async () => {
    const { thrown, lines, left } = await refused(false)
    expect(thrown).to.equal(refusal)
    expect(left).to.include({ id: ID })
    const message = 'An empty conversation stays, because it cannot be deleted: The disk is full.'
    expect(lines).to.deep.equal([{ level: 'warn', message }])
  })
})
