import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { RemoteAnswer } from '../../src/a2a/answer.ts'
import { a2aBackend } from '../../src/a2a/index.ts'
import { pollTask } from '../../src/a2a/poll.ts'
import { Reach } from '../../src/a2a/reach.ts'
import { createRuntime, type RunOptions } from '../../src/agent/index.ts'
import type { Message } from '../../src/plugin/index.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { until } from '../server/load/local-server.ts'
import { Served } from '../server/routes/served.ts'
import { cardAt, RemoteServer } from './remote-server.ts'

/** What the agent answers to a method: updates of a stream, which may break, a result, or nothing for now. */
type Reply =
  | { readonly updates: readonly object[]; readonly breaks?: boolean }
  | { readonly result: object }
  | { readonly error: object }
  | 'silence'

const textOf = (messages: readonly Message[]) =>
  messages
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
    .join('')

const place = { taskId: 't', contextId: 'c' }
const said = (text: string, append = false) => ({
  artifactUpdate: { ...place, append, artifact: { artifactId: 'a', parts: [{ text }] } },
})
const taskIn = (state: string, ...texts: readonly string[]) => ({
  id: 't',
  contextId: 'c',
  status: { state: `TASK_STATE_${state}` },
  artifacts: texts.map((text) => ({ artifactId: 'a', parts: [{ text }] })),
})
const done = { statusUpdate: { ...place, status: { state: 'TASK_STATE_COMPLETED' } } }
const refused = { error: { code: -32_004, message: 'No.' } }

