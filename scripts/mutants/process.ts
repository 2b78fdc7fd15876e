import { type ChildProcess, spawn } from 'node:child_process'

/** How a program ended. */
export interface Ended {
  readonly status: number | null
  readonly output: string
  /** It did not end in time and was killed. */
  readonly hung: boolean
}

export interface Program {
  readonly cwd: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly limitMs: number
}

const LONGEST_OUTPUT = 100_000
const running = new Set<ChildProcess>()

process.on('exit', () => running.forEach(killGroup))

/** Runs Node, and at its end kills the processes that it started and left behind. */
export function runNode({ cwd, args, env = process.env, limitMs }: Program): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let [output, hung] = ['', false]
    const gather = (text: Buffer) => {
      output = (output + text.toString()).slice(-LONGEST_OUTPUT)
    }
    child.stdout.on('data', gather)
    child.stderr.on('data', gather)
    const timer = afterRunning(limitMs, () => {
      hung = true
      killGroup(child)
    })
    child.on('error', fail)
    child.on('exit', () => {
      killGroup(child)
      // A process outside the group may hold the pipes open.
      setTimeout(
        () => [child.stdout, child.stderr].forEach((pipe) => void pipe.destroy()),
        500,
      ).unref()
    })
    child.on('close', (status) => {
      clearInterval(timer)
      running.delete(child)
      done({ status, output, hung })
    })
  })
}

/** Calls a function once this process has run for so long. The time in which it was suspended does not count. */
function afterRunning(limitMs: number, act: () => void): NodeJS.Timeout {
  const stepMs = Math.min(1000, limitMs)
  let [leftMs, last] = [limitMs, performance.now()]
  const timer = setInterval(() => {
    const now = performance.now()
    leftMs -= Math.min(now - last, 2 * stepMs)
    last = now
    if (leftMs > 0) return
    clearInterval(timer)
    act()
  }, stepMs)
  return timer
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
