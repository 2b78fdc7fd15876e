import { randomUUID } from 'node:crypto'
import { text as readAll } from 'node:stream/consumers'
import { messagesAfter, type RunOptions, type RunResult, Steering } from '@braidwork/agent'
import type { Host } from '@braidwork/core'
import type { FolderInstructions } from '@braidwork/core/internal'
import type { FinishReason, Message } from '@braidwork/plugin'
import { agentDiagnostics } from '../agent-diagnostics.ts'
import { jsonText, visible } from '../characters.ts'
import { EXIT, reportDiagnostics, reportError } from '../exit.ts'
import { assertCounted, type ConfigOptions } from '../options.ts'
import { stylesOf } from '../terminal.ts'
import { askApprovals, askInTerminal } from './ask-approvals.ts'
import { chatLogs } from './chat-log.ts'
import { openRun, runtimeOf } from './chat-run.ts'
import { converse, type Person } from './converse.ts'
import { toldInstructions } from './folder-instructions.ts'
import { EventView } from './show-events.ts'
import { WatchedHost } from './watched-host.ts'

export interface ChatOptions extends ConfigOptions {
  readonly json?: boolean
  readonly trace?: boolean
  readonly maxSteps?: number
  readonly watch?: boolean
  readonly agent?: string
  /** False leaves out the instructions of the working directory. */
  readonly instructions?: boolean
}

/** The state of one `braidwork chat` session. */
interface Conversation {
  readonly watched: WatchedHost
  readonly id: string
  readonly options: ChatOptions
  /** `undefined` when `--json` prints the events instead. */
  readonly view: EventView | undefined
  /** The instructions of the working directory, as they were at the start. */
  readonly instructions: readonly FolderInstructions[]
  messages: readonly Message[]
  /** The messages of the diagnostics that were printed. Every answer has them among its warnings. */
  told: ReadonlySet<string>
  /** Takes what is typed in a terminal while an answer is written. */
  steering: Steering | undefined
}

/** `braidwork chat [prompt]`: answers the prompt once, or, without a prompt, each line of standard input. */
export async function chat(words: readonly string[], options: ChatOptions): Promise<number> {
  const view = options.json ? undefined : new EventView()
  const trace = options.trace
    ? (await import('./trace.ts')).createTrace(() => view?.pause())
    : undefined
  const logs = chatLogs(() => view?.pause(), options.trace === true)
  const watched = await WatchedHost.open(options, {
    ...(trace ? { wrap: trace.wrap } : {}),
    ...(logs.host ? { log: logs.host } : {}),
    pythonLog: logs.python,
  })
  const conversation: Conversation = {
    watched,
    id: randomUUID(),
    options,
    view,
    instructions: options.instructions === false ? [] : toldInstructions(),
    messages: [],
    told: new Set(),
    steering: undefined,
  }
  try {
    assertCounted(watched.current.diagnostics)
    await tellDiagnostics(conversation)
    trace?.maskBy(watched.current.host)
    if (words.length === 0) return await hold(conversation)
    const prompt =
      words.length === 1 && words[0] === '-' ? await readAll(process.stdin) : words.join(' ')
    return await answerOnce(conversation, prompt)
  } finally {
    await watched.close()
  }
}

/** Reloads plugins whose files changed, and prints their names. */
async function refresh(conversation: Conversation): Promise<void> {
  const { watched, options } = conversation
  if (!options.watch) return
  const changed = await watched.refresh()
  if (changed.length === 0) return
  const { dim } = stylesOf(process.stderr)
  for (const entry of changed) process.stderr.write(`${dim('loaded again')} ${visible(entry)}\n`)
  await tellDiagnostics(conversation)
}

/** Prints the diagnostics once, and not again with every answer. */
async function tellDiagnostics(conversation: Conversation): Promise<void> {
  const { watched, options, instructions } = conversation
  const { host, declared, diagnostics } = watched.current
  const ofAgent =
    options.agent === undefined
      ? []
      : await agentDiagnostics(await runtimeOf({ host, declared, instructions }), options.agent)
  const all = [...diagnostics, ...(await requestDiagnostics(host)), ...ofAgent]
  reportDiagnostics(all)
  conversation.told = new Set(all.map(({ message }) => message))
}

