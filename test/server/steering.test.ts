import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { textOf } from '../../src/plugin/events/index.ts'
import { chatBody, type Served, user } from './routes/served.ts'
import { serveWaiting } from './waiting-run.ts'

describe('steering a run of the server', () => {
  let served: Served
  let storage: Storage
  let release: () => void
  let began: Promise<void>
  beforeEach(async () => {
    storage = memoryStorage()
    ;({ served, began, release } = await serveWaiting(storage))
  })
  afterEach(() => served.close())

  const steer = (id: string, body: unknown) =>
    served.fetch(`/api/conversations/${id}/steer`, { method: 'POST', body: JSON.stringify(body) })

  it('CT-15 lets a message into the active run, and stores it once, in its place', async () => {
    const answer = await served.fetch('/api/chat', { body: chatBody('talk', [user('u', 'go')]) })
    await began
    const steered = steer('talk', { text: 'Be brief.' })
    release()
    const response = await steered
    expect(response.status).to.equal(200)
    expect(await response.json()).to.deep.include({ entered: true })
    await answer.text()
    const path = await storage.conversations.history('ada', 'talk')
    const said = path.flatMap((entry) =>
      entry.kind === 'message' ? [[entry.message.role, textOf(entry.message)]] : [],
    )
    expect(said).to.deep.equal([
      ['user', 'go'],
      ['assistant', ''],
      ['tool', ''],
      ['user', 'Be brief.'],
      ['assistant', 'Done.'],
    ])
  })

  it('CT-15 refuses a message where no run is active, and one without a text', async () => {
    const none = await steer('nowhere', { text: 'x' })
    expect(none.status).to.equal(404)
    const answer = await served.fetch('/api/chat', { body: chatBody('talk', [user('u', 'go')]) })
    await began
    const empty = await steer('talk', { text: ' ' })
    expect([empty.status, await empty.json()]).to.have.nested.property(
      '[1].error.code',
      'REQUEST_INVALID',
    )
    release()
    await answer.text()
    const over = await steer('talk', { text: 'x' })
    expect(over.status).to.equal(409)
    expect(await over.json()).to.have.nested.property('error.code', 'RUN_NOT_ACTIVE')
  })
})
