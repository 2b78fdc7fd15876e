// Reads jobs from stdin and lets the chat clients of the AI SDK, of three major versions, do them; prints
// what they made of what the server sent. Runs on Node 22, which the newest wants.
//   read: a request through DefaultChatTransport; the last message of readUIMessageStream
//   chat: a conversation in a chat as useChat has it, by steps
//   validate: chunks, each by the version's own schema
//   build: the last message of readUIMessageStream for streams of chunks, each with the message that it continues
import { writeFile } from 'node:fs/promises'
import * as ai5 from 'ai-5'
import * as ai6 from 'ai-6'
import * as ai7 from 'ai-7'
import { ChatState, changedUntil } from './chat-state.mjs'

const VERSIONS = { 5: ai5, 6: ai6, 7: ai7 }
const JOBS = { read, chat, validate, build }

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

async function build(ai, { streams }) {
  const messages = []
  for (const { chunks, before } of streams) {
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    let message = null
    for await (const snapshot of ai.readUIMessageStream({ stream, message: before }))
      message = snapshot
    messages.push(message)
  }
  return { messages }
}

/**
 * Steps: {send}, {begin: message, until: characters}, {stop}, {halt} on the server, {reload}, {resume}, {resume, gate: a
 * file to write once it has resumed}, {resend}, {regenerate}, {output: {tool, output, toolCallId?}}, {approve: {approved,
 * id?, reason?}}, {answer: {approved}} past the client, by the server's own address. Whose id is not said, it is the one
 * that waits.
 */
async function chat(ai, job) {
  const { url, id, steps, again, messages: given = [], history } = job
  class Chat extends ai.AbstractChat {}
  const state = new ChatState()
  state.messages = given
  const seen = []
  const faults = []
  const fetch = (...asked) => readChecked(ai, faults, ...asked)
  const { body, headers } = job
  const answered = {}
  const transport = new ai.DefaultChatTransport({
    api: url,
    body,
    headers,
    fetch,
    // By its name, since the run that an answer lets go on may be over before it is asked for.
    prepareReconnectToStreamRequest: () => ({
      api: `${url}/${id}/stream${answered.runId ? `?run=${answered.runId}` : ''}`,
    }),
  })
  const chatOf = () =>
    new Chat({
      id,
      state,
      generateId: ids(),
      transport,
      onToolCall: ({ toolCall }) => void seen.push(toolCall.toolName),
      sendAutomaticallyWhen: again && ai[again],
    })
  let instance = chatOf()
  for (const step of steps) {
    if (step.reload) {
      state.messages = state.messages.filter(({ role }) => role === 'user')
      instance = chatOf()
    }
    if (step.begin) await begin(instance, state, step)
    else await take(instance, state, { ...step, url, id, answered })
  }
  const { messages, status, error } = state
  const kept = history && (await (await globalThis.fetch(history)).json())
  return { messages, status, error: error?.message, toolCalls: seen, faults, history: kept }
}

async function take(instance, state, step) {
  const { parts = [] } = state.messages.at(-1) ?? {}
  if (step.send) await instance.sendMessage(step.send)
  if (step.stop) await instance.stop()
  if (step.halt) await fetch(`${step.url}/${step.id}/stop`, { method: 'POST' })
  if (step.resume) await resume(instance, state, step)
  if (step.resend) await instance.sendMessage()
  if (step.regenerate) await instance.regenerate(step.regenerate)
  if (step.output) await addOutput(instance, state, step.output)
  if (step.approve) {
    const isOpen = ({ approval, state }) => approval && state === 'approval-requested'
    const { approval } = parts.findLast(isOpen) ?? {}
    await instance.addToolApprovalResponse({ id: approval?.id, ...step.approve })
  }
  if (step.answer) {
    const { data } = parts.find(({ type }) => type === 'data-approval')
    const address = new URL(`/approvals/${data.approvalId}`, step.url)
    const answer = await fetch(address, { method: 'POST', body: JSON.stringify(step.answer) })
    step.answered.runId = (await answer.json()).runId
  }
  await settled(state)
}

async function addOutput(instance, state, output) {
  const { parts = [] } = state.messages.at(-1) ?? {}
  const { toolCallId } = parts.findLast(({ state }) => state === 'input-available') ?? {}
  await (instance.addToolOutput ?? instance.addToolResult).call(instance, { toolCallId, ...output })
}

/** Sends, or gives an output, and goes on once so many characters of the answer's last part are there. */
async function begin(instance, state, { begin: message, until }) {
  if (message.output) void addOutput(instance, state, message.output)
  else void instance.sendMessage(message)
  await changedUntil(state, () => saidIn(state) >= until || state.error)
}

/** Resumes an answer. Where a gate holds it, the gate opens once the client has some of the answer. */
async function resume(instance, state, { gate }) {
  const resumed = instance.resumeStream()
  if (gate) {
    await Promise.race([resumed, changedUntil(state, () => saidIn(state) > 0)])
    await writeFile(gate, '')
  }
  await resumed
}

/** How many characters the last part of the answer has. */
function saidIn({ messages }) {
  const { role, parts = [] } = messages.at(-1) ?? {}
  return role === 'assistant' ? (parts.at(-1)?.text?.length ?? 0) : 0
}

/** Every chunk as it came, by the version's own schema. */
async function readChecked(ai, faults, ...asked) {
  const response = await fetch(...asked)
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
  const check = new TransformStream({
    async transform(line, controller) {
      controller.enqueue(`${line}\n`)
      if (!line.startsWith('data: ') || line === 'data: [DONE]') return
      faults.push(...(await faultsOf(ai, JSON.parse(line.slice(6)))))
    },
  })
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(linesOf())
    .pipeThrough(check)
    .pipeThrough(new TextEncoderStream())
  return new Response(body, response)
}

function linesOf() {
  let rest = ''
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split('\n')
      rest = lines.pop()
      for (const line of lines) controller.enqueue(line)
    },
  })
}

function ids() {
  let count = 0
  return () => `id-${++count}`
}

/** What is sent by itself begins some turns later. */
async function settled(state) {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    await changedUntil(state, () => state.status !== 'submitted' && state.status !== 'streaming')
  }
}
