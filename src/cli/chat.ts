import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { text as readAll } from 'node:stream/consumers'
import { type RunResult, run } from '../agent/index.ts'
import type { FinishReason, Message } from '../events/index.ts'
import type { Host } from '../host/index.ts'
import { EXIT, reportDiagnostics, reportError } from './exit.ts'
import type { ConfigOptions } from './options.ts'
import { EventView } from './show-events.ts'
import { stylesOf, visible } from './terminal.ts'
import { WatchedHost } from './watched-host.ts'

export interface ChatOptions extends ConfigOptions {
  readonly json?: boolean
  readonly trace?: boolean
  readonly maxSteps?: number
  readonly watch?: boolean
}

/** A conversation as it goes on. */
interface Conversation {
  readonly watched: WatchedHost
  readonly id: string
  readonly options: ChatOptions
  /** Nothing where events are printed. */
  readonly view: EventView | undefined
  messages: Message[]
}

/** `braidwork chat [prompt]`: one answer, or, without a prompt, one for each line of standard input. */
export async function chat(words: readonly string[], options: ChatOptions): Promise<number> {
  const view = options.json ? undefined : new EventView()
  const trace = options.trace
    ? (await import('./trace.ts')).createTrace(() => view?.pause())
    : undefined
  const watched = await WatchedHost.open(options, trace?.wrap)
  const conversation: Conversation = { watched, id: randomUUID(), options, view, messages: [] }
  try {
    const { host, diagnostics } = watched.current
    reportDiagnostics([...diagnostics, ...(await loadDiagnostics(host))])
    trace?.maskBy(host)
    if (words.length === 0) return await converse(conversation)
    const prompt =
      words.length === 1 && words[0] === '-' ? await readAll(process.stdin) : words.join(' ')
    return await answerOnce(conversation, prompt)
  } finally {
    await watched.close()
  }
}

/** Loads again what changed on disk, and says so. */
async function refresh({ watched, options }: Conversation): Promise<void> {
  if (!options.watch) return
  const changed = await watched.refresh()
  if (changed.length === 0) return
  const { dim } = stylesOf(process.stderr)
  for (const entry of changed) process.stderr.write(`${dim('loaded again')} ${visible(entry)}\n`)
  const { host, diagnostics } = watched.current
  reportDiagnostics([...diagnostics, ...(await loadDiagnostics(host))])
}

/** What every request would say again. */
async function loadDiagnostics(host: Host) {
  try {
    return (await host.resolve()).diagnostics
  } catch {
    // The request itself reports what is wrong with the config.
    return []
  }
}

/** The first Ctrl-C stops the answer; the second the program, though it be busy closing. */
async function answerOnce(conversation: Conversation, prompt: string): Promise<number> {
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort('stopped by Ctrl-C')
  })
  return answer(conversation, prompt, controller.signal)
}

async function answer(
  conversation: Conversation,
  prompt: string,
  signal: AbortSignal,
): Promise<number> {
  const { id, options, view } = conversation
  const { host } = conversation.watched.current
  const question: Message = { role: 'user', parts: [{ type: 'text', text: prompt }] }
  const messages = [...conversation.messages, question]
  const { maxSteps } = options
  const stream = run(host, {
    messages: prompt.trim() === '' ? prompt : messages,
    signal,
    conversationId: id,
    ...(maxSteps === undefined ? {} : { maxSteps }),
  })
  for await (const event of stream) {
    if (view) view.show(event)
    else process.stdout.write(`${JSON.stringify(event)}\n`)
  }
  view?.end()
  const result = await stream.result
  if (result.status === 'done') conversation.messages = [...messages, ...result.messages]
  return report(result)
}

/** What a reader is told of an answer that is shorter than it would be. */
const EARLY: { readonly [R in FinishReason]?: string } = {
  length: 'no more tokens were allowed.',
  'tool-calls':
    'no more steps were allowed; see --max-steps, or "limits.max_rounds" in the config.',
  'content-filter': 'the provider filtered it.',
}

function report({ warnings, error, finishReason }: RunResult): number {
  const { dim } = stylesOf(process.stderr)
  const early = error ? undefined : EARLY[finishReason]
  const all = early === undefined ? warnings : [...warnings, `The answer ends early: ${early}`]
  for (const warning of all) process.stderr.write(`${dim('warning')} ${visible(warning)}\n`)
  return error ? reportError(error) : EXIT.ok
}

/** Line by line, with history: Ctrl-C stops an answer; where none runs, the second leaves. */
async function converse(conversation: Conversation): Promise<number> {
  const isTerminal = process.stdin.isTTY
  const reader = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stderr : undefined,
    prompt: '> ',
  })
  let controller: AbortController | undefined
  let isLeaving = false
  const onInterrupt = () => {
    if (controller && !controller.signal.aborted) controller.abort('stopped by Ctrl-C')
    else if (isLeaving || controller) process.exit(EXIT.interrupted)
    else {
      isLeaving = true
      process.stderr.write('\n(Ctrl-C again, or Ctrl-D, to leave)\n')
      if (isTerminal) reader.prompt()
    }
  }
  reader.on('SIGINT', onInterrupt)
  if (!isTerminal) process.on('SIGINT', onInterrupt)
  let status: number = EXIT.ok
  try {
    if (isTerminal) reader.prompt()
    for await (const line of reader) {
      isLeaving = false
      if (line.trim() !== '') {
        controller = new AbortController()
        await refresh(conversation)
        status = await answer(conversation, line, controller.signal)
        controller = undefined
      }
      if (isTerminal) reader.prompt()
    }
    // Ctrl-D leaves the prompt's line open.
    if (isTerminal) process.stderr.write('\n')
  } finally {
    reader.close()
    process.off('SIGINT', onInterrupt)
  }
  return status
}
