import { expect } from 'chai'
import { ChatRoutes } from '../../../src/page/site/chat/chat-routes.ts'

interface Asked {
  readonly path: string
  readonly signal: AbortSignal | undefined
}

describe('the routes of a conversation', () => {
  /** Routes whose client notes what it is asked. */
  function routesOf(id: string) {
    const asked: Asked[] = []
    const note = async (path: string, { signal }: { signal?: AbortSignal } = {}) => {
      asked.push({ path, signal })
      return new Response()
    }
    const closing = new AbortController()
    const client = { stream: note, json: note }
    return { routes: new ChatRoutes(client as never, id, closing.signal), asked, closing }
  }

  it('read an answer until the conversation is left', async () => {
    const { routes, asked, closing } = routesOf('a/b')
    await routes.stream('run 1')
    await routes.stream(undefined)
    expect(asked.map(({ path }) => path)).to.deep.equal([
      'api/chat/a%2Fb/stream?sdk=7&run=run%201',
      'api/chat/a%2Fb/stream?sdk=7',
    ])
    closing.abort()
    expect(asked.map(({ signal }) => signal?.aborted)).to.deep.equal([true, true])
  })

  it('leave a turn where the conversation is left', async () => {
    const { routes, asked, closing } = routesOf('a')
    await routes.turn('tea', { message: {} })
    closing.abort()
    expect(asked[0]?.signal?.aborted).to.equal(true)
  })
})
