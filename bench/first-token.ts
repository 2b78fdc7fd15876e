import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inTurns, type Row, type Side, startServer, timeOf } from './measure.ts'

const COMMAND = fileURLToPath(new URL('../src/cli/bin/braidwork.js', import.meta.url))
const PROGRAMS = fileURLToPath(new URL('./programs/', import.meta.url))

/** A new process, from its start to its first output. */
function starting(what: string, ...args: readonly string[]): Side {
  return {
    what,
    run: async () => {
      const child = spawn(process.execPath, args, {
        cwd: PROGRAMS,
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

/** Time on the clock from the start of a process to its first token, over HTTP, in chat completions. */
export async function firstToken(): Promise<readonly Row[]> {
  const server = await startServer({ CHUNKS: '50' })
  const program = (what: string, name: string) => starting(what, `${name}.mjs`, server.url)
  const sides = [
    starting('node alone', '-e', 'console.log(1)'),
    program('fetch, eventsource-parser', 'fetch'),
    program('braidwork, 3 extensions', 'braidwork'),
    program('openai, its own iteration', 'openai'),
    program('AI SDK, textStream', 'ai-sdk'),
    program('LangChain', 'langchain'),
    program('pi-ai', 'pi-ai'),
    program('TanStack AI', 'tanstack'),
    starting('braidwork chat, with the provider scripted', COMMAND, 'chat', 'hi'),
  ]
  // From its second start on, the command finds its compiled code, on Node 22.1 and newer.
  execFileSync(process.execPath, [COMMAND, 'chat', 'hi'])
  const times = await inTurns(sides, timeOf, 15)
  server.close()
  return [...times].map(([what, value]) => ({ group: 'first token', what, value, unit: 'ms' }))
}
