import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Format } from './bodies.ts'
import { inTurns, type Row } from './measure.ts'

/** What is compared: streams of a format, the same with more sides of Braidwork's, whole answers, or agents. */
export type Kind = 'stream' | 'stream of many sides' | 'send' | AgentKind

export type AgentKind = 'agent of one answer' | 'agent of one call' | 'agent that asks another'

/** How long a side runs before it is measured, and then how often, in how many turns. */
export interface Schedule {
  /** The number of runs of a warm-up, more if these take less time than `warmUpTime`. */
  readonly warmUp: number
  /** Milliseconds that a warm-up takes at least. 0 if not given. */
  readonly warmUpTime?: number
  readonly repeats: number
  readonly turns: number
}

/** Which requests, to which server, in which format. */
export interface Asked {
  readonly kind: Kind
  readonly url: string
  readonly format?: Format
}

/** What a side's process tells about so many runs: its CPU on all threads, and the time on the clock. Microseconds. */
export interface Sample {
  readonly cpu: number
  readonly time: number
}

/**
 * Measures requests, each side in a process of its own. In one process the garbage of a side would make V8 collect,
 * and throw away the code that was compiled for objects of the others.
 */
export async function apart(
  { kind, url, format = 'chat' }: Asked,
  measured: keyof Sample,
  { repeats, turns, ...before }: Schedule,
): Promise<readonly Omit<Row, 'group'>[]> {
  const children: ChildProcess[] = []
  const sides = []
  for (let at = 0; ; at++) {
    const child = fork(fileURLToPath(new URL('./sides/in-process.ts', import.meta.url)), [
      kind,
      url,
      format,
      String(at),
    ])
    const what = await said<string | null>(child)
    if (what === null) break
    children.push(child)
    await warmUpOf(child, before)
    sides.push({ what, run: async () => (await ask(child, repeats))[measured] })
  }
  const values = await inTurns(sides, (run) => run() as Promise<number>, turns)
  for (const child of children) child.kill()
  return [...values].map(([what, value]) => ({ what, value: value / repeats, unit: 'µs' }))
}

async function warmUpOf(
  child: ChildProcess,
  { warmUp, warmUpTime = 0 }: Pick<Schedule, 'warmUp' | 'warmUpTime'>,
): Promise<void> {
  const until = performance.now() + warmUpTime
  await ask(child, warmUp)
  while (performance.now() < until) await ask(child, 1)
}

async function ask(child: ChildProcess, repeats: number): Promise<Sample> {
  child.send(repeats)
  return said<Sample>(child)
}

/** The next message of a side's process. @throws if the process ends without one */
async function said<Message>(child: ChildProcess): Promise<Message> {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The process of a side ended with exit code ${code}.`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended])
    return message as Message
  } finally {
    settled.abort()
  }
}
