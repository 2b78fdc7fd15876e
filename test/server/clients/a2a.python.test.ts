import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { tokenAuthenticator } from '../../../src/server/index.ts'
import { a2aPython } from '../../helpers/a2a-sdk.ts'
import { Receiver } from '../routes/a2a/receiver.ts'
import { type SocketServer, socketServer } from './socket-server.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('a2a_client.py', import.meta.url))
const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'
const TOKEN = 'ada-0123456789abcdef'

type Step = readonly [name: string, given?: object]

interface Told {
  readonly notifies: boolean
  readonly told: readonly object[]
}

for (const binding of ['JSONRPC', 'HTTP+JSON']) {
  describe(`the client of Python's a2a-sdk, by ${binding}`, function () {
    this.timeout(120_000)
    let python: string
    let served: SocketServer
    let receiver: Receiver

    before(async function () {
      python = await a2aPython(this)
      const authenticate = tokenAuthenticator([{ token: TOKEN, id: 'ada' }])
      const pushNotifications = { allowPrivate: true }
      served = await socketServer({ storage: memoryStorage(), authenticate, pushNotifications })
      receiver = new Receiver()
      await receiver.start()
    })
    after(async () => {
      await receiver?.close()
      await served?.close()
    })

    async function ask(agent: string, steps: readonly Step[], streaming = false): Promise<Told> {
      const all = steps.map(([name, given = {}]) => [name, given])
      const url = `${served.url}/a2a/${agent}`
      const asked = { url, token: TOKEN, binding, streaming, steps: all }
      const env = { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' }
      const { stdout } = await run(python, [CLIENT, JSON.stringify(asked)], { env })
      return JSON.parse(stdout) as Told
    }

    it('reads answers, also in pieces, and lists the tasks of all contexts', async () => {
      const { told } = await ask('quick', [
        ['send', { text: 'calculate' }],
        ['get'],
        ['send', { text: 'hello' }],
        ['list', { size: 1 }],
      ])
      expect(told).to.deep.equal([
        { states: ['COMPLETED'], text: IT_IS },
        { state: 'COMPLETED', texts: [IT_IS] },
        { states: ['COMPLETED'], text: 'You said: hello' },
        { has: true, shown: 1, all: 2 },
      ])
      const streamed = await ask('quick', [['send', { text: 'hello' }]], true)
      const states = ['SUBMITTED', 'WORKING', 'COMPLETED']
      expect(streamed.told).to.deep.equal([{ states, text: 'You said: hello' }])
    })

    it('gives permissions, cancels, and is told what it may not', async () => {
      const { told } = await ask('careful', [
        ['send', { text: 'calculate' }],
        ['send', { text: 'yes', task: true }],
        ['cancel'],
        ['send', { text: 'calculate' }],
        ['cancel'],
      ])
      expect(told).to.deep.equal([
        { states: ['INPUT_REQUIRED'], text: '' },
        { states: ['COMPLETED'], text: IT_IS },
        { error: 'TaskNotCancelableError' },
        { states: ['INPUT_REQUIRED'], text: '' },
        { state: 'CANCELED' },
      ])
    })

    it('has the states of its tasks posted to a receiver, whose configs it can change', async () => {
      const config = { id: 'hook', url: receiver.url, token: 'known', credentials: 'own' }
      const { notifies, told } = await ask('careful', [
        ['send', { text: 'calculate', receiver: config }],
        ['configs', { receiver: { ...config, id: 'other' } }],
        ['send', { text: 'yes', task: true }],
      ])
      expect(notifies).to.equal(true)
      expect(told[1]).to.deep.equal({ made: 'other', read: receiver.url, before: 2, after: 1 })
      const { headers } = await receiver.received(({ body }) => body.includes('STATE_COMPLETED'))
      expect(headers).to.include({
        'x-a2a-notification-token': 'known',
        authorization: 'Bearer own',
      })
    })
  })
}
