import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import type { ModelInfo } from '../../../src/plugin/index.ts'
import { readResources } from '../../../tools/mcp/resources.ts'
import type { McpState } from '../../../tools/mcp/settings.ts'
import { noteState } from '../../../tools/mcp/used-servers.ts'

const STATE = {
  servers: [],
  resources: true,
  roots: [],
  start: 1,
  idle: 1,
  call: 1,
  max_bytes: 1000,
}

describe('reading resources for another plugin', () => {
  const contextOf = (modelInfo: ModelInfo, signal: AbortSignal) => ({
    modelInfo,
    signal,
    log: () => undefined,
  })

  it('leaves nothing at the signal of the request', async () => {
    const modelInfo: ModelInfo = {}
    noteState({ modelInfo }, STATE satisfies McpState)
    const { signal } = new AbortController()
    const wanted = [{ server: 'none', uri: 'note://1' }]
    const [read] = (await readResources(contextOf(modelInfo, signal), wanted, 1000)) ?? []
    expect(read).to.include({ server: 'none', uri: 'note://1' })
    expect(read?.problem).to.be.a('string')
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
  })

  it('ends all readings with the request', async () => {
    const modelInfo: ModelInfo = {}
    noteState({ modelInfo }, STATE satisfies McpState)
    const request = new AbortController()
    const wanted = Array.from({ length: 20 }, (_, at) => ({ server: 'none', uri: `note://${at}` }))
    request.abort('enough')
    const reading = readResources(contextOf(modelInfo, request.signal), wanted, 1000)
    expect(await reading.catch((reason: unknown) => reason)).to.equal('enough')
  })

  it('finds nothing where the tool is off', async () => {
    const { signal } = new AbortController()
    expect(await readResources(contextOf({}, signal), [], 1000)).to.equal(undefined)
  })
})
