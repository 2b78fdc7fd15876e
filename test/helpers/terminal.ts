import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { COMMAND } from '../cli/command.ts'
import { MARKED_KEYS, unmarked } from './marks.ts'

const IN_TERMINAL = fileURLToPath(new URL('in_terminal.py', import.meta.url))
const DOWN = '\u001b[B'
const UP = '\u001b[A'
const ENTER = '\r'
const LONGEST_WAIT = 15_000

/** Whether there is what a pseudo-terminal needs: Python 3.9 or newer, not on Windows. */
export function hasTerminal(): boolean {
  const program = 'import pty, os; os.waitstatus_to_exitcode'
  return spawnSync('python3', ['-c', program]).status === 0
}

/** The built command in a pseudo-terminal, and whoever sits before it. */
export class Terminal {
  readonly #child: ChildProcessWithoutNullStreams
  #all = ''
  #from = 0
  #echo = ''
  #arrived: () => void = () => undefined
  readonly #closed: Promise<unknown>

  /** @param options.errors a file that gets standard error; by default the terminal gets it */
  constructor(
    args: readonly string[],
    options: { cwd: string; env: NodeJS.ProcessEnv; errors?: string },
  ) {
    const env = {
      ...process.env,
      ...MARKED_KEYS,
      NODE_OPTIONS: '',
      NO_COLOR: '1',
      TERM: 'xterm',
      ...options.env,
    }
    // In CI, prompts draw no spinner.
    const { CI: _, ...own } = env as NodeJS.ProcessEnv
    const { errors } = options
    const redirected = errors === undefined ? [] : ['sh', '-c', 'exec "$@" 2> "$0"', errors]
    const command = [...redirected, process.execPath, COMMAND, ...args]
    this.#child = spawn('python3', [IN_TERMINAL, ...command], {
      cwd: options.cwd,
      env: own,
    })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#all += text
      this.#arrived()
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#echo += text
    })
    this.#child.stdin.on('error', () => undefined)
    this.#closed = once(this.#child, 'close').then(() => this.#arrived())
  }

  /** All that was ever shown, without control sequences. */
  get shown(): string {
    return stripVTControlCharacters(this.#all)
  }

  /** All that was ever sent to the terminal. */
  get sent(): string {
    return this.#all
  }

  type(keys: string): void {
    this.#child.stdin.write(keys)
  }

  /** Waits until something is shown that was not yet looked at. */
  async sees(words: string | RegExp): Promise<string> {
    return this.#until(`${words}`, (text) => {
      const found = typeof words === 'string' ? words : (words.exec(text)?.[0] ?? '')
      const at = text.indexOf(found)
      return at < 0 || found === '' ? undefined : [at, at + found.length]
    })
  }

  /** Waits for a question with a list below it. */
  #list(message: string): Promise<string> {
    return this.#until(`a list "${message}"`, (text) => {
      const at = text.indexOf(`◆  ${message}`)
      const end = text.indexOf('└', at)
      return at < 0 || end < 0 ? undefined : [at, end + 1]
    })
  }

  /** Chooses from the list below a question; a long one is searched first. */
  async choose(message: string, label: string): Promise<void> {
    let rows = await this.#list(message)
    if (rows.includes('Search:')) {
      this.type(label)
      rows = await this.#found(label)
    }
    const lines = rows.split('\n').filter((line) => /^│ +[○●]/.test(line))
    const from = lines.findIndex((line) => line.includes('●'))
    const to = lines.findIndex((line) =>
      new RegExp(`[○●] ${escaped(label)}(?:: | \\(|\\s*$)`).test(line),
    )
    if (to < 0) throw new Error(`"${label}" is not among:\n${rows}`)
    this.type((to > from ? DOWN : UP).repeat(Math.abs(to - from)) + ENTER)
  }

  /** The rows that a search for a text leaves: those that were drawn last, as many as it says. */
  async #found(label: string): Promise<string> {
    let drawn = ''
    await this.#until(`rows for "${label}"`, (text) => {
      const [, count] = new RegExp(`Search: ${escaped(label)}█ \\((\\d+) match`).exec(text) ?? []
      drawn = text.split('Search: ').findLast((part) => /^│ +[○●]/m.test(part)) ?? ''
      const isWhole = drawn.match(/^│ +[○●]/gm)?.length === Number(count)
      return isWhole ? [0, text.length] : undefined
    })
    return drawn
  }

  /** Chooses several of the list below a question, none of which is chosen yet. */
  async pick(message: string, labels: readonly string[]): Promise<void> {
    const list = await this.#list(message)
    const rows = list.split('\n').filter((line) => /^│ +[◻◼]/.test(line))
    const keys = rows.map((row) => (labels.some((label) => row.includes(label)) ? ' ' : '') + DOWN)
    this.type(keys.join('') + ENTER)
  }

  /** Answers a question with a text, in place of the one that stands there. */
  async answer(message: string, text: string): Promise<void> {
    await this.sees(`◆  ${message}`)
    this.type(`\u0015${text}${ENTER}`)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Closes the terminal, as closing its window does. */
  close(): void {
    this.#child.kill('SIGUSR1')
  }

  /** Waits for the end, and sees that no secret was ever shown. */
  async ends(): Promise<{ status: number | null; isEchoing: boolean }> {
    await this.#closed
    unmarked(this.#all)
    return { status: this.#child.exitCode, isEchoing: this.#echo === 'echo\n' }
  }

  /** Waits until a part of what is shown is found; what comes behind it is still to be looked at. */
  async #until(
    what: string,
    find: (text: string) => readonly [from: number, to: number] | undefined,
  ): Promise<string> {
    const deadline = Date.now() + LONGEST_WAIT
    for (;;) {
      const text = this.shown.slice(this.#from)
      const found = find(text)
      if (found !== undefined) {
        this.#from += found[1]
        return text.slice(...found)
      }
      if (this.#child.exitCode !== null || Date.now() > deadline)
        throw new Error(`No ${what} in:\n${text}`)
      await this.#nextOutput()
    }
  }

  #nextOutput(): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, LONGEST_WAIT)
      this.#arrived = () => {
        clearTimeout(timer)
        done()
      }
    })
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
