// Asks an agent by the published client of A2A, step by step, and prints what the client makes of each step.
import { text } from 'node:stream/consumers'
import { Role, TaskState } from '@a2a-js/sdk'
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'

const { url, binding, legacy = false, steps, token } = JSON.parse(await text(process.stdin))

const fetchImpl = (input, init = {}) =>
  fetch(input, {
    ...init,
    headers: { ...init.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
  })
const legacyCompat = { enabled: legacy }
const factory = new ClientFactory(
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl, legacyCompat }),
    ],
    ...(binding ? { preferredTransports: [binding] } : {}),
  }),
)

let client
let task

async function connect() {
  // The client takes the path of the card relative to the address.
  const card = await new DefaultAgentCardResolver({ fetchImpl, legacyCompat }).resolve(`${url}/`)
  const interfaces = card.supportedInterfaces.filter(
    ({ protocolVersion }) => protocolVersion === (legacy ? '0.3' : '1.0'),
  )
  client = await factory.createFromAgentCard({ ...card, supportedInterfaces: interfaces })
  return { name: card.name, streaming: card.capabilities.streaming }
}

function messageOf({ text: words, data, taskId, contextId, messageId = crypto.randomUUID() }) {
  const parts = [
    ...(words === undefined ? [] : [{ content: { $case: 'text', value: words } }]),
    ...(data === undefined ? [] : [{ content: { $case: 'data', value: data } }]),
  ].map((part) => ({ metadata: undefined, filename: '', mediaType: '', ...part }))
  return {
    messageId,
    contextId: contextId === true ? task.contextId : (contextId ?? ''),
    taskId: taskId === true ? task.id : (taskId ?? ''),
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

const requestOf = (step) => ({
  tenant: '',
  message: messageOf(step),
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: step.push ? { url: step.push } : undefined,
    returnImmediately: step.immediate ?? false,
  },
  metadata: undefined,
})

const stateOf = (status) => TaskState[status?.state ?? 0].replace('TASK_STATE_', '').toLowerCase()
const textOf = (parts) =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')

function shownTask(value) {
  task = value
  return {
    state: stateOf(value.status),
    artifacts: value.artifacts.map(({ parts }) => textOf(parts)),
    ...(value.status?.message ? { says: textOf(value.status.message.parts) } : {}),
  }
}

/** What a stream tells, with the artifacts as a client puts them together. */
async function read(stream, until) {
  const seen = { states: [], artifacts: new Map(), says: undefined, pieces: 0 }
  for await (const { payload } of stream) {
    READ[payload.$case](payload.value, seen)
    if (until !== undefined && seen.pieces === until) break
  }
  const { states, artifacts, says } = seen
  return { states, artifacts: [...artifacts.values()], ...(says === undefined ? {} : { says }) }
}

const READ = {
  task: (value, { states, artifacts }) => {
    task = value
    states.push(`task ${stateOf(task.status)}`)
    for (const { artifactId, parts } of task.artifacts) artifacts.set(artifactId, textOf(parts))
  },
  statusUpdate: ({ status }, seen) => {
    seen.states.push(stateOf(status))
    if (status.message) seen.says = textOf(status.message.parts)
  },
  artifactUpdate: ({ artifact: { artifactId, parts }, append }, seen) => {
    const before = append ? (seen.artifacts.get(artifactId) ?? '') : ''
    seen.artifacts.set(artifactId, before + textOf(parts))
    seen.pieces++
  },
}

const id = (step) => step.taskId ?? task?.id ?? ''

const ACTS = {
  card: connect,
  send: async (step) => shownTask(await client.sendMessage(requestOf(step))),
  stream: (step) => read(client.sendMessageStream(requestOf(step)), step.until),
  get: async (step) => shownTask(await client.getTask({ tenant: '', id: id(step) })),
  cancel: async (step) =>
    shownTask(await client.cancelTask({ tenant: '', id: id(step), metadata: undefined })),
  subscribe: (step) => read(client.resubscribeTask({ tenant: '', id: id(step) })),
  list: async () => {
    const { tasks, totalSize } = await client.listTasks({
      tenant: '',
      contextId: task.contextId,
      status: 0,
      pageToken: '',
      includeArtifacts: true,
    })
    return { total: totalSize, tasks: tasks.map((one) => stateOf(one.status)) }
  },
  push: () =>
    client.createTaskPushNotificationConfig({
      tenant: '',
      id: 'p',
      taskId: id({}),
      url: 'https://example.org/hook',
      token: '',
      authentication: undefined,
    }),
  recall: (step) => {
    task = step.task
    return {}
  },
}

const shown = []
for (const step of steps) {
  try {
    shown.push(await ACTS[step.do](step))
  } catch (error) {
    const { name, message } = error.cause?.name?.endsWith('Error') ? error.cause : error
    shown.push({ error: name, message })
  }
}
process.stdout.write(
  JSON.stringify({ steps: shown, task: task && { id: task.id, contextId: task.contextId } }),
)
