/** A folder in which a person would work: commands run there, with variables of its own. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Milliseconds after which a command is ended. */
const PATIENCE = 300_000
/** The lines of a failed command that are shown. */
const MOST_LINES = 12
const LONGEST_LINE = 300

export interface Output {
  readonly out: string
  readonly err: string
}

export class Place {
  readonly folder: string
  readonly #variables: NodeJS.ProcessEnv
  readonly #signal: AbortSignal

  /** @param signal - ends the commands that run, and lets no others begin */
  constructor(folder: string, variables: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.folder = folder
    this.#variables = variables
    this.#signal = signal
    mkdirSync(folder, { recursive: true })
  }

  /** Another folder with the same variables, and more of them. */
  at(path: string, variables: NodeJS.ProcessEnv = {}): Place {
    return new Place(join(this.folder, path), { ...this.#variables, ...variables }, this.#signal)
  }

  write(path: string, content: string | object): void {
    const file = join(this.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }

  /** Runs a command without input. @throws if it fails or takes too long; all that it started is ended then */
  async run(...command: readonly string[]): Promise<Output> {
    const [program = '', ...args] = command
    this.#signal.throwIfAborted()
    const child = spawn(program, args, {
      cwd: this.folder,
      env: this.#variables,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it starts ends with it.
      detached: true,
    })
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    const end = () => endGroup(child.pid)
    const timer = setTimeout(end, PATIENCE)
    this.#signal.addEventListener('abort', end)
    try {
      const status = await new Promise<number>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (code) => resolve(code ?? -1))
      })
      if (status === 0) return { out, err }
      throw new Error(`"${command.join(' ')}" ended with ${status}.\n${lastLines(out + err)}`)
    } finally {
      clearTimeout(timer)
      this.#signal.removeEventListener('abort', end)
    }
  }
}

function endGroup(id: number | undefined): void {
  if (id === undefined) return
  try {
    process.kill(-id, 'SIGKILL')
  } catch (error) {
    const isOver = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isOver) throw error
  }
}

function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const last = lines.slice(-MOST_LINES)
  return last.map((line) => line.slice(0, LONGEST_LINE)).join('\n')
}
