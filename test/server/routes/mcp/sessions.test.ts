import { expect } from 'chai'
import { Sessions } from '../../../../src/server/routes/mcp/sessions.ts'

interface Sleep {
  readonly milliseconds: number
  readonly signal: AbortSignal | undefined
  wake(): void
}

/** Sessions whose clock a test moves, with the ids of those that were closed. */
function sessionsOf() {
  const sleeps: Sleep[] = []
  const closed: string[] = []
  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((wake, reject) => {
      sleeps.push({ milliseconds, signal, wake })
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  const sessions = new Sessions({ sleep, cancelAfter: 30 })
  const add = (id: string, owner = 'ada') => {
    const close = () => {
      closed.push(id)
      sessions.end(id)
      return Promise.resolve()
    }
    return sessions.add({ id, owner, transport: { close } as never })
  }
  /** How long the sessions wait that have not given up waiting. */
  const waits = () => sleeps.filter(({ signal }) => !signal?.aborted)
  return { sessions, add, closed, waits }
}

const IDLE = 30 * 60_000

describe('sessions of MCP', () => {
  it('end when their client stays away, sooner if a call goes on', async () => {
    const { add, closed, waits } = sessionsOf()
    const session = add('one')
    const leave = session.connect()
    expect(waits()).to.deep.equal([])
    const end = session.beginCall()
    leave()
    expect(waits().map(({ milliseconds }) => milliseconds)).to.deep.equal([30])
    end()
    expect(waits().map(({ milliseconds }) => milliseconds)).to.deep.equal([IDLE])
    waits()[0]?.wake()
    await Promise.resolve()
    expect(closed).to.deep.equal(['one'])
    expect(waits()).to.deep.equal([])
  })

  it('wait for nothing more after their end', () => {
    const { sessions, add, waits } = sessionsOf()
    const session = add('one')
    const leave = session.connect()
    sessions.end('one')
    leave()
    expect(waits()).to.deep.equal([])
    expect(sessions.find('one', 'ada')).to.equal(undefined)
  })

  it('are at most a hundred of one identity; the one that was used least recently makes room', () => {
    const { sessions, add, closed } = sessionsOf()
    add('other', 'bob')
    for (let at = 0; at < 100; at++) add(`s${at}`)
    sessions.find('s0', 'ada')
    add('last')
    expect(closed).to.deep.equal(['s1'])
    expect(sessions.find('s0', 'bob')).to.equal(undefined)
    expect(sessions.find('s0', 'ada')).to.not.equal(undefined)
  })
})
