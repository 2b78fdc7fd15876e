import { expect } from 'chai'
import { BODIES } from '../../hostile/linear/bodies.ts'
import { type OnSocket, onSocket } from './on-socket.ts'

const ADDRESSES = {
  'chat-completions': '/v1/chat/completions',
  responses: '/v1/responses',
  'anthropic-messages': '/v1/messages',
  'ui-message-stream': '/api/chat',
  'ag-ui': '/ag-ui',
} as const satisfies { readonly [P in keyof typeof BODIES]: string }

const LIMITS = { messages: 120, parts: 200, calls: 50, tools: 20, values: 3000, depth: 30 }

/** Which limit each kind of body comes to, where it has so many. */
const CASES = [
  ['messages', 'messages', LIMITS.messages],
  ['parts', 'parts', LIMITS.parts],
  ['calls and results', 'calls', LIMITS.calls],
  ['tools', 'tools', LIMITS.tools],
] as const

function deep(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

describe('requests that bring too much', () => {
  let served: OnSocket
  before(async () => {
    served = await onSocket({ limits: LIMITS })
  })
  after(() => served.close())

  for (const [protocol, path] of Object.entries(ADDRESSES)) {
    const bodies = BODIES[protocol as keyof typeof BODIES]
    for (const [what, limit, most] of CASES) {
      it(`are refused by ${path}, with the name of the limit: ${limit}`, async () => {
        const answer = await served.ask(path, JSON.stringify(bodies[what](most + 1)))
        const text = await answer.text()
        expect(answer.status, text).to.equal(413)
        expect(text).to.match(/request_too_large/i)
        expect(text).to.include(`limits.${limit}`)
      })
    }

    it(`are refused by ${path} before they are read: values and depth`, async () => {
      const values = await served.ask(
        path,
        JSON.stringify({ junk: Array(LIMITS.values + 2).fill(1) }),
      )
      expect(values.status).to.equal(413)
      expect(await values.text()).to.include('limits.values')
      const depth = await served.ask(path, JSON.stringify({ junk: deep(LIMITS.depth) }))
      expect(depth.status).to.equal(400)
      expect(await depth.text()).to.include('limits.depth')
    })

    it(`are refused by ${path} where a call's arguments hold too many values`, async () => {
      const many = JSON.stringify(Array(LIMITS.values + 2).fill(1))
      const body = JSON.stringify(bodies['calls and results'](1), (key, value: unknown) => {
        if (key === 'arguments') return many
        return key === 'input' && !Array.isArray(value)
          ? { many: JSON.parse(many) as unknown }
          : value
      })
      const answer = await served.ask(path, body)
      expect(answer.status).to.equal(413)
      expect(await answer.text()).to.include('limits.values')
    })

    it(`are taken by ${path} up to the limits`, async () => {
      for (const [what, , most] of CASES) {
        const size = what === 'parts' ? most - 1 : most
        // Results stand beside their calls, and are messages or parts themselves.
        const fitting = what === 'calls and results' ? 45 : size
        const answer = await served.ask(
          path,
          JSON.stringify({
            ...bodies[what](fitting),
            ...(path.startsWith('/v1/') ? { model: 'quick' } : {}),
          }),
        )
        const text = await answer.text()
        expect(text, what).to.not.match(/request_too_large/i)
        expect(answer.status, `${what}: ${text.slice(0, 300)}`).to.equal(200)
      }
    })
  }

  it('leave nothing running', async () => {
    expect(served.server.activeRuns).to.equal(0)
    expect(await (await served.ask('/healthz')).text()).to.equal('ok')
  })
})
