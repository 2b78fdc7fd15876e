import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { textOf } from '../../src/plugin/events/index.ts'
import { chatBody, type Served, user } from './routes/served.ts'
import { serveWaiting } from './waiting-run.ts'
import { sseFrames } from './wire/frames.ts'

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

  it('CT-15 shows a message in the stream of the answer, at its place', async () => {
    const answer = await served.fetch('/api/chat', { body: chatBody('talk', [user('u', 'go')]) })
    await began
    const steered = steer('talk', { id: 'brief', text: 'Be brief.' })
    release()
    await steered
    const chunks = sseFrames(await answer.text()).flatMap(({ data }) =>
      data === '[DONE]' ? [] : [JSON.parse(data) as { readonly type: string }],
    )
    const at = chunks.findIndex(({ type }) => type === 'data-steering')
    const said = { type: 'data-steering', id: 'brief', data: { text: 'Be brief.' } }
    expect(chunks.slice(at - 1, at + 2)).to.deep.equal([
      { type: 'start-step' },
      said,
      { type: 'text-start', id: 'text-2.1' },
    ])
  })

  it('CT-15 lets a message enter once that a client says again by its id', async () => {
    const answer = await served.fetch('/api/chat', { body: chatBody('talk', [user('u', 'go')]) })
    await began
    const said = { id: 'brief', text: 'Be brief.' }
    const both = Promise.all([steer('talk', said), steer('talk', said)])
    release()
    expect((await both).map(({ status }) => status)).to.deep.equal([200, 200])
    await answer.text()
    const late = await steer('talk', said)
    expect([late.status, await late.json()]).to.deep.equal([200, { entered: true }])
    const path = await storage.conversations.history('ada', 'talk')
    const ids = path.flatMap((entry) => (entry.kind === 'message' ? [entry.message.id] : []))
    expect(ids.filter((id) => id === 'brief')).to.have.length(1)
  })

  it('CT-15 refuses an id that is empty or too long', async () => {
    const answer = await served.fetch('/api/chat', { body: chatBody('talk', [user('u', 'go')]) })
    await began
    for (const id of ['', 'x'.repeat(201)]) {
      const refused = await steer('talk', { id, text: 'Be brief.' })
      expect([refused.status, await refused.json()]).to.have.nested.property(
        '[1].error.pointer',
        '/id',
      )
    }
    release()
    await answer.text()
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
