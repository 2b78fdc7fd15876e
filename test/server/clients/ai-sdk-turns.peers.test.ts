import { expect } from 'chai'
import { askPeers, hasPeers } from '../../providers/peers.ts'
import { type SocketServer, socketServer } from './socket-server.ts'

const HOUR = 60 * 60_000
const CALCULATED = 'It is {"expression":"6 * 7","result":"42","exact":true}.'
const ROME = 'Rome is at 41.9, 12.5.'

/** What the client said, ran and was shown. */
interface Talk {
  readonly texts: readonly string[]
  readonly ran: readonly string[]
  readonly shown: readonly string[]
  readonly thrown?: string
}

async function talk(server: SocketServer, jobs: readonly object[]): Promise<readonly Talk[]> {
  const named = jobs.map((job, at) => ({
    name: String(at),
    model: 'quick',
    url: `${server.url}/v1`,
    ...job,
  }))
  const answers = await askPeers('ai-sdk-turns.mjs', named)
  return named.map(({ name }) => answers.get(name) as unknown as Talk)
}

describe('the AI SDK over several turns, as it is by default', function () {
  this.timeout(60_000)
  let kept: SocketServer
  let unkept: SocketServer
  before(async function () {
    if (!hasPeers) {
      this.test!.title += ' (skipped: run npm ci --prefix test/peers)'
      this.skip()
    }
    kept = await socketServer({ keepResponses: HOUR })
    unkept = await socketServer()
  })
  after(async () => {
    await kept?.close()
    await unkept?.close()
  })

  for (const mode of ['send', 'stream']) {
    it(`refers to earlier items at responses, with tools of its own and the host's: ${mode}`, async () => {
      const turns = ['hello', 'calculate', 'locate', 'both', 'hello again']
      const [answer] = await talk(kept, [{ turns, mode }])
      expect(answer?.thrown).to.equal(undefined)
      expect(answer?.texts.slice(0, 3)).to.deep.equal(['You said: hello', CALCULATED, ROME])
      expect(answer?.texts[4]).to.equal('You said: hello again')
      expect(answer?.ran).to.deep.equal(['Rome', 'Rome'])
      expect(answer?.shown).to.have.members(['mcp.calculate', 'locate', 'mcp.calculate', 'locate'])
    })
  }

  it('runs a custom tool of its own at responses, and refers to its calls', async () => {
    const turns = ['patch', 'hello']
    for (const mode of ['send', 'stream']) {
      const [answer] = await talk(kept, [{ turns, mode, patches: true }])
      expect(answer?.thrown).to.equal(undefined)
      expect(answer?.ran).to.deep.equal(['+a "b"\n'])
      expect(answer?.texts).to.deep.equal(['It is patched.', 'You said: hello'])
    }
  })

  it('is told what to do where the server keeps no responses, and then works', async () => {
    const turns = ['hello', 'calculate', 'both', 'hello again']
    const [byDefault, sending] = await talk(unkept, [{ turns }, { turns, store: false }])
    expect(byDefault?.texts).to.deep.equal(['You said: hello'])
    expect(byDefault?.thrown).to.include('server.keep_responses').and.include('\\"store\\": false')
    expect(sending?.thrown).to.equal(undefined)
    expect(sending?.texts[3]).to.equal('You said: hello again')
    expect(sending?.ran).to.deep.equal(['Rome'])
  })

  it('reads the calls of the host at messages as a beta client, and sends them back', async () => {
    const turns = ['calculate', 'both', 'hello again']
    const jobs = ['send', 'stream'].map((mode) => ({ api: 'anthropic', turns, mode, beta: true }))
    for (const { thrown, texts, ran, shown } of await talk(unkept, jobs)) {
      expect(thrown).to.equal(undefined)
      expect(texts[2]).to.equal('You said: hello again')
      expect(ran).to.deep.equal(['Rome'])
      expect(shown).to.have.members(['calculate', 'locate', 'calculate'])
    }
  })

  for (const api of ['chat', 'anthropic']) {
    it(`goes on at ${api} after calls of both sides`, async () => {
      const turns = ['calculate', 'both', 'hello again']
      const answers = await talk(
        unkept,
        ['send', 'stream'].map((mode) => ({ api, turns, mode })),
      )
      for (const { thrown, texts, ran } of answers) {
        expect(thrown).to.equal(undefined)
        expect(texts[0]).to.equal(CALCULATED)
        expect(texts[2]).to.equal('You said: hello again')
        expect(ran).to.deep.equal(['Rome'])
      }
    })
  }
})
