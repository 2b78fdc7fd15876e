import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { markChildren, read, startedProcesses } from './processes.ts'
import { countPorts, listenedPorts } from './sockets.ts'

/** How long a process may take to end after the last test of its file. */
const GRACE_MS = Number(process.env['TEST_GRACE_MS'] ?? 5000)
const PAUSE_MS = 20

/** tsx keeps its transformed modules there, for all processes of a user. */
const CACHE = `tsx-${process.getuid?.() ?? 0}`

/** Where systems have files in memory. */
const MEMORY = '/dev/shm'

/** What a test file left behind, one line each. */
export type Leaks = readonly string[]

/** Folders that tests of one process share, and that are removed when it ends. */
const SHARED = [CACHE, 'braidwork-run-', 'braidwork-browser-']

/** Watches the tests of this process for what they leave behind. */
export class LeakWatch {
  readonly #folder: string
  /** The folder for files in memory, where there are any. */
  readonly #memory: string | undefined
  /** The ports that were told already are not told of the next file. */
  readonly #told = new Set<string>()
  #toldCount = 0

  /** From now on temporary files of this process, and of those that it starts, are made in a folder of its own. */
  constructor() {
    const shared = tmpdir()
    this.#folder = mkdtempSync(join(shared, 'tests-'))
    mkdirSync(join(shared, CACHE), { recursive: true })
    // A PostgreSQL of the tests runs as another user, in a folder below.
    chmodSync(this.#folder, 0o755)
    symlinkSync(join(shared, CACHE), join(this.#folder, CACHE))
    process.env['TMPDIR'] = this.#folder
    this.#memory = existsSync(MEMORY) ? mkdtempSync(join(MEMORY, 'tests-')) : undefined
    if (this.#memory !== undefined) process.env['TESTS_MEMORY'] = this.#memory
    process.on('exit', () => this.#folders().forEach(removeFolder))
    markChildren()
  }

  /** What the tests since the last call left behind. Ends its processes and deletes its files. */
  async take(): Promise<Leaks> {
    const end = Date.now() + GRACE_MS
    while (this.#isLeft() && Date.now() < end)
      await new Promise((done) => setTimeout(done, PAUSE_MS))
    return [...this.#takeProcesses(), ...this.#takePorts(), ...this.#takeFiles()]
  }

  #isLeft(): boolean {
    return startedProcesses().length > 0 || countPorts() > this.#toldCount
  }

  #takeProcesses(): Leaks {
    return startedProcesses().map(({ pid, command }) => {
      read(() => process.kill(pid, 'SIGKILL'))
      return `process ${pid}: ${command}`
    })
  }

  #takePorts(): Leaks {
    const isLeft = countPorts() > this.#toldCount
    this.#toldCount = countPorts()
    if (!isLeft) return []
    const names = listenedPorts().filter((name) => !this.#told.has(name))
    for (const name of names) this.#told.add(name)
    return names.length > 0 ? names : ['a port']
  }

  #takeFiles(): Leaks {
    return this.#folders().flatMap((folder) => {
      const names = readdirSync(folder)
      const left = names.filter((name) => !SHARED.some((start) => name.startsWith(start)))
      for (const name of left) removeFolder(join(folder, name))
      return left.map((name) => `file ${join(basename(folder), name)}`)
    })
  }

  #folders(): readonly string[] {
    return this.#memory === undefined ? [this.#folder] : [this.#folder, this.#memory]
  }
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