async function requestDiagnostics(host: Host) {
  try {
    return (await host.resolve()).diagnostics
  } catch {
    // The request itself reports faults in the config.
    return []
  }
}

/** Answers line by line, with history. */
function hold(conversation: Conversation): Promise<number> {
  return converse({
    steering: () => conversation.steering,
    answer: async (turn, person) => {
      await refresh(conversation)
      return answer(conversation, turn, person)
    },
  })
}

/** Answers one prompt. The first Ctrl-C stops the answer; the second ends the program, even while it is closing. */
async function answerOnce(conversation: Conversation, prompt: string): Promise<number> {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort('stopped by Ctrl-C')
  }
  process.on('SIGINT', stop)
  return answer(conversation, prompt, { signal: controller.signal, ask: askInTerminal(stop) })
}

async function answer(
  conversation: Conversation,
  prompt: string,
  { signal, ask }: Person,
): Promise<number> {
  const question: Message = { role: 'user', parts: [{ type: 'text', text: prompt }] }
  let messages: readonly Message[] = [...conversation.messages, question]
  let result = await show(conversation, {
    messages: prompt.trim() === '' ? prompt : messages,
    signal,
  })
  messages = messagesAfter(messages, result)
  while (result.suspension && result.status === 'done') {
    const { suspension } = result
    const verdicts = await askApprovals(suspension.approvals, ask, signal)
    result = await show(conversation, { messages, signal, resume: { ...suspension, verdicts } })
    messages = messagesAfter(messages, result)
  }
  if (result.status === 'done') conversation.messages = messages
  return report(result, conversation)
}

/** Runs the agent and prints its events as they arrive. */
async function show(
  conversation: Conversation,
  given: Pick<RunOptions, 'messages' | 'signal' | 'resume'>,
): Promise<RunResult> {
  const { id, options, view, watched, instructions } = conversation
  const { maxSteps, agent } = options
  const steering = new Steering()
  conversation.steering = steering
  const order = {
    ...given,
    conversationId: id,
    steering,
    // A terminal, or a pipe, cannot take back what was written. A reader of JSON can.
    canReset: view === undefined,
    ...(maxSteps === undefined ? {} : { maxSteps }),
  }
  const stream = await openRun({ ...watched.current, agent, instructions }, order)
  for await (const event of stream) {
    if (view) view.show(event)
    else process.stdout.write(`${jsonText(event)}\n`)
  }
  conversation.steering = undefined
  view?.end()
  return stream.result
}

/** The sentence for a step limit. The limit of an agent comes before that of the config. */
function stepLimit({ agent }: ChatOptions): string {
  const field =
    agent === undefined
      ? '"limits.max_rounds" in the config'
      : `"max_rounds" of the agent "${agent}"`
  return `it reached the step limit; see --max-steps, or ${field}.`
}

/** Why an answer ended early, by finish reason. */
const EARLY: { readonly [R in FinishReason]?: string } = {
  length: 'it reached the limit of tokens.',
  'content-filter': 'the provider filtered it.',
}

/** The sentence that tells the reader why an answer ended early, if it did. */
function earlyReason(
  { error, finishReason, termination }: RunResult,
  options: ChatOptions,
): string | undefined {
  if (error) return undefined
  if (termination.reason === 'stopped') {
    const { code, detail } = termination
    return code === 'max_rounds' ? stepLimit(options) : `${detail} (${code})`
  }
  if ('plugin' in termination) return `the feature "${termination.plugin}": ${termination.detail}`
  return EARLY[finishReason]
}

function report(result: RunResult, { told, options }: Conversation): number {
  const { warnings, error } = result
  const { dim } = stylesOf(process.stderr)
  const early = earlyReason(result, options)
  const fresh = warnings.filter((warning) => !told.has(warning))
  const all = early === undefined ? fresh : [...fresh, `The answer ended early: ${early}`]
  for (const warning of all) process.stderr.write(`${dim('warning')} ${visible(warning)}\n`)
  return error ? reportError(error, options.trace) : EXIT.ok
}
