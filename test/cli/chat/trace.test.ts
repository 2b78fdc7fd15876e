import { expect } from 'chai'
import { createTrace } from '../../../src/cli/chat/trace.ts'
import { createHost } from '../../../src/core/host/index.ts'
import type { Context, State } from '../../../src/plugin/index.ts'
import { textProvider } from '../../helpers/hosts.ts'
import { extension } from '../../helpers/plugins.ts'

/** A feature as some write it: an instance of a class, with its hooks on the prototype and state of its own. */
class Counting {
  readonly kind = 'feature'
  readonly name = 'counting'
  #times = 0

  init(_config: unknown, state: State): State {
    this.#times++
    return { ...state, times: this.#times }
  }
}

/** The lines that a trace of one request prints. */
async function traceOf(...plugins: readonly unknown[]): Promise<readonly string[]> {
  const printed: string[] = []
  const write = process.stderr.write
  process.stderr.write = (text: string) => printed.push(text) > 0
  try {
    const trace = createTrace(() => undefined)
    const host = await createHost({ plugins: [textProvider('Hi'), ...plugins].map(trace.wrap) })
    trace.maskBy(host)
    await host.send({}, 'Hello')
    await host.close()
  } finally {
    process.stderr.write = write
  }
  return printed.map((line) => line.replaceAll(/\s+/g, ' ').trim())
}

describe('a trace', () => {
  it('shows the hooks of a plugin that is an instance of a class, which stays itself', async () => {
    const lines = await traceOf(new Counting())
    expect(lines).to.include('init counting state times=1')
  })

  it('shows an answer that takes all away', async () => {
    const silent = extension('silent', {
      fromNative: (_: unknown, core: readonly unknown[], { phase }: Context) =>
        phase === 'partials' ? [] : core,
    })
    expect(await traceOf(silent)).to.include('fromNative silent core []')
  })

  it('shows the answer of a hook that takes nothing from the chain', async () => {
    const tagged = extension('tagged', { getTags: () => ['blue'] })
    expect(await traceOf(tagged)).to.include('getTags tagged answer ["blue"]')
  })

  it('says nothing of hooks that leave all as it is', async () => {
    const idle = extension('idle', { fromNative: (_: unknown, core: readonly unknown[]) => core })
    const lines = await traceOf(idle)
    expect(lines.filter((line) => line.includes('idle'))).to.deep.equal([])
  })
})
