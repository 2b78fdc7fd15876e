import { expect } from 'chai'
import type { HttpApi } from '../../../providers/model-api/index.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { streamReply } from '../../../scripts/replay/replies.ts'
import { createHost } from '../../../src/core/index.ts'
import { loom } from './loom.ts'

describe('the functions of a table for httpProvider', () => {
  let server: ReplayServer
  before(async () => {
    server = await new ReplayServer().start()
    server.reply = () => streamReply('{"say": "Tea"}\n{"end": "done"}\n')
  })
  beforeEach(() => {
    server.requests.length = 0
  })
  after(() => server.close())

  async function asked(changes: object) {
    const host = await createHost({ plugins: [loom(changes)] })
    const settings = { loom: { api_key: 'k', base_url: server.url, max_retries: 0 } }
    const { error } = await host.stream({ settings }, 'Hello').result
    await host.close()
    return error
  }

  it('may build the body asynchronously', async () => {
    const request: HttpApi['request'] = async ({ model }) => ({ model })
    expect(await asked({ request })).to.equal(undefined)
    expect(server.requests[0]?.body).to.deep.equal({ model: 'loom-1' })
  })

  for (const [answered, shown] of [
    [undefined, 'nothing'],
    [[], 'an array of 0'],
    [new Map(), 'a Map'],
    ['x', 'a text'],
    [Promise.resolve(null), 'nothing'],
  ] as const)
    it(`may not build a body that is ${shown}${answered instanceof Promise ? ' in the end' : ''}`, async () => {
      const error = await asked({ request: () => answered })
      expect(error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'loom' })
      expect(error?.message).to.include(
        `"request" of the table of provider "loom" answered ${shown}`,
      )
      expect(server.requests).to.deep.equal([])
    })

  for (const [answer, shown] of [
    [() => undefined, 'nothing'],
    [async () => ['Tea'], 'a promise'],
    [
      async function* () {
        yield 'Tea'
      },
      'an async generator',
    ],
    [() => ({ text: 'Tea' }), 'an object'],
  ] as const)
    it(`may not find pieces that are ${shown}`, async () => {
      const error = await asked({ answer })
      expect(error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'loom' })
      expect(error?.message).to.include(
        `"answer" of the table of provider "loom" answered ${shown}`,
      )
    })
})
