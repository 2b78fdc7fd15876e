import { expect } from 'chai'
import { a2aBackend } from '../../src/a2a/index.ts'
import { createRuntime } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { asks, leader } from '../agent/children/team.ts'
import { type SocketServer, socketServer } from '../server/clients/socket-server.ts'
import { until } from '../server/load/local-server.ts'
import { Served } from '../server/routes/served.ts'

describe('a remote agent as a delegate', () => {
  let far: SocketServer
  let served: Served
  const storage = memoryStorage()
  before(async () => {
    far = await socketServer()
    served = await start()
  })
  after(async () => {
    await served.close()
    await far.close()
  })

  function start(): Promise<Served> {
    const options = { allow_private: true }
    const endpoint = { backend: 'a2a', base_url: `${far.url}/a2a/careful`, options }
    const script = [
      { when: { step: 1 }, then: { tool_calls: [asks('far', 'calculate')] } },
      { then: { text: 'It said: {{result.agent_run_far}}' } },
    ]
    const agents = [
      { ...leader([], { delegates: ['far'] }), config: { settings: { scripted: { script } } } },
      { id: 'far', endpoint },
    ]
    return Served.start({ storage }, {}, async (host) => ({
      runtime: await createRuntime({ host, agents, backends: [a2aBackend()] }),
    }))
  }

  async function say(text: string, taskId?: string) {
    return send({ text }, taskId)
  }

  async function send(part: object, taskId?: string) {
    const own = taskId === undefined ? {} : { taskId }
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [part], ...own }
    const { text: answer } = await served.ask('/a2a/leader/message:send', { body: { message } })
    return JSON.parse(answer).task
  }

  async function theirStates(): Promise<readonly string[]> {
    const answer = await fetch(`${far.url}/a2a/careful/tasks`)
    const { tasks } = JSON.parse(await answer.text())
    return tasks.map(({ status }: { status: { state: string } }) => status.state)
  }

  it('asks in the conversation of the root, and its task goes on with the answer', async () => {
    const waiting = await say('go')
    expect(waiting.status.state).to.equal('TASK_STATE_INPUT_REQUIRED')
    expect(JSON.stringify(waiting.status.message)).to.include('May the tool \\"calculate\\" be run')
    const done = await say('yes', waiting.id)
    expect(done.status.state, JSON.stringify(done)).to.equal('TASK_STATE_COMPLETED')
    expect(JSON.stringify(done.artifacts)).to.include('It said: It is {')
    expect(await theirStates()).to.deep.equal(['TASK_STATE_COMPLETED'])
  })

  it('goes on with the answer in another process of the server', async () => {
    const { id } = await say('go')
    await served.close()
    served = await start()
    const done = await say('yes', id)
    expect(JSON.stringify(done.artifacts)).to.include('It said: It is {')
    expect(await theirStates()).to.deep.equal(['TASK_STATE_COMPLETED', 'TASK_STATE_COMPLETED'])
  })

  it('has its task cancelled where its question is not answered', async () => {
    const { id, status } = await say('go')
    const { parts } = status.message
    const { data } = parts.find((part: object) => 'data' in part)
    const [{ approvalId }] = data.approvals
    const done = await send({ data: { approvals: [{ approvalId, approved: false }] } }, id)
    expect(done.status.state).to.equal('TASK_STATE_COMPLETED')
    expect(JSON.stringify(done.artifacts)).to.include('cancelled')
    await until(async () => (await theirStates())[0] === 'TASK_STATE_CANCELED')
  })
})
