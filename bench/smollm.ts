import { type ChildProcess, spawn } from 'node:child_process'
import { on } from 'node:events'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createHost } from '@braidwork/core'
import { findPython } from '../src/python/dist/venvs/find-python.js'
import { pluginPythonOf } from '../src/python/dist/venvs/venvs.js'
import { median, ROUNDS, type Row } from './measure.ts'

const PLUGIN = fileURLToPath(new URL('../providers/smollm', import.meta.url))
const SETTINGS = { context_window: 2048, threads: Math.max(1, availableParallelism() - 1) }
const CONFIG = {
  provider: 'smollm',
  temperature: 0,
  max_output_tokens: 100,
  settings: { smollm: SETTINGS },
} as const
const BARE = 'xllamacpp.Server'

/** When each token of an answer came, in milliseconds after it was asked for. */
type Ask = (question: string) => Promise<readonly number[]>
type Host = Awaited<ReturnType<typeof createHost>>

/** A model on this machine, through Braidwork and by its library alone; both stay loaded, and have the same to do. */
export async function smollm(): Promise<readonly Row[]> {
  const executable = await executableOf()
  if (!executable) return []
  const host = await createHost({ plugins: [PLUGIN], config: CONFIG })
  const bare = spawn(executable, [
    fileURLToPath(new URL('./smollm.py', import.meta.url)),
    JSON.stringify(SETTINGS),
  ])
  const sides = [
    { what: 'braidwork, smollm', ask: (question: string) => askHost(host, question) },
    { what: BARE, ask: bareAsk(host, bare) },
  ]
  try {
    return [...(await timesOf(sides)), await cancelling(host)]
  } finally {
    bare.kill()
    await host.close()
  }
}

/** The interpreter with the model; where there is none, that is all there is to say. */
async function executableOf(): Promise<string | undefined> {
  try {
    return (await pluginPythonOf(PLUGIN, await findPython())).executable
  } catch (error) {
    console.log(`smollm is not measured: ${String(error)}`)
    return undefined
  }
}

async function timesOf(sides: readonly { what: string; ask: Ask }[]): Promise<readonly Row[]> {
  const firsts = new Map(sides.map(({ what }) => [what, [] as number[]]))
  const paces = new Map(sides.map(({ what }) => [what, [] as number[]]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { what, ask } of sides) {
      const times = await ask(`Tell me a long story of ${round + 2} parrots.`)
      // The first answer loads the model.
      if (round === 0) continue
      const [first = Number.NaN] = times
      firsts.get(what)?.push(first)
      paces.get(what)?.push(((times.at(-1) ?? Number.NaN) - first) / (times.length - 1))
    }
  }
  return [...rowsOf('smollm, first token', firsts), ...rowsOf('smollm, a token after it', paces)]
}

function rowsOf(group: string, samples: ReadonlyMap<string, readonly number[]>): readonly Row[] {
  return [...samples].map(([what, all]) => ({ group, what, value: median(all), unit: 'ms' }))
}

async function askHost(host: Host, question: string): Promise<readonly number[]> {
  const times: number[] = []
  const begin = performance.now()
  for await (const { type } of host.stream({}, question)) {
    if (type === 'text-delta') times.push(performance.now() - begin)
  }
  return times
}

function bareAsk(host: Host, { stdin, stdout }: ChildProcess): Ask {
  if (!(stdin && stdout)) throw new Error('The child has no pipes.')
  const lines = on(createInterface(stdout), 'line')
  return async (question) => {
    const { native } = await host.dryRun({}, question)
    stdin.write(`${JSON.stringify(native)}\n`)
    const { value } = await lines.next()
    return JSON.parse(String(value)) as number[]
  }
}

/** From the cancel in the middle of an answer to the stream's end. */
async function cancelling(host: Host): Promise<Row> {
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const controller = new AbortController()
    let seen = 0
    let cancelled = 0
    for await (const { type } of host.stream({}, 'Tell me a long story.', controller)) {
      if (type !== 'text-delta' || ++seen !== 10) continue
      cancelled = performance.now()
      controller.abort()
    }
    samples.push(performance.now() - cancelled)
  }
  return {
    group: 'smollm, cancelled',
    what: 'to the end of the stream',
    value: median(samples),
    unit: 'ms',
  }
}