describe('the task of a remote agent', () => {
  let server: RemoteServer
  let asked: { readonly method: string; readonly params: { readonly [name: string]: unknown } }[]
  let replies: { readonly [method: string]: Reply }
  let card: object
  /** How a proxy or a connection answers for an agent that is away, for so many calls. */
  let away: (response: ServerResponse) => void
  let absences: number
  beforeEach(async () => {
    asked = []
    card = {}
    absences = 0
    away = (response) => void response.destroy()
    server = await RemoteServer.start((request, response, body) => {
      if (request.method === 'GET') {
        return void response.end(cardAt(`http://${request.headers.host}`, card))
      }
      const { id, ...call } = JSON.parse(body)
      asked.push(call)
      if (call.method !== 'SendStreamingMessage' && absences-- > 0) return away(response)
      const reply: Reply = replies[call.method] ?? refused
      if (reply === 'silence') return
      if (!('updates' in reply)) {
        response.setHeader('content-type', 'application/json')
        return void response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const written = reply.updates.map(
        (result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`,
      )
      response.write(written.join(''), () => (reply.breaks ? response.destroy() : response.end()))
    })
  })
  afterEach(() => server.close())

  const methods = () => asked.map(({ method }) => method)

  async function ran(more: object = {}, options: Partial<RunOptions> = {}) {
    await using host = await scriptedHost()
    const far = { backend: 'a2a', base_url: server.url, options: { allow_private: true } }
    const agents = [{ id: 'far', endpoint: { ...far, ...more } }]
    const runtime = await createRuntime({ host, agents, backends: [a2aBackend()] })
    return await (await runtime.run('far', { messages: 'hello', ...options })).result
  }

  describe('whose connection breaks', () => {
    const begun = {
      updates: [{ task: taskIn('WORKING') }, said('One ')],
      breaks: true,
    }

    it('goes on over a further connection, without repeating what was shown', async () => {
      const rest = [{ task: taskIn('WORKING', 'One two ') }, said('three', true), done]
      replies = { SendStreamingMessage: begun, SubscribeToTask: { updates: rest } }
      const { status, messages, warnings } = await ran()
      expect([status, textOf(messages), warnings]).to.deep.equal(['done', 'One two three', []])
      expect(methods()).to.deep.equal(['SendStreamingMessage', 'SubscribeToTask'])
    })

    it('goes on where a stream ends early without a fault', async () => {
      const early = { updates: begun.updates }
      const rest = [{ task: taskIn('WORKING', 'One ') }, said('two', true), done]
      replies = { SendStreamingMessage: early, SubscribeToTask: { updates: rest } }
      expect(textOf((await ran()).messages)).to.equal('One two')
    })

    it('is asked for where there is no further connection', async () => {
      const result = taskIn('COMPLETED', 'One two')
      replies = { SendStreamingMessage: begun, SubscribeToTask: refused, GetTask: { result } }
      const { status, messages } = await ran()
      expect([status, textOf(messages)]).to.deep.equal(['done', 'One two'])
    })

    it('is asked for by version 0.3, where a further connection might miss something', async () => {
      const url = server.url
      const old = { protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC' }
      card = { ...old, supportedInterfaces: undefined }
      const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Hi' }] }]
      const task = { kind: 'task', id: 't', contextId: 'c' }
      const updates = [{ ...task, status: { state: 'working' } }]
      const result = { ...task, status: { state: 'completed' }, artifacts }
      replies = { 'message/stream': { updates, breaks: true }, 'tasks/get': { result } }
      expect(textOf((await ran()).messages)).to.equal('Hi')
      expect(methods()).to.deep.equal(['message/stream', 'tasks/get'])
    })

    const destroyed = (response: ServerResponse) => void response.destroy()
    const proxyOf = (status: number) => (response: ServerResponse) =>
      void response.writeHead(status).end('<html>')
    const ways = [
      ['a broken connection', destroyed],
      ['a proxy that answers 502', proxyOf(502)],
      ['a proxy that answers 503', proxyOf(503)],
      ['a proxy that answers 504', proxyOf(504)],
    ] as const
    for (const [name, way] of ways) {
      it(`is followed again after a restart of its server, behind ${name}`, async () => {
        away = way
        absences = 4
        const rest = [{ task: taskIn('WORKING', 'One two ') }, said('three', true), done]
        const result = taskIn('WORKING', 'One ')
        const updates = { updates: rest }
        replies = { SendStreamingMessage: begun, SubscribeToTask: updates, GetTask: { result } }
        const { status, messages, warnings } = await ran()
        expect([status, textOf(messages), warnings]).to.deep.equal(['done', 'One two three', []])
        expect(methods().slice(2)).to.deep.equal([...Array(4).fill('GetTask'), 'SubscribeToTask'])
      })
    }

    it('is cancelled once its agent is back, where the run ends while it is away', async () => {
      absences = 6
      replies = { SendStreamingMessage: begun, CancelTask: { result: taskIn('CANCELED') } }
      const { error } = await ran({ timeout_ms: 300 })
      expect(error?.code).to.equal('TIMEOUT')
      await until(() => absences < 0)
      expect(methods().at(-1)).to.equal('CancelTask')
    })

    it('is given up where its agent stays away', async () => {
      const answer = new RemoteAnswer()
      answer.take({ payload: { $case: 'task', value: { id: 't', artifacts: [] } } } as never)
      const reach = new Reach()
      let questions = 0
      const getTask = async () => {
        questions++
        reach.onReply(503)
        throw new Error('away')
      }
      const following = { client: { getTask } as never, answer, target: undefined, reach }
      const { signal } = new AbortController()
      const polled = pollTask({ ...following, signal, awayMs: 300 }).next()
      expect(await polled.catch((error: Error) => error.message)).to.equal('away')
      expect(questions).to.equal(3)
    })

    describe('and whose agent begins its answer anew', () => {
      const piece = (artifactId: string, text: string, append = false) => ({
        artifactUpdate: { ...place, append, artifact: { artifactId, parts: [{ text }] } },
      })
      const cut = {
        updates: [{ task: taskIn('WORKING') }, piece('a', 'One '), piece('a', 'tw', true)],
        breaks: true,
      }
      const working = { task: taskIn('WORKING', 'One tw') }
      const withdrawn = [working, piece('a', '')]
      const missed = [{ task: taskIn('WORKING') }]
      const REPLACED =
        'The remote agent replaced a text that was shown already. The answer has both.'

      async function told(updates: readonly object[], canReset: boolean) {
        replies = { SendStreamingMessage: cut, SubscribeToTask: { updates } }
        const deltas: string[] = []
        const { messages, warnings } = await ran(
          {},
          {
            canReset,
            onEvent: (event) => {
              if (event.type === 'step-reset') deltas.push('reset')
              if (event.type === 'text-delta') deltas.push(event.delta)
            },
          },
        )
        return [textOf(messages), deltas.join('|'), ...warnings]
      }

      for (const [how, before] of [
        ['which it tells', withdrawn],
        ['which nobody was told', missed],
      ] as const) {
        for (const canReset of [true, false]) {
          it(`goes on behind what it repeats, ${how}${canReset ? '' : ', to a stream'}`, async () => {
            const again = [piece('b', 'One'), piece('b', ' two ', true), piece('b', 'three', true)]
            const shown = ['One two three', 'One |tw|o |three']
            expect(await told([...before, ...again, done], canReset)).to.deep.equal(shown)
          })
        }

        it(`takes back what it does not repeat, ${how}`, async () => {
          const other = [piece('b', 'One'), piece('b', ' more', true), done]
          const shown = ['One more', 'One |tw|reset|One more']
          expect(await told([...before, ...other], true)).to.deep.equal(shown)
          const shorter = [...before, piece('b', 'One'), done]
          expect(await told(shorter, true)).to.deep.equal(['One', 'One |tw|reset|One'])
        })

        it(`has both texts in a stream that takes nothing back, ${how}`, async () => {
          const other = [piece('b', 'One'), piece('b', ' more', true), done]
          const shown = ['One tw\n\nOne more', 'One |tw|\n\nOne more', REPLACED]
          expect(await told([...before, ...other], false)).to.deep.equal(shown)
        })
      }
    })

    it('is cancelled where it cannot be followed, and the run says that the connection broke', async () => {
      replies = { SendStreamingMessage: begun }
      const { status, error, messages } = await ran()
      expect([status, error?.code, textOf(messages)]).to.deep.equal([
        'failed',
        'REMOTE_AGENT_FAILED',
        'One ',
      ])
      expect(error?.message).to.match(/^The connection to the remote agent at ".*" broke/)
      await until(() => methods().at(-1) === 'CancelTask')
    })
  })

  it('is told at once by an agent without streams, so that it can be cancelled', async () => {
    card = { capabilities: { streaming: false } }
    replies = { SendMessage: { result: { task: taskIn('COMPLETED', 'It is 4.') } } }
    expect(textOf((await ran()).messages)).to.equal('It is 4.')
    expect(asked[0]?.params['configuration']).to.include({ returnImmediately: true })
    replies = { SendMessage: { result: { message: { messageId: 'm', parts: [{ text: 'Hi' }] } } } }
    expect(textOf((await ran()).messages)).to.equal('Hi')
  })

  it('holds up no run while it is cancelled', async () => {
    const updates = [{ task: taskIn('WORKING') }]
    card = { capabilities: { streaming: false } }
    replies = {
      SendMessage: { result: updates[0] ?? {} },
      GetTask: { result: taskIn('WORKING') },
      CancelTask: 'silence',
    }
    const start = process.hrtime.bigint()
    const { error } = await ran({ timeout_ms: 300 })
    const ms = Number(process.hrtime.bigint() - start) / 1e6
    expect([error?.code, ms < 3000]).to.deep.equal(['TIMEOUT', true])
    await until(() => methods().at(-1) === 'CancelTask')
  })

  it('has the next turn of a stored conversation alone, also where the answer has no text', async () => {
    const artifacts = [{ artifactId: 'a', parts: [{ data: { degrees: 20 } }] }]
    const far = { backend: 'a2a', base_url: server.url, options: { allow_private: true } }
    const served = await Served.start({}, {}, async (host) => ({
      runtime: await createRuntime({
        host,
        agents: [{ id: 'far', endpoint: far }],
        backends: [a2aBackend()],
      }),
    }))
    try {
      const say = async (text: string) => {
        const { contextId = 'c' } = (asked.at(-1)?.params['message'] ?? {}) as {
          contextId?: string
        }
        const updates = [{ task: { ...taskIn('COMPLETED'), contextId, artifacts } }]
        replies = { SendStreamingMessage: { updates } }
        const messages = [{ id: text, role: 'user', parts: [{ type: 'text', text }] }]
        await served.ask('/api/chat', { body: { id: 'talk', agent: 'far', messages } })
        return JSON.stringify(asked.at(-1)?.params['message'])
      }
      await say('first')
      await say('second')
      expect(await say('third'))
        .to.include('third')
        .and.not.include('second')
    } finally {
      await served.close()
    }
  })

  it('is not begun over another binding than the one that is asked for', async () => {
    replies = {}
    const options = { allow_private: true, binding: 'HTTP+JSON' }
    const { error } = await ran({ options })
    expect(error).to.include({
      code: 'INVALID_REMOTE_ENDPOINT_CONFIG',
      pointer: '/endpoint/options/binding',
    })
    expect(error?.message).to.include('has no "HTTP+JSON"')
    expect(asked).to.deep.equal([])
  })
})
