import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { eventProvider } from '../../helpers/plugins.ts'
import { chatBody, Served, user } from '../routes/served.ts'

const BODY = chatBody('talk', [user('q', 'hi')], { agent: 'm' })

/** A storage in which something else happens between two reads of a request: once, if `between` is set. */
class Raced {
  between: (() => Promise<unknown>) | undefined
  readonly storage: Storage

  constructor(own: Storage) {
    const open: Storage['runs']['open'] = async (...args) => {
      const { between } = this
      this.between = undefined
      const before = await own.runs.open(...args)
      await between?.()
      return before
    }
    const runs = new Proxy(own.runs, {
      get: (target, name) => {
        if (name === 'open') return open
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    this.storage = { ...own, runs }
  }
}

describe('a request that is sent twice at once, without a key', () => {
  let served: Served
  let raced: Raced
  let finish: () => void

  beforeEach(async () => {
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const stream = async function* () {
      yield* textEvents('hello')
      await finished
    }
    raced = new Raced(memoryStorage())
    served = await Served.start(
      { models: { m: {} }, storage: raced.storage },
      { plugins: [eventProvider([], { stream })], config: { provider: 'p' } },
    )
  })
  afterEach(async () => {
    finish()
    await served.close()
  })

  const ask = (body: object = BODY) => served.fetch('/api/chat', { body })

  it('joins the run that began after it was planned', async () => {
    await served.fetch('/api/conversations', { body: { id: 'talk', agent: 'm' } })
    let first: Response | undefined
    raced.between = async () => {
      first = await ask()
    }
    const second = await ask()
    finish()
    expect([first?.status, second.status]).to.deep.equal([200, 200])
    expect(second.headers.get('x-run-id')).to.equal(first?.headers.get('x-run-id'))
    expect(await second.text()).to.equal(await first?.text())
  })

  it('is refused where the run that began answers something else', async () => {
    await served.fetch('/api/conversations', { body: { id: 'talk', agent: 'm' } })
    raced.between = () => ask(chatBody('talk', [user('other', 'well')], { agent: 'm' }))
    const second = await ask()
    expect(second.status).to.equal(409)
    expect(await second.text()).to.include('CONVERSATION_BUSY')
  })
})
