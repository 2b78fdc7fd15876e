import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inTurns, type Row, type Side, timeOf } from './measure.ts'

const COMMAND = fileURLToPath(new URL('../src/cli/dist/command/braidwork.js', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))

/** A program that is started, and over with its first output, or with its end. */
function starting(what: string, ...args: readonly string[]): Side {
  return {
    what,
    run: async () => {
      const child = spawn(process.execPath, args, {
        cwd: HERE,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const closed = once(child, 'close')
      await Promise.race([once(child.stdout, 'data'), closed])
      child.kill()
      await closed
    },
  }
}

/** A program that imports packages, says so, and ends. */
function importing(what: string, ...packages: readonly string[]): Side {
  const imports = packages.map((name) => `await import(${JSON.stringify(name)})`)
  return starting(what, '--input-type=module', '-e', `${imports.join(';')};console.log(1)`)
}

/** Time until a program has begun: Node alone, our first token, and the import of each library. */
export async function coldStart(): Promise<readonly Row[]> {
  const own = new URL('../src/core/dist/index.js', import.meta.url).href
  const provider = new URL('../providers/openai/dist/index.js', import.meta.url).href
  const sides = [
    starting('node -e 0', '-e', '0'),
    starting('braidwork chat, to the first token', COMMAND, 'chat', 'hi'),
    importing('import braidwork, with a provider', own, provider),
    importing('import openai', 'openai'),
    importing('import AI SDK, with a provider', 'ai', '@ai-sdk/openai'),
    importing('import LangChain, with a provider', '@langchain/openai'),
    importing('import pi-ai, with a provider', '@earendil-works/pi-ai/compat'),
    importing('import TanStack AI, with a provider', '@tanstack/ai', '@tanstack/ai-openai'),
  ]
  const times = await inTurns(sides, timeOf)
  return [...times].map(([what, value]) => ({ group: 'cold start', what, value, unit: 'ms' }))
}
