// Reads a job from stdin, lets two of AG-UI's own clients share a thread, and prints what each made of it. The second
// one says something to the run of the first, as soon as that run has called a tool.
import { HttpAgent } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'

let input = ''
for await (const piece of process.stdin) input += piece
const { url, threadId, headers, first, second } = JSON.parse(input)
const warnings = []
console.warn = (...words) => warnings.push(words.map(String).join(' '))

const hasCalled = {}
hasCalled.promise = new Promise((resolve) => {
  hasCalled.resolve = resolve
})
const [going, saying] = [client(), client()]
const work = run(going, first, { onToolCallEndEvent: () => void hasCalled.resolve() })
await hasCalled.promise
for (const message of going.agent.messages) saying.agent.addMessage(message)
await run(saying, second, {}, { forwardedProps: { steer: true } })
const seenBefore = going.outcomes.length
await work
process.stdout.write(
  JSON.stringify({ going: seen(going), saying: seen(saying), seenBefore, warnings }),
)

function client() {
  const faults = []
  const agent = new HttpAgent({
    url,
    threadId,
    headers,
    fetch: (...asked) => checked(faults, ...asked),
  })
  return { agent, faults, outcomes: [], custom: [], errors: [] }
}

async function run({ agent, outcomes, custom, errors }, messages, subscriber, parameters = {}) {
  for (const message of messages) agent.addMessage(message)
  await agent.runAgent(parameters, {
    ...subscriber,
    onRunFinishedEvent: ({ event }) => void outcomes.push(event),
    onRunErrorEvent: ({ event }) => void errors.push(event),
    onRunFailed: ({ error }) => void errors.push({ thrown: String(error.message ?? error) }),
    onCustomEvent: ({ event }) => void custom.push({ name: event.name, value: event.value }),
  })
}

function seen({ agent, faults, outcomes, custom, errors }) {
  return { messages: agent.messages, faults, outcomes, custom, errors }
}

/** Every event as it comes, by the protocol's own schema. */
async function checked(faults, address, init) {
  const response = await fetch(address, init)
  let rest = ''
  const check = (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue
      const { success, error } = EventSchemas.safeParse(JSON.parse(line.slice(6)))
      if (!success) faults.push(`${line}: ${error}`.slice(0, 500))
    }
  }
  const decoder = new TextDecoder()
  const transform = (piece, out) => {
    check(decoder.decode(piece, { stream: true }))
    out.enqueue(piece)
  }
  const body = response.body.pipeThrough(new TransformStream({ transform }))
  return new Response(body, { status: response.status, headers: response.headers })
}
