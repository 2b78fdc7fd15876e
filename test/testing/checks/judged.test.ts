import { expect } from 'chai'
import type { Kind } from '../../../src/plugin/kinds.ts'
import { type SuiteOptions, suiteOf } from '../../../src/testing/index.ts'
import { caller, eventProvider, extension, tool } from '../../helpers/plugins.ts'

/** Why checks of a plugin were not made, by the names of the checks. A check that fails is an error. */
async function skippedOf(kind: Kind, plugin: unknown, options: SuiteOptions = {}) {
  const { checks, close } = suiteOf(kind, plugin, options)
  const skipped = new Map<string, string>()
  for (const { name, run } of checks) {
    const reason = await run()
    if (reason !== undefined) skipped.set(name, reason)
  }
  await close()
  return skipped
}

const METADATA = { finishReason: 'stop' }
const ANSWER = { role: 'assistant', parts: [{ type: 'text', text: 'Hi' }], metadata: METADATA }

describe('checks that cannot be made', () => {
  it('say that a tool is not run without calls', async () => {
    const skipped = await skippedOf(
      'tool',
      tool('t', { schemas: ['look'], executeTool: () => 'seen' }),
    )
    expect(skipped.get('answers its tool calls')).to.match(/^pass "calls" in the options/)
    expect(skipped.has('offers tools with usable schemas')).to.equal(false)
  })

  it('say that the errors of a provider are not checked without its API', async () => {
    const skipped = await skippedOf('provider', caller('p', [ANSWER]), {
      lacks: ['tools', 'images', 'usage'],
    })
    expect(skipped.get('tells of too many requests with RATE_LIMITED')).to.match(/^pass "api"/)
    expect(skipped.get('sends the names of tools with a stream')).to.equal('the API lacks tools')
    expect(skipped.get('sends images')).to.equal('the API lacks images')
    expect(skipped.get('tells the tokens of a stream')).to.equal('the API lacks usage')
  })

  it('say that a provider of texts alone has an API that tells no reason', async () => {
    const texts = {
      kind: 'provider',
      name: 'texts',
      async *stream() {
        yield 'Hello'
      },
    }
    const skipped = await skippedOf('provider', texts, {
      lacks: ['tools', 'images', 'usage', 'finishReason'],
    })
    expect(skipped.get('says why a stream ended')).to.equal('the API lacks finishReason')
  })

  it('leave out what only the answers of the suite can show, beside another provider', async () => {
    const events = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hi' },
      { type: 'text-end', id: 't' },
    ]
    const beside = [eventProvider(events)]
    const skipped = await skippedOf('extension', extension('e'), { beside })
    expect(skipped.get('keeps the ids of tool calls')).to.equal(
      'another provider is beside the plugin',
    )
    expect(skipped.has('streams the text of its messages')).to.equal(false)
  })

  it('are those of hooks that a plugin does not have', async () => {
    const skipped = await skippedOf('extension', extension('e', { getTags: () => [] }))
    expect(skipped.get('leaves the arguments of finalize as they are')).to.equal(
      'the plugin has no "finalize"',
    )
    expect(skipped.has('leaves the arguments of getTags as they are')).to.equal(false)
  })
})
