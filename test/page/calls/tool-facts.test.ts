import { expect } from 'chai'
import { factsOf } from '../../../src/page/site/calls/tool-facts.ts'
import type { ToolPart } from '../../../src/page/site/message/index.ts'

const HASH = 'a'.repeat(64)

function partWith(braidwork: unknown): ToolPart {
  const own = { type: 'dynamic-tool', toolCallId: 'c', state: 'output-error' } as const
  return { ...own, resultProviderMetadata: { braidwork } }
}

describe('the facts of a call', () => {
  it('are the class of its error and its large results', () => {
    const reference = { hash: HASH, mediaType: 'text/plain', size: 5 }
    const part = partWith({ error: { class: 'timeout' }, references: [reference] })
    expect(factsOf(part)).to.deep.equal({ errorClass: 'timeout', references: [reference] })
  })

  for (const braidwork of [undefined, null, 1, 'x', [], { error: 1, references: {} }]) {
    it(`are none in ${JSON.stringify(braidwork) ?? 'nothing'}`, () => {
      expect(factsOf(partWith(braidwork))).to.deep.equal({ references: [] })
    })
  }

  it('have no references of another shape', () => {
    const references = [{ hash: HASH }, null, 'x']
    expect(factsOf(partWith({ references })).references).to.deep.equal([])
  })
})
