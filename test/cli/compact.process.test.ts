import { join } from 'node:path'
import { expect } from 'chai'
import type { NewEntry } from '../../src/agent/storage/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { braidwork } from './command.ts'
import { eachServedFolder, type ServedFolder } from './serving.ts'

const LONG = 'word '.repeat(1200)

describe('braidwork compact', () => {
  let made: ServedFolder
  eachServedFolder((given) => {
    made = given
  })

  it('summarizes a stored conversation with its agent, and says what it did', async () => {
    const store = join(made.folder, 'stored.db')
    const words = [`one ${LONG}`, LONG, 'two', 'three']
    const entries = words.map((text, at): NewEntry => {
      const role = at % 2 === 0 ? 'user' : 'assistant'
      return { id: `e${at}`, kind: 'message', message: { role, parts: [{ type: 'text', text }] } }
    })
    const storage = await openStorage(store)
    await storage.conversations.create(
      { id: 'talk', owner: 'local', agent: 'brief', sender: 'local' },
      1,
    )
    await storage.conversations.append('local', 'talk', { entries }, 1)
    await storage.close()
    const script = JSON.stringify([{ then: { text: 'They counted.' } }])
    const set = [
      `server.store=${store}`,
      'server.models={"brief": {}}',
      'provider=scripted',
      `settings.scripted.script=${script}`,
      // Who may call over HTTP, and by which names, does not concern the command.
      'server.hosts=["chat.example.com"]',
      'server.trust_proxy=true',
      'server.base_path=/braidwork',
    ].flatMap((value) => ['--set', value])
    const compact = (...more: readonly string[]) =>
      braidwork(['compact', 'talk', ...more, ...set], { cwd: made.folder })

    const done = await compact()
    expect(done).to.deep.include({ status: 0 })
    expect(done.out).to.include('2 messages are replaced').and.include('They counted.')
    const again = await compact()
    expect(again.status).to.not.equal(0)
    expect(again.err).to.include('COMPACTION_NEEDLESS')
    const unknown = await compact('--owner', 'bob')
    expect(unknown.err).to.include('CONVERSATION_UNKNOWN').and.include('--owner')
  })
})
