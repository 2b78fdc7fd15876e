import { expect } from 'chai'
import { type AgentSpec, agentsIn, agentText } from '../../../src/agent/specs/index.ts'

const BEFORE = `---
# mine
description: Calculates. # for the list
allowed_tools: [calculate]
max_rounds: 4
---
You calculate.
`
const SPEC: AgentSpec = {
  id: 'helper',
  description: 'Calculates.',
  allowed_tools: ['calculate'],
  max_rounds: 4,
  system_prompt: 'You calculate.',
}

describe('the text of an agent’s file', () => {
  const read = async (text: string) => {
    const { agents, faults } = await agentsIn([{ path: 'agents/helper.md', text }])
    expect(faults).to.deep.equal([])
    return agents[0]
  }

  it('keeps comments and all that has not changed', async () => {
    expect(await agentText(SPEC, BEFORE)).to.equal(BEFORE)
    const { max_rounds: _, ...rest } = SPEC
    const changed = { ...rest, model_id: 'small', system_prompt: 'You count.\n\n---\nWell.' }
    const text = await agentText(changed, BEFORE)
    expect(text).to.include('# mine\ndescription: Calculates. # for the list\n')
    expect(text).to.not.include('max_rounds')
    expect(await read(text)).to.deep.equal(changed)
  })

  it('is one that reads as the spec again, with what is null and what is absent', async () => {
    const specs: readonly AgentSpec[] = [
      { id: 'helper' },
      { id: 'helper', system_prompt: '--- is a line' },
      { id: 'helper', allowed_tools: null, excluded_tools: [], description: 'a: b # c' },
      { id: 'helper', config: { settings: { notes: { text: 'x\ny', on: true } } } },
    ]
    for (const spec of specs) {
      expect(await read(await agentText(spec))).to.deep.equal(spec)
      expect(await read(await agentText(spec, BEFORE))).to.deep.equal(spec)
    }
  })
})
