import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Variables } from '@braidwork/core/internal'
import { signalGroup } from './process-group.ts'
import { endWithHost } from './watcher.ts'

export interface ProgramOptions {
  /** All variables that it sees. */
  readonly env: Variables
  readonly cwd?: string
  /** The longest that it may take. */
  readonly timeoutMs?: number
  /** Ends it, and whatever it has started. */
  readonly signal?: AbortSignal | undefined
  /** Sees what it writes, as it comes. */
  readonly onText?: (text: string) => void
}

/** How a program ended, and what it wrote. */
export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  /** Whether it was ended because it took too long. */
  readonly isLate: boolean
  readonly out: string
  readonly err: string
}

/** What is kept of each of its outputs. */
const MOST_KEPT = 1 << 20
/** What it wrote last may come after its end. */
const LAST_WORDS_MS = 1000

/**
 * Runs a program to its end, in a group of its own: whatever it has started ends with it, and it ends with
 * the host. Rejects with the system's error where it cannot be started.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<Ended> {
  const { cwd, env, signal, timeoutMs } = options
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  })
  let isLate = false
  const onTime = () => {
    isLate = true
    kill(child)
  }
  const stop = () => kill(child)
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTime, timeoutMs)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return { ...(await endOf(child, options)), isLate }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function endOf(child: ChildProcess, { onText }: ProgramOptions) {
  const out = gather(child.stdout, onText)
  const err = gather(child.stderr, onText)
  const closed = new Promise((resolve) => void child.once('close', resolve))
  const forget = child.pid === undefined ? undefined : endWithHost(child.pid)
  try {
    const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    signalGroup(child.pid, 'SIGKILL')
    // One that has left the group may hold the pipes open.
    await Promise.race([closed, delay(LAST_WORDS_MS, undefined, { ref: false })])
    return { status, signal, out: out(), err: err() }
  } finally {
    forget?.()
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
}

function gather(stream: ChildProcess['stdout'], onText?: (text: string) => void): () => string {
  let kept = ''
  stream?.setEncoding('utf8').on('data', (text: string) => {
    kept += text.slice(0, MOST_KEPT - kept.length)
    onText?.(text)
  })
  return () => kept
}

function kill(child: ChildProcess): void {
  signalGroup(child.pid, 'SIGKILL')
  child.kill('SIGKILL')
}
