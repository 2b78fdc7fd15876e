import { expect } from 'chai'
import { type AgentRunOptions, type AgentSpec, createRuntime } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/host/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import { textProvider } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

/** What a run of an agent warns of, and what its resolution does. */
async function warningsOf(
  spec: Partial<AgentSpec>,
  tools: readonly string[] = ['submit'],
  more: Partial<AgentRunOptions> = {},
) {
  const desk = tool('desk', {
    getToolSchemas: () => tools.map((one) => schema(one)),
    executeTool: () => 'ok',
  })
  const plugins = [textProvider('done', { tags: ['text', 'tools'] }), desk]
  await using host = await createHost({ plugins: tools.length > 0 ? plugins : plugins.slice(0, 1) })
  const runtime = await createRuntime({ host, agents: [{ id: 'a', ...spec }, { id: 'b' }] })
  const { warnings } = await runtime.resolve('a')
  const result = await (await runtime.run('a', { messages: 'Go', ...more })).result
  expect(result).to.include({ status: 'done' })
  const resolved = warnings.map(
    ({ agent, field, message }) => `Agent "${agent}", ${field}: ${message}`,
  )
  return { run: result.warnings, resolved }
}

const SPECS: { readonly [what: string]: Partial<AgentSpec> } = {
  'a section that nothing reads': { sections: { retri: { max_retries: 2 } } },
  'an allowed tool that there is not': { allowed_tools: ['submit', 'nope'] },
  'a pattern that fits no tool': { excluded_tool_patterns: ['nope_*'] },
  'a policy for a tool that there is not': { config: { tool_policy: { nope: 'ask' } } },
  'a permission for a tool that there is not': {
    sections: { permission: { rules: [{ tool: 'nope', decision: 'deny' }] } },
  },
  'a tool that stops the run and that there is not': {
    stop_conditions: [{ type: 'stop_on_tool', tool_name: 'submitt' }],
  },
  'a delegate whose tool is not allowed': { allowed_tools: ['submit'], delegates: ['b'] },
}

describe('the warnings of an agent’s run', () => {
  for (const [what, spec] of Object.entries(SPECS)) {
    it(`AW-37 tell ${what}, once, as its resolution does`, async () => {
      const { run, resolved } = await warningsOf(spec)
      expect(resolved).to.have.length(1)
      expect(run).to.deep.equal(resolved)
    })
  }

  it('AW-37 tell it also where the run has no tools', async () => {
    const { run } = await warningsOf({ allowed_tools: ['nope'] }, [])
    expect(run).to.deep.equal(['Agent "a", allowed_tools: No registered tool is named "nope".'])
  })

  it('AW-36 tell a misspelled key of a policy once', async () => {
    const { run } = await warningsOf({ config: { tool_policy: { submitt: 'ask', 'su*': 'ask' } } })
    expect(run.map((text) => /"(submitt|su\*)"/.exec(text)?.[1])).to.deep.equal(['submitt', 'su*'])
  })

  it('say nothing of a spec without faults, and leave the observer of the program', async () => {
    const seen: RunEvent[] = []
    const onEvent = (event: RunEvent) => void seen.push(event)
    const { run } = await warningsOf({ allowed_tools: ['submit'] }, ['submit'], { onEvent })
    expect(run).to.deep.equal([])
    expect(seen.at(-1)?.type).to.equal('finish')
  })
})
