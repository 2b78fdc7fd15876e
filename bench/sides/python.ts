import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createHost } from '@braidwork/core'
import { Interpreter } from '../../src/python/dist/interpreter.js'
import { turnOf } from '../../src/python/dist/main-thread.js'
import { findPython } from '../../src/python/dist/venvs/find-python.js'
import type { Side } from '../measure.ts'

/** A way of getting chunks through a plugin, one after the other. */
export interface PythonSide {
  readonly what: string
  readonly run: (chunks: number) => Promise<unknown>
  /** The processes beside this one that have a part in it. */
  readonly pids: () => readonly number[]
  readonly close: () => unknown
}

/** 96 bytes of JSON. */
const CHUNK = { type: 'text-delta', id: '1', delta: 'x'.repeat(52) }

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const FOLDER = mkdtempSync(join(tmpdir(), 'braidwork-bench-'))
process.once('exit', () => rmSync(FOLDER, { recursive: true }))

const INSTALLED = findPython()

/** A loop in Python behind a socket, given the lines that the bridge writes and answering with its lines. */
export async function bareSide(together = 1): Promise<PythonSide> {
  const { executable } = await INSTALLED
  const child = spawn(executable, ['-E', '-s', pathOf('socket-loop.py')], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const socket = child.stdio[3] as Duplex
  let answered: (line: string) => void = () => undefined
  socket.setEncoding('utf8').on('data', (line: string) => answered(line))
  const ask = (line: string): Promise<string> =>
    new Promise((resolve) => {
      answered = resolve
      socket.write(line)
    })
  const lineOf = (r: number): string => {
    const val = { s: 1, i: 1, t: 5, b: Array.from({ length: together }, () => [CHUNK]) }
    return `${JSON.stringify({ r, action: 'braidwork', ffid: 0, key: 'chunks', val })}\n`
  }
  return {
    what: 'a loop in Python over a socket',
    run: async (chunks) => {
      for (let at = 0; at < chunks; at += together) JSON.parse(await ask(lineOf(at)))
    },
    pids: () => [child.pid ?? 0],
    close: () => child.kill(),
  }
}

/** Crossings of the bridge without a host: the segment of one plugin. */
export async function bridgeSide(): Promise<PythonSide> {
  const { executable } = await INSTALLED
  const interpreter = new Interpreter({ executable, log: () => undefined })
  const life = await interpreter.living()
  const { val } = await life.request('load', {
    entry: pathOf('looker.py'),
    paths: [],
    alone: false,
    t: 5,
  })
  const { plugin } = val as { readonly plugin: number }
  const told = { s: 1, i: 1, t: 5 }
  await life.request('chunks', { ...told, q: [[plugin, 'processChunk', null]], b: [] })
  // As a segment asks.
  const ask = (value: object): Promise<unknown> =>
    new Promise((resolve) => {
      const turn = turnOf(told.t)
      life.ask('chunks', JSON.stringify(value), { turn }, (_, answer) => resolve(answer))
    })
  return {
    what: 'the bridge alone, 1 extension',
    run: async (chunks) => {
      for (let at = 0; at < chunks; at++) await ask({ ...told, b: [[CHUNK]] })
    },
    pids: () => [life.pid ?? 0],
    close: () => interpreter.close(),
  }
}

/** The whole chain: a provider whose chunks arrive so many together, and so many extensions beside it. */
export async function chainSide(
  language: Language,
  count: number,
  together = 1,
): Promise<PythonSide> {
  let chunks = 0
  const group = together === 1 ? CHUNK : Array.from({ length: together }, () => CHUNK)
  const provider = {
    kind: 'provider',
    name: 'bench',
    stream: async function* () {
      yield { type: 'text-start', id: '1' }
      for (let at = 0; at < chunks; at += together) yield group
      yield { type: 'text-end', id: '1' }
    },
    finalize: (native: unknown, state: unknown) => [[], native, state],
  }
  const plugins = [provider, ...LOOKERS[language](count)] as never
  // The program itself, as all sides start it: what a version manager's script takes is not measured.
  const { executable } = await INSTALLED
  const host = await createHost({ plugins, config: { provider: 'bench' }, python: { executable } })
  const pid = language === 'Python' ? Number(await host.runAction('looker_0', 'pid', null)) : 0
  return {
    what: `braidwork, ${count} extensions in ${language}`,
    run: async (most) => {
      chunks = most
      for await (const event of host.stream({}, 'Hello'))
        if (event.type === 'error') throw new Error(event.error.message)
    },
    pids: () => (pid === 0 ? [] : [pid]),
    close: () => host.close(),
  }
}

type Language = 'Python' | 'TypeScript'
type Step = readonly [chunk: unknown, partials: unknown, finals: unknown, ...rest: unknown[]]

const LOOKERS: { readonly [L in Language]: (count: number) => readonly unknown[] } = {
  Python: (count) => {
    return Array.from({ length: count }, (_, at) => {
      const path = join(FOLDER, `looker_${at}.py`)
      copyFileSync(pathOf('looker.py'), path)
      return path
    })
  },
  TypeScript: (count) =>
    Array.from({ length: count }, (_, at) => ({
      kind: 'extension',
      name: `looker_${at}`,
      processChunk: (...[, partials, finals, native, state]: Step) => [
        partials,
        finals,
        native,
        state,
      ],
    })),
}

/** Plain pythonia in a process of its own: a proxied call a chunk, and its answer by value. */
export async function plainSide(): Promise<PythonSide> {
  const child = fork(pathOf('pythonia.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ pid }] = (await once(child, 'message')) as [{ readonly pid: number }]
  return {
    what: 'plain pythonia',
    run: (chunks) => {
      child.send({ chunk: CHUNK, chunks })
      return once(child, 'message')
    },
    pids: () => [child.pid ?? 0, pid],
    close: () => child.disconnect(),
  }
}

/** An interpreter that starts, and ends. */
export async function bareStart(): Promise<Side> {
  const { executable } = await INSTALLED
  return {
    what: 'python3 -c pass',
    run: async () => {
      await once(spawn(executable, ['-E', '-s', '-c', 'pass'], { stdio: 'ignore' }), 'exit')
    },
  }
}

/** From nothing to the answer of a Python plugin's first hook; the host's code is loaded already. */
export function coldCall(): Side {
  return {
    what: 'braidwork, first call',
    run: async () => {
      const { close } = await chainSide('Python', 1)
      return close
    },
  }
}

/** So many requests at once through one Python plugin, each of so many chunks: the milliseconds of each. */
export async function atOnce(requests: number, chunks: number): Promise<readonly number[]> {
  const side = await chainSide('Python', 1)
  await side.run(chunks)
  const times = Array.from({ length: requests }, async () => {
    const start = performance.now()
    await side.run(chunks)
    return performance.now() - start
  })
  const all = await Promise.all(times)
  await side.close()
  return all
}
