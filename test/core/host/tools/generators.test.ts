import { expect } from 'chai'
import { createHost } from '../../../../src/core/index.ts'
import { textProvider } from '../../../helpers/hosts.ts'
import { schema, tool } from '../../../helpers/plugins.ts'

describe('a tool that returns a generator', () => {
  async function outcomeOf(executeTool: () => unknown) {
    const told: unknown[] = []
    await using host = await createHost({
      plugins: [textProvider(), tool('t', { getToolSchemas: () => [schema('work')], executeTool })],
    })
    using opened = await host.open({})
    const call = { callId: 'c', name: 'work', input: {} }
    const onProgress = (value: unknown) => told.push(value)
    const { output } = await opened.execute(call, { onProgress })
    return { told, output }
  }

  it('tells its progress, and answers with its last value, async or not', async () => {
    const expected = { told: ['half', 'done'], output: 'done' }
    const waiting = async function* () {
      yield 'half'
      yield 'done'
    }
    const ready = function* () {
      yield 'half'
      yield 'done'
    }
    expect(await outcomeOf(waiting)).to.deep.equal(expected)
    expect(await outcomeOf(ready)).to.deep.equal(expected)
  })

  it('answers with a list as a whole', async () => {
    expect(await outcomeOf(() => ['a', 'b'])).to.deep.equal({ told: [], output: ['a', 'b'] })
  })
})
