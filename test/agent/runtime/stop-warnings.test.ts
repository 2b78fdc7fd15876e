import { expect } from 'chai'
import { createRuntime, type ModelSpec, type StopCondition } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/host/index.ts'
import { textProvider } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'

const MODEL = { id: 'small', provider_id: 'p', upstream_model: 'small' }

describe('the warnings of an agent’s stop conditions', () => {
  const warningsOf = async (condition: StopCondition, models: readonly ModelSpec[] = []) => {
    const desk = tool('desk', { getToolSchemas: () => [schema('submit')], executeTool: () => 'ok' })
    await using host = await createHost({ plugins: [textProvider(), desk] })
    const model = models.length > 0 ? { model_id: 'small' } : {}
    const agents = [{ id: 'a', ...model, stop_conditions: [condition] }]
    const runtime = await createRuntime({ host, agents, models })
    return (await runtime.resolve('a')).warnings
  }

  it('AW-66 tell a tool that nobody has, with the name that is meant', async () => {
    expect(await warningsOf({ type: 'stop_on_tool', tool_name: 'submitt' })).to.deep.equal([
      {
        code: 'STOP_TOOL_UNKNOWN',
        agent: 'a',
        field: 'stop_conditions',
        entry: 'submitt',
        message:
          'No registered tool is named "submitt", so no call of it stops a run. Did you mean "submit"?',
      },
    ])
    expect(await warningsOf({ type: 'stop_on_tool', tool_name: 'submit' })).to.deep.equal([])
  })

  it('AW-66 tell a budget of dollars for a model whose prices are not known', async () => {
    const budget: StopCondition = { type: 'cost_budget', max_dollars: 1 }
    expect(await warningsOf(budget, [MODEL])).to.deep.equal([
      {
        code: 'BUDGET_UNPRICED',
        agent: 'a',
        field: 'stop_conditions',
        entry: 'cost_budget',
        message:
          'The stop condition "cost_budget" has no effect with "small": the prices are not known. Put "prices" into the spec of the model.',
      },
    ])
    const priced = { ...MODEL, prices: { input: 1, output: 2 } }
    expect(await warningsOf(budget, [priced])).to.deep.equal([])
  })
})
