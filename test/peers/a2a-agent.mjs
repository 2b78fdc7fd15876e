// An agent made with the published SDK of A2A, for programs that call agents. Prints its address, and ends with its input.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Role, TaskState } from '@a2a-js/sdk'
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  UnauthenticatedUser,
} from '@a2a-js/sdk/server'

const CARD_PATH = '/.well-known/agent-card.json'
const EMPTY = { metadata: undefined, extensions: [] }

function part(value) {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' }
}

/** Repeats what it is told, piece by piece; asks who asks, fails and waits where it is told to. */
class Executor {
  /** Ends the waits of tasks, by their ids. */
  #waits = new Map()
  #contexts = new Map()

  async execute({ userMessage, taskId, contextId, task }, bus) {
    const asked = userMessage.parts.map(({ content }) => content?.value ?? '').join('')
    const place = { taskId, contextId, metadata: undefined }
    const tell = (state, words) => {
      const said = { messageId: randomUUID(), contextId, taskId, role: Role.ROLE_AGENT, ...EMPTY }
      const message = words && { ...said, parts: [part(words)], referenceTaskIds: [] }
      const status = { state, message, timestamp: new Date().toISOString() }
      bus.publish(AgentEvent.statusUpdate({ ...place, status }))
    }
    this.#contexts.set(taskId, contextId)
    // A stream begins with the task, also where it goes on.
    const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined }
    const begun = {
      id: taskId,
      contextId,
      artifacts: [],
      history: [userMessage],
      metadata: undefined,
    }
    bus.publish(AgentEvent.task({ ...begun, ...task, status }))
    tell(TaskState.TASK_STATE_WORKING)
    if (asked === 'ask') tell(TaskState.TASK_STATE_INPUT_REQUIRED, 'Who are you?')
    else if (asked === 'fail') tell(TaskState.TASK_STATE_FAILED, 'It cannot be done.')
    else if (asked === 'wait') {
      this.#give('Waiting', place, bus)
      await this.#wait(taskId)
    } else this.#repeat(asked, place, tell, bus)
    bus.finished()
  }

  #repeat(asked, place, tell, bus) {
    for (const [at, word] of asked.split(' ').entries()) {
      const words = at === 0 ? `You said: ${word}` : ` ${word}`
      this.#give(words, place, bus, at > 0)
    }
    tell(TaskState.TASK_STATE_COMPLETED)
  }

  #give(words, place, bus, append = false) {
    const echo = { artifactId: 'echo', name: 'echo', description: '', ...EMPTY }
    const artifact = { ...echo, parts: [part(words)] }
    bus.publish(AgentEvent.artifactUpdate({ ...place, artifact, append, lastChunk: false }))
  }

  #wait(taskId) {
    return new Promise((resolve) => this.#waits.set(taskId, resolve))
  }

  async cancelTask(taskId, bus) {
    this.#waits.get(taskId)?.()
    const status = {
      state: TaskState.TASK_STATE_CANCELED,
      message: undefined,
      timestamp: undefined,
    }
    const place = { taskId, contextId: this.#contexts.get(taskId), metadata: undefined }
    bus.publish(AgentEvent.statusUpdate({ ...place, status }))
    process.stdout.write('cancelled\n')
  }
}

async function answer(request, response) {
  if (request.url === CARD_PATH) return response.end(JSON.stringify(card))
  const user = new UnauthenticatedUser()
  const context = new ServerCallContext({ user, requestedVersion: '1.0' })
  const told = await rpc.handle(await text(request), context)
  if (!(Symbol.asyncIterator in Object(told))) {
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(told))
  }
  response.setHeader('content-type', 'text/event-stream')
  for await (const event of told) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end()
}

const server = createServer((request, response) => void answer(request, response))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}`
const card = {
  name: 'SDK agent',
  description: 'Repeats what it is told',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
  capabilities: { streaming: true, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [],
}
const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Executor())
const rpc = new JsonRpcTransportHandler(handler)
process.stdout.write(`${url}\n`)
await text(process.stdin)
server.closeAllConnections()
server.close()
process.exit(0)
