import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inTurns, type Row, type Side, startServer, timeOf } from './measure.ts'

const COMMAND = fileURLToPath(new URL('../src/cli/bin/braidwork.js', import.meta.url))
const PROGRAMS = fileURLToPath(new URL('./programs/', import.meta.url))

const execute = promisify(execFile)

/** A new process with variables of its own, from its start to its first output. */
function starting(what: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Side {
  return {
    what,
    run: async () => {
      const child = spawn(process.execPath, args, {
        cwd: PROGRAMS,
        env: { ...process.env, ...more },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const closed = once(child, 'close')
      const first = await Promise.race([once(child.stdout, 'data'), closed])
      child.kill()
      await closed
      if (!Buffer.isBuffer(first[0])) throw new Error(`${what} ended without output`)
    },
  }
}

/** The programs that ask a model API, and the sides that they are. */
const NAMES = [
  ['fetch, eventsource-parser', 'fetch'],
  ['braidwork, 3 extensions', 'braidwork'],
  ['openai, its own iteration', 'openai'],
  ['AI SDK, textStream', 'ai-sdk'],
  ['LangChain', 'langchain'],
  ['pi-ai', 'pi-ai'],
  ['TanStack AI', 'tanstack'],
] as const

function programs(url: string, more?: NodeJS.ProcessEnv): readonly Side[] {
  return NAMES.map(([what, name]) => starting(what, [`${name}.mjs`, url], more))
}

/** Programs that find their compiled code, which Node keeps where a process comes to its end. */
async function compiledBefore(url: string, folder: string): Promise<readonly Side[]> {
  const more = { NODE_COMPILE_CACHE: folder }
  for (const [, name] of NAMES) {
    const env = { ...process.env, ...more }
    await execute(process.execPath, [`${name}.mjs`, url], { cwd: PROGRAMS, env })
  }
  return programs(url, more)
}

/**
 * Time on the clock from the start of a process to its first token, over HTTP, in chat completions: of a process that
 * compiles its code, and of one that finds the code of an earlier process (NODE_COMPILE_CACHE, Node 22.1 and newer).
 */
export async function firstToken(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: '50' })
  const command = [COMMAND, 'chat', 'hi']
  // From its second start on, the command finds its compiled code, on Node 22.1 and newer.
  execFileSync(process.execPath, command)
  const compiling = [
    starting('node alone', ['-e', 'console.log(1)']),
    ...programs(server.url),
    starting('braidwork chat, with the provider scripted', command),
  ]
  const rows = await rowsOf('first token', compiling)
  const folder = mkdtempSync(join(tmpdir(), 'braidwork-bench-'))
  const sides = await compiledBefore(server.url, folder)
  const kept = await rowsOf('first token, its code compiled before', sides)
  rmSync(folder, { recursive: true })
  server.close()
  return [...rows, ...kept]
}

async function rowsOf(group: string, sides: readonly Side[]): Promise<readonly Row[]> {
  const times = await inTurns(sides, timeOf, 15)
  return [...times].map(([what, value]) => ({ group, what, value, unit: 'ms' }))
}
