import { expect } from 'chai'
import fc from 'fast-check'
import citations from '../../extensions/citations/index.ts'
import promptCache from '../../extensions/prompt-cache/index.ts'
import redact from '../../extensions/redact/index.ts'
import smoothStream from '../../extensions/smooth-stream/index.ts'
import thinkTags from '../../extensions/think-tags/index.ts'
import usageCost from '../../extensions/usage-cost/index.ts'
import { textOf } from '../../src/core/index.ts'
import type { PartialEvent } from '../../src/plugin/events/index.ts'
import { bothWays, cuts, replayWith, textPart } from '../helpers/both-ways.ts'
import { propertyRuns, propertyTimeout } from '../helpers/cases.ts'

const ALL = [thinkTags, smoothStream, citations, usageCost, promptCache]
const settings = { 'smooth-stream': { reasoning: true } }
const provider = {
  getModelInfo: () => ({ price: { input: 1, output: 2 } }),
  getModels: () => ['m'],
}

describe('extensions together', () => {
  it('CL-42 end in the same message in send and stream, in any order, however the text is cut', async () => {
    const said = '<think>One moment.</think>\nTea is hot, they say.'
    const source = { type: 'source', url: 'https://a.test/', citedText: 'hot' } as const
    const usage = { input: 10, output: 20 }
    const orders = fc.shuffledSubarray(ALL, { minLength: ALL.length })
    await fc.assert(
      fc.asyncProperty(cuts(fc.constant(said)), orders, async (pieces, plugins) => {
        const metadata: PartialEvent = { type: 'metadata', metadata: { usage } }
        const events = [...textPart(pieces), source, metadata]
        const { messages } = await bothWays({ events, plugins, config: { settings }, provider })
        expect(messages.map(textOf)).to.deep.equal([
          'Tea is hot, they say.[1]\n\n[1] https://a.test/',
        ])
        expect(messages[0]?.parts[0]).to.deep.equal({ type: 'reasoning', text: 'One moment.' })
        expect(messages[0]?.metadata).to.include.keys('cost')
      }),
      { numRuns: propertyRuns(100, 10) },
    )
  })

  it('CL-42 show values in marks and lists where redact comes before the others', async () => {
    const title = 'Of <EMAIL_1>'
    const source = { type: 'source', url: 'https://a.test/', title, citedText: 'W' } as const
    const events = [...textPart(['<think></', 'think>', 'Write to <EMAIL', '_1>.']), source]
    const plugins = [redact, citations, thinkTags, smoothStream]
    const { messages } = await bothWays({ events, plugins, prompt: 'I am ada@example.org' })
    expect(messages.map(textOf)).to.deep.equal([
      'Write to ada@example.org.[1]\n\n[1] Of ada@example.org — https://a.test/',
    ])
  })

  it('CL-42 mark no text that consists of nothing but an empty tag', async () => {
    const source = { type: 'source', url: 'https://a.test/', citedText: 'hot' } as const
    const events = [...textPart(['<think></', 'think>']), source]
    const { messages } = await bothWays({ events, plugins: [thinkTags, citations] })
    expect(messages.map(textOf)).to.deep.equal(['\n\n[1] https://a.test/'])
    await bothWays({ events, plugins: [citations, thinkTags] })
  })

  it('CL-42 add up in recorded answers', async function () {
    this.timeout(propertyTimeout(60_000))
    const count = await replayWith(ALL, undefined, { config: { settings }, provider })
    if (this.test) this.test.title += ` (${count} recordings)`
  })
})
