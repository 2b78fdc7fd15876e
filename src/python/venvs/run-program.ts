import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Variables } from '@braidwork/core/internal'
import { signalGroup } from '../process-group.ts'
import { endWithHost } from '../watcher.ts'

export interface ProgramOptions {
  /** The complete environment variables of the program. */
  readonly env: Variables
  readonly cwd?: string
  /** Whether a shell starts the program, as scripts on Windows need it. */
  readonly shell?: boolean
  /** The time limit in milliseconds. */
  readonly timeoutMs?: number
  /** Ends the program and all processes that it started. */
  readonly signal?: AbortSignal | undefined
  /** Receives the output as it arrives. */
  readonly onText?: (text: string) => void
}

/** How a program ended, and its output. */
export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  /** Whether it was ended because of the time limit. */
  readonly isLate: boolean
  readonly out: string
  readonly err: string
}

/** The maximum number of characters kept of each output. */
const MOST_KEPT = 1 << 20
/** Milliseconds to wait for output after the end of the program. */
const LAST_WORDS_MS = 1000

/**
 * Runs a program to its end in its own process group: processes that it started end with it, and it ends with the host.
 * Rejects with the system's error if it cannot be started.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<Ended> {
  const { cwd, env, shell = false, signal, timeoutMs } = options
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    shell,
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
    // A process that left the group may keep the pipes open.
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
