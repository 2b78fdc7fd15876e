import { expect } from 'chai'
import { run } from '../../../src/agent/index.ts'
import { createHost, textOf } from '../../../src/core/index.ts'
import { CASES_ENV } from '../../helpers/cases.ts'
import { describePythonTests, pythonOf } from '../../helpers/python.ts'

const SCRIPT = [
  { when: { tool: 'python_eval' }, then: { text: '{{result.python_eval}}' } },
  { then: { tool_calls: [{ name: 'python_eval', input: { expression: '{{user}}' } }] } },
]

describePythonTests('python-eval, call by call', 'test/tools/python-eval', CASES_ENV)

describe('python-eval in a run', function () {
  this.timeout(30_000)
  before(async function () {
    await pythonOf(this)
  })

  it('evaluates what the model writes, and tells it what is refused', async () => {
    const host = await createHost({
      plugins: ['scripted', './tools/python-eval'],
      config: { enabled_plugins: ['python-eval'], settings: { scripted: { script: SCRIPT } } },
    })
    const ask = async (question: string) => {
      const { messages } = await run(host, { messages: question }).result
      return messages.map(textOf).at(-1) ?? ''
    }
    expect(JSON.parse(await ask('2 ** 64, 1 / 4'))).to.deep.equal({
      expression: '2 ** 64, 1 / 4',
      result: ['18446744073709551616', 0.25],
      type: 'array',
    })
    expect(await ask('open("/etc/passwd")')).to.include('the name "open" cannot be called')
    expect(await ask('9 ** 9 ** 9')).to.include('more than 4,096 bits')
    await host.close()
  })
})
