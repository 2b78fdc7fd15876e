import { expect } from 'chai'
import {
  copiedEntries,
  historyOf,
  historyOfNodes,
  loadShownNodes,
} from '../../../src/agent/history/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { NewEntry, Storage } from '../../../src/agent/storage/index.ts'
import { type Message, textOf } from '../../../src/plugin/events/index.ts'

const OWNER = 'ada'
const TALK = 'talk'
const HASH = 'a'.repeat(64)

function said(id: string, role: 'user' | 'assistant' | 'system' = 'user'): NewEntry {
  return { id, kind: 'message', message: { role, parts: [{ type: 'text', text: id }] } }
}

function marker(id: string, more: object = {}): NewEntry {
  return { id, kind: 'compaction', summary: `summary ${id}`, archive: HASH, ...more }
}

/** The messages as a person would tell them: the text of each, and of a marker the summary. */
function told(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    const text = textOf(message)
    return /summary \w+/.exec(text)?.[0] ?? text
  })
}

describe('the history of a conversation', () => {
  let storage: Storage
  beforeEach(async () => {
    storage = memoryStorage()
    await storage.conversations.create({ id: TALK, owner: OWNER, agent: 'x', sender: OWNER }, 1)
  })

  const append = (entries: readonly NewEntry[], parent?: string) =>
    storage.conversations.append(
      OWNER,
      TALK,
      { entries, ...(parent === undefined ? {} : { parent }) },
      1,
    )
  const stored = () => ({ storage, owner: OWNER, conversationId: TALK })
  const shown = async (at?: string) => historyOfNodes(await loadShownNodes(stored(), at))

  it('CT-24 begins with the last marker, and with the entry that it keeps', async () => {
    await append([said('one'), said('two', 'assistant'), said('three')])
    await append([marker('m1', { keptFrom: 'three' }), said('four', 'assistant'), said('five')])
    expect(told(await shown())).to.deep.equal(['summary m1', 'three', 'four', 'five'])
    await append([marker('m2', { keptFrom: 'five' }), said('six', 'assistant')])
    expect(told(await shown())).to.deep.equal(['summary m2', 'five', 'six'])
  })

  it('reads the same from all entries and from those that are shown', async () => {
    await append([said('one'), said('two'), marker('m1', { keptFrom: 'two' }), said('three')])
    const path = await storage.conversations.history(OWNER, TALK)
    const withArchive = await storage.files.put(
      OWNER,
      { mediaType: 'text/plain', bytes: Buffer.from('x') },
      TALK,
    )
    expect(withArchive).to.have.length(64)
    expect(told(historyOf(path))).to.deep.equal(told(await shown()))
  })

  it('CT-24 says visibly that an archive is missing, and only then', async () => {
    const file = { mediaType: 'application/x-ndjson', bytes: Buffer.from('{}\n') }
    const archive = await storage.files.put(OWNER, file, TALK)
    await append([said('one'), marker('m1', { archive })])
    expect(textOf((await shown())[0]!))
      .to.include(archive)
      .and.not.include('missing')
    await storage.files.delete(OWNER, archive)
    expect(textOf((await shown())[0]!))
      .to.include('archive is missing')
      .and.not.include(archive)
  })

  it('CT-24 counts an archive of another conversation as missing', async () => {
    await storage.conversations.create({ id: 'other', owner: OWNER, agent: 'x', sender: OWNER }, 1)
    const file = { mediaType: 'application/x-ndjson', bytes: Buffer.from('{}\n') }
    const archive = await storage.files.put(OWNER, file, 'other')
    await append([said('one'), marker('m1', { archive })])
    expect(textOf((await shown())[0]!)).to.include('archive is missing')
  })

  it('CT-19 ignores a marker on another branch, and one whose kept entry is not on its path', async () => {
    await append([said('one'), said('two', 'assistant'), said('three')])
    await append([marker('m1', { keptFrom: 'three' })])
    await append([said('other')], 'two')
    expect(told(await shown())).to.deep.equal(['one', 'two', 'other'])
    await append([marker('m2', { keptFrom: 'three' })])
    expect(told(await shown())).to.deep.equal(['one', 'two', 'other'])
  })

  it('CT-22 never shows a summary as words of the assistant, or as a system message', async () => {
    await append([said('one'), marker('m1'), said('two')])
    const [first] = await shown()
    expect(first).to.have.property('role', 'user')
    expect(first?.metadata).to.include({ insertedBy: 'host' })
  })

  it('keeps system messages of replaced ones, which the marker has', async () => {
    const system: Message = { role: 'system', parts: [{ type: 'text', text: 'be kind' }] }
    await append([said('one'), marker('m1', { system: [system] }), said('two')])
    expect(told(await shown())).to.deep.equal(['be kind', 'summary m1', 'two'])
  })

  it('shows the facts of a marker, each type under its heading', async () => {
    const kept = [
      { type: 'incident', id: 'i', text: 'fetch(x): refused' },
      { type: 'evidence', id: 'e', text: 'https://example.com' },
    ]
    await append([said('one'), marker('m1', { kept, replaced: 7 })])
    const text = textOf((await shown())[0]!)
    expect(text).to.include('7 earlier messages')
    expect(text).to.include('- fetch(x): refused').and.include('- https://example.com')
  })

  it('copies entries so that a marker keeps the copy of its entry', async () => {
    await append([said('one'), said('two'), marker('m1', { keptFrom: 'two' }), said('three')])
    const path = await storage.conversations.history(OWNER, TALK)
    let count = 0
    const copies = copiedEntries(path, () => `copy${count++}`)
    expect(copies.map(({ id }) => id)).to.deep.equal(['copy0', 'copy1', 'copy2', 'copy3'])
    expect(copies[2]).to.have.property('keptFrom', 'copy1')
    const part = copiedEntries(path.slice(2), () => `part${count++}`)
    expect(part[0]).to.have.property('keptFrom', 'two')
  })
})
