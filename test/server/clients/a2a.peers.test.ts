import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { tokenAuthenticator } from '../../../src/server/index.ts'
import { askScript, needsPeer } from '../../helpers/peer-scripts.ts'
import { COUNTED } from './scripts.ts'
import { type SocketServer, socketServer } from './socket-server.ts'

const IT_IS = 'It is {"expression":"6 * 7","result":"42","exact":true}.'
const ASKS = 'May the tool "calculate" be run with {"expression":"6 * 7"}? Answer yes or no.'
const TOKEN = 'ada-0123456789abcdef'

/** What the client makes of each step. */
interface Answer {
  readonly steps: readonly object[]
  readonly task?: object
}

const BINDINGS = [
  ['JSON-RPC of 1.0', { binding: 'JSONRPC' }],
  ['HTTP+JSON of 1.0', { binding: 'HTTP+JSON' }],
  ['JSON-RPC of 0.3', { binding: 'JSONRPC', legacy: true }],
] as const

for (const [name, options] of BINDINGS) {
  describe(`the client of @a2a-js/sdk, by ${name}`, function () {
    this.timeout(60_000)
    const storage = memoryStorage()
    const authenticate = tokenAuthenticator([{ token: TOKEN, id: 'ada' }])
    const start = () => socketServer({ storage, authenticate })
    let served: SocketServer

    before(async function () {
      needsPeer(this, '@a2a-js/sdk')
      served = await start()
    })
    after(() => served?.close())

    const ask = async (agent: string, ...steps: readonly object[]) => {
      const url = `${served.url}/a2a/${agent}`
      const asked = { url, token: TOKEN, ...options, steps: [{ do: 'card' }, ...steps] }
      const answer = (await askScript('a2a-client.mjs', asked)) as Answer
      const [card, ...shown] = answer.steps
      expect(card).to.deep.equal({ name: agent, streaming: true })
      return { shown, task: answer.task }
    }

    it('reads answers, streams and what comes next in their context', async () => {
      const { shown } = await ask(
        'quick',
        { do: 'send', text: 'calculate' },
        { do: 'get' },
        { do: 'stream', text: 'hello', contextId: true },
      )
      const task = { state: 'completed', artifacts: [IT_IS] }
      expect(shown).to.deep.equal([
        task,
        task,
        { states: ['task submitted', 'working', 'completed'], artifacts: ['You said: hello'] },
      ])
    })

    it('subscribes again after it has left', async () => {
      const { shown } = await ask(
        'slow',
        { do: 'stream', text: 'count', until: 3 },
        { do: 'subscribe' },
        { do: 'get' },
      )
      expect(shown.slice(1)).to.deep.equal([
        { states: ['task working', 'completed'], artifacts: [COUNTED] },
        { state: 'completed', artifacts: [COUNTED] },
      ])
    })

    it('cancels what it does not wait for', async () => {
      const { shown } = await ask(
        'slow',
        { do: 'send', text: 'count', immediate: true },
        { do: 'cancel' },
        { do: 'get' },
      )
      expect(shown.slice(1).map((one) => 'state' in one && one.state)).to.deep.equal([
        'canceled',
        'canceled',
      ])
    })

    it('answers what a task waits for, after a restart of the server', async () => {
      const { shown, task } = await ask('careful', { do: 'stream', text: 'calculate' })
      const states = ['task submitted', 'working', 'input_required']
      expect(shown).to.deep.equal([{ states, artifacts: [], says: ASKS }])
      await served.close()
      served = await start()
      const after = await ask(
        'careful',
        { do: 'recall', task },
        { do: 'get' },
        { do: 'stream', text: 'yes', taskId: true },
      )
      expect(after.shown.slice(1)).to.deep.equal([
        { state: 'input_required', artifacts: [], says: ASKS },
        { states: ['task working', 'completed'], artifacts: [IT_IS] },
      ])
    })

    it('answers by data, and hears of a failure as a state of the task', async () => {
      const { shown } = await ask(
        'careful',
        { do: 'send', text: 'calculate' },
        { do: 'send', taskId: true, data: { approved: false, reason: 'Not now.' } },
        { do: 'send', text: 'overload' },
      )
      const [, refused, failed] = shown as { state: string; artifacts: readonly string[] }[]
      expect(refused?.state).to.equal('completed')
      expect(refused?.artifacts.join('')).to.include('Not now.')
      const says = 'The model API is overloaded.'
      expect(failed).to.deep.equal({ state: 'failed', artifacts: [], says })
    })

    it('throws its own errors', async () => {
      const { shown } = await ask(
        'quick',
        { do: 'send', text: 'hello' },
        { do: 'cancel' },
        { do: 'subscribe' },
        { do: 'send', text: 'more', taskId: true },
        { do: 'get', taskId: 'none' },
        { do: 'push' },
        { do: 'send', text: 'hello', push: 'https://a.test/hook' },
      )
      expect(shown.slice(1).map((one) => 'error' in one && one.error)).to.deep.equal([
        'TaskNotCancelableError',
        'UnsupportedOperationError',
        'UnsupportedOperationError',
        'TaskNotFoundError',
        'PushNotificationNotSupportedError',
        'PushNotificationNotSupportedError',
      ])
    })
  })
}
