// Reads jobs from stdin, lets AG-UI's own client do them, and prints what it made of what the server sent.
// A job is a thread: its runs one after the other, each with what it adds to the messages, `answer` for all that
// a run before was interrupted for last, and at how many characters it is aborted.
import { HttpAgent } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'

let input = ''
for await (const piece of process.stdin) input += piece
const results = []
const warnings = []
// What the client strips it says there alone.
console.warn = (...words) => warnings.push(words.map(String).join(' '))
// A failure is told of in the answer.
console.error = () => undefined
for (const job of JSON.parse(input)) {
  warnings.length = 0
  results.push({ name: job.name, ...(await thread(job)), warnings: [...warnings] })
}
process.stdout.write(JSON.stringify(results))

async function thread({ url, threadId, runs }) {
  const faults = []
  const isAborted = runs.some(({ abortAt }) => abortAt !== undefined)
  const read = isAborted ? fetch : (...asked) => checked(faults, ...asked)
  const agent = new HttpAgent({ url, threadId, fetch: (...asked) => read(...asked) })
  const outcomes = []
  const errors = []
  const custom = []
  /** What was told of subagents, for each run, in order of the words. */
  const subagents = []
  const names = new Map()
  const note = ({ type, subagentRunId: id, outcome }) =>
    void subagents.at(-1).push([type, names.get(id), outcome?.type].filter(Boolean).join(' '))
  const subscriber = {
    onSubagentStartedEvent: ({ event }) => {
      names.set(event.subagentRunId, event.name)
      note(event)
    },
    onSubagentFinishedEvent: ({ event }) => note(event),
    onSubagentErrorEvent: ({ event }) => note(event),
    onRunFinishedEvent: ({ event }) => void outcomes.push(event),
    onRunErrorEvent: ({ event }) => void errors.push(event),
    onRunFailed: ({ error }) => void errors.push({ thrown: String(error.message ?? error) }),
    onCustomEvent: ({ event }) => void custom.push({ name: event.name, value: event.value }),
  }
  for (const { add = [], abortAt, answer, ...parameters } of runs) {
    for (const message of add) agent.addMessage(message)
    subagents.push([])
    const abort = {
      onTextMessageContentEvent: ({ textMessageBuffer }) =>
        void (textMessageBuffer.length >= abortAt && agent.abortRun()),
    }
    const own = abortAt === undefined ? subscriber : { ...subscriber, ...abort }
    const resume = answer && answersTo(outcomes.findLast(isInterrupted), answer)
    await agent.runAgent({ ...parameters, ...(resume && { resume }) }, own).catch(() => undefined)
  }
  const told = subagents.map((one) => one.toSorted())
  return { messages: agent.messages, outcomes, errors, custom, faults, subagents: told }
}

function isInterrupted({ outcome }) {
  return outcome?.type === 'interrupt'
}

function answersTo({ outcome }, payload) {
  return outcome.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload }))
}

/** Every event as it came, by the protocol's own schema. */
async function checked(faults, url, init) {
  const response = await fetch(url, init)
  const text = await response.text()
  for (const line of response.ok ? text.split('\n') : []) {
    if (!line.startsWith('data: ')) continue
    const { success, error } = EventSchemas.safeParse(JSON.parse(line.slice(6)))
    if (!success) faults.push(`${line}: ${error}`.slice(0, 500))
  }
  return new Response(text, { status: response.status, headers: response.headers })
}
