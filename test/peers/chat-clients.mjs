// Reads jobs from stdin and lets the chat clients of the AI SDK, of three major versions, do them; prints
// what they made of what the server sent. Runs on Node 22, which the newest wants.
//   read: a request through DefaultChatTransport; the last message of readUIMessageStream
//   chat: a conversation in a chat as useChat has it, by steps
//   validate: chunks, each by the version's own schema
import * as ai5 from 'ai-5'
import * as ai6 from 'ai-6'
import * as ai7 from 'ai-7'

const VERSIONS = { 5: ai5, 6: ai6, 7: ai7 }
const JOBS = { read, chat, validate }

class ChatState {
  messages = []
  status = 'ready'
  error = undefined
  pushMessage = (message) => {
    this.messages = [...this.messages, message]
  }
  popMessage = () => {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage = (index, message) => {
    this.messages = this.messages.with(index, structuredClone(message))
  }
  snapshot = (value) => structuredClone(value)
}

let input = ''
for await (const piece of process.stdin) input += piece
const results = []
for (const job of JSON.parse(input)) {
  const result = await JOBS[job.kind](VERSIONS[job.version], job).catch((error) => ({
    thrown: String(error?.stack ?? error),
  }))
  results.push({ name: job.name, ...result })
}
process.stdout.write(JSON.stringify(results))

async function read(ai, { url, id, messages, trigger = 'submit-message', messageId, body, last }) {
  const transport = new ai.DefaultChatTransport({ api: url })
  const request = { chatId: id, messages, trigger, messageId, body }
  const stream = await transport.sendMessages(request)
  const [own, checked] = stream.tee()
  const faults = checkAll(ai, checked)
  const errors = []
  let message
  const options = { stream: own, message: last, onError: (error) => errors.push(String(error)) }
  for await (const snapshot of ai.readUIMessageStream(options)) message = snapshot
  return { message, errors, faults: await faults }
}

async function checkAll(ai, stream) {
  const faults = []
  for await (const chunk of stream) faults.push(...(await faultsOf(ai, chunk)))
  return faults
}

async function faultsOf(ai, chunk) {
  const { validate } = ai.asSchema(
    typeof ai.uiMessageChunkSchema === 'function'
      ? ai.uiMessageChunkSchema()
      : ai.uiMessageChunkSchema,
  )
  const { success, error } = await validate(chunk)
  return success ? [] : [`${JSON.stringify(chunk)}: ${error}`.slice(0, 500)]
}

async function validate(ai, { chunks }) {
  const faults = []
  for (const chunk of chunks) faults.push(...(await faultsOf(ai, chunk)))
  return { faults }
}

/** Steps: {send}, {resume}, {regenerate}, {output: {tool, toolCallId, output}}, {approve: {id, approved, reason}}. */
async function chat(ai, { url, id, steps, again, messages: given = [] }) {
  class Chat extends ai.AbstractChat {}
  const state = new ChatState()
  state.messages = given
  const seen = []
  const instance = new Chat({
    id,
    state,
    generateId: ids(),
    transport: new ai.DefaultChatTransport({ api: url }),
    onToolCall: ({ toolCall }) => void seen.push(toolCall.toolName),
    sendAutomaticallyWhen: again && ai[again],
  })
  for (const step of steps) {
    if (step.send) await instance.sendMessage(step.send)
    if (step.resume) await instance.resumeStream()
    if (step.regenerate) await instance.regenerate(step.regenerate)
    if (step.output) await (instance.addToolOutput ?? instance.addToolResult)(step.output)
    if (step.approve) await instance.addToolApprovalResponse(step.approve)
    await settled(instance)
  }
  const { messages, status, error } = state
  return { messages, status, error: error?.message, toolCalls: seen }
}

function ids() {
  let count = 0
  return () => `id-${++count}`
}

/** What is sent by itself begins some turns later. */
async function settled(instance) {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    while (instance.status === 'submitted' || instance.status === 'streaming') {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
}
