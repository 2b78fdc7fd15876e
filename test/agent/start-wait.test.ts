import { expect } from 'chai'
import { type RunOptions, run } from '../../src/agent/index.ts'
import { createHost } from '../../src/core/index.ts'
import type { Config } from '../../src/plugin/config.ts'
import { textEvents } from '../helpers/hosts.ts'
import { eventProvider, tool } from '../helpers/plugins.ts'

const CALL = [
  { type: 'tool-call-start', id: 'c', name: 'look' },
  { type: 'tool-call-end', id: 'c', input: {} },
]

/** The longest waits that a model API may ask for, in each step of a run whose first one calls a tool. */
async function waitsOf(options: Partial<RunOptions>): Promise<readonly unknown[]> {
  const waits: unknown[] = []
  const stream = (_native: unknown, _state: unknown, { config }: { readonly config: Config }) => {
    waits.push(config.limits?.retry_after)
    return waits.length === 1 ? CALL : textEvents('Done.')
  }
  const look = tool('look', {
    toolSchemas: () => [{ name: 'look', description: '', input_schema: { type: 'object' } }],
    executeTool: () => 'seen',
  })
  await using host = await createHost({ plugins: [eventProvider([], { stream }), look] })
  const { status } = await run(host, { messages: 'go', ...options }).result
  expect(status).to.equal('done')
  return waits
}

describe('a run whose reader waits for its start', () => {
  it('lets a model API ask for no longer wait in its first step', async () => {
    expect(await waitsOf({ startWait: 4 })).to.deep.equal([4, undefined])
  })

  it('lets the config decide where it sets a limit, and the provider otherwise', async () => {
    const config = { limits: { retry_after: 30 } }
    expect(await waitsOf({ startWait: 4, config })).to.deep.equal([30, 30])
    expect(await waitsOf({})).to.deep.equal([undefined, undefined])
  })
})
