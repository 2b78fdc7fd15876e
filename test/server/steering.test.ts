import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { textOf } from '../../src/plugin/events/index.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const SCRIPT = [
  { when: { step: 1, equals: 'go' }, then: { tool_calls: [{ name: 'wait', input: {} }] } },
  { then: { text: 'Done.' } },
]

describe('steering a run of the server', () => {
  let served: Served
  let storage: Storage
  let release: () => void
  let began: Promise<void>
  beforeEach(async () => {
    storage = memoryStorage()
    let begin = () => {}
    began = new Promise((resolve) => {
      begin = resolve
    })
    const released = new Promise<string>((resolve) => {
      release = () => resolve('waited')
    })
    const wait = tool('wait', {
      getToolSchemas: () => [schema('wait')],
      executeTool: () => {
        begin()
        return released
      },
    })
    const config = { settings: { scripted: { delay_ms: 0, script: SCRIPT } } }
    served = await Served.start(
      { models: { quick: {} }, storage },
      { plugins: [scripted, wait], config },
    )
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
