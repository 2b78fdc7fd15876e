import { expect } from 'chai'
import { outcomeOf, resultOf } from '../../../../src/core/host/tools/call-outcome.ts'
import { scriptedHost } from '../../../helpers/hosts.ts'
import { schema, tool } from '../../../helpers/plugins.ts'

const CALL = { callId: 'c', name: 'n' }
const ARTIFACT = { uri: 'report-1', title: 'Report', mediaType: 'text/html', size: 3 }

function resultIn(answer: unknown) {
  const { type: _, callId: __, name: ___, ...result } = resultOf(CALL, outcomeOf(answer))
  return result
}

describe('an output with flags', () => {
  it('LR-04 has artifacts and evidence, which are no part of the output', () => {
    const stated = { artifacts: [ARTIFACT], evidence: ['https://example.org/'] }
    expect(resultIn({ output: 'done', ...stated })).to.deep.equal({ output: 'done', ...stated })
    const failed = resultIn({ output: 'half', isError: true, ...stated })
    expect(failed).to.deep.include({ output: 'half', isError: true, ...stated })
    const native = { p: [1] }
    expect(resultIn({ output: 'v', native, ...stated })).to.deep.include({
      output: { output: 'v', native },
      ...stated,
    })
  })

  it('is plain JSON where it is not what it seems', () => {
    const many = Array.from({ length: 101 }, () => ARTIFACT)
    for (const more of [
      { artifacts: 'none' },
      { artifacts: [{}] },
      { artifacts: [{ uri: '' }] },
      { artifacts: [{ uri: 'a', size: -1 }] },
      { artifacts: [{ uri: 'a', size: '1' }] },
      { artifacts: [{ uri: 'a', more: 1 }] },
      { artifacts: [null] },
      { artifacts: many },
      { artifacts: [{ uri: 'x'.repeat(4097) }] },
      { evidence: [1] },
      { evidence: [''] },
      { evidence: {} },
      { evidence: null },
      { other: 1 },
    ]) {
      const answer = { output: 'done', ...more }
      expect(resultIn(answer), JSON.stringify(more).slice(0, 100)).to.deep.equal({ output: answer })
    }
    expect(resultIn({ artifacts: [ARTIFACT] })).to.deep.equal({ output: { artifacts: [ARTIFACT] } })
  })

  /** The warnings of a call of a tool with an answer. */
  async function warningsOf(answer: unknown): Promise<readonly string[]> {
    const getToolSchemas = () => [schema('look')]
    const looking = tool('looking', { getToolSchemas, executeTool: () => answer })
    await using host = await scriptedHost([looking])
    using opened = await host.open()
    const warnings: string[] = []
    const call = { type: 'tool-call', callId: 'c', name: 'look', input: {} } as const
    await opened.execute(call, { warn: (warning) => warnings.push(warning) })
    return warnings
  }

  it('is plain JSON with a warning where only artifacts or evidence are malformed', async () => {
    const [artifacts] = await warningsOf({ output: 'done', artifacts: [{ title: 'Report' }] })
    expect(artifacts).to.include('"looking"').and.include('"artifacts"').and.include('uri')
    const [evidence] = await warningsOf({ output: 'done', evidence: [{ uri: 'a' }] })
    expect(evidence).to.include('"looking"').and.include('"evidence" must be').and.include('texts')
    for (const answer of [
      { output: 'done', artifacts: [ARTIFACT], evidence: ['a'] },
      { output: 'done', evidence: [1], more: true },
      { evidence: [1] },
      ['output'],
      'output',
    ])
      expect(await warningsOf(answer), JSON.stringify(answer)).to.deep.equal([])
  })
})
