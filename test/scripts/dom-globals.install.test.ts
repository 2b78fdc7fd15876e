import { createRequire } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { expect } from 'chai'
import { build } from 'esbuild'
import { foreignSignals } from '../helpers/foreign-signals.ts'
import { ROOT } from '../helpers/source-files.ts'

/** Calls a tool of a plugin, and stops a run. */
const PROGRAM = `
import { createHost, textOf } from 'braidwork'
import { run } from 'braidwork/agent'
import calculator from '@braidwork/tool-calculator'
import scripted from '@braidwork/provider-scripted'

async function main() {
  const host = await createHost({ plugins: [scripted, calculator] })
  const { messages } = await run(host, { messages: 'What is 12 * 34?' }).result
  const stop = new AbortController()
  const stopped = run(host, { messages: 'What is 12 * 34?', signal: stop.signal })
  stop.abort('enough')
  const { status } = await stopped.result
  await host.close()
  return JSON.stringify([textOf(messages.at(-1)), status])
}
module.exports = main()
`

/** What a test environment with a DOM, such as jsdom, takes from Node. It has no `setImmediate`. */
const TAKEN = ['process', 'Buffer', 'URL', 'TextEncoder', 'TextDecoder', 'performance'] as const
const TIMERS = ['setTimeout', 'clearTimeout', 'queueMicrotask', 'structuredClone'] as const

/** The globals of such an environment, in which the language has no symbols of `using` before Node 24. */
function surroundings() {
  using _ = foreignSignals()
  const { AbortController, EventTarget } = globalThis
  const taken = [...TAKEN, ...TIMERS].map((name) => [name, globalThis[name]] as const)
  const module = { exports: undefined as unknown }
  const globals = { ...Object.fromEntries(taken), AbortController, EventTarget, module }
  return { ...globals, require: createRequire(import.meta.url) }
}

describe('the packages in a test environment with a DOM', () => {
  it('run calls of tools, and stop', async () => {
    const { outputFiles } = await build({
      stdin: { contents: PROGRAM, resolveDir: ROOT },
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      tsconfigRaw: '{}',
      logLevel: 'error',
    })
    const around = surroundings()
    runInContext(outputFiles[0]?.text ?? '', createContext(around))
    expect(JSON.parse(String(await around.module.exports))).to.deep.equal([
      '12 * 34 = 408.',
      'aborted',
    ])
  })
})
