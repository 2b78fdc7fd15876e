import { expect } from 'chai'
import { createRuntime } from '../../src/agent/index.ts'
import { collect } from '../helpers/hosts.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const FEATURE = `
import os

class Careful:
    kind = "feature"
    name = "careful"
    sections = {"careful": {"type": "object", "properties": {"steps": {"type": "integer"}}}}
    state_keys = {"seen": {"merge": "append", "initial": []}}
    actions = ["count"]
    effects = ["note"]

    def step_start(self, run):
        return {"state": {"seen": [run["step"]]}, "actions": [{"key": "count", "input": 2}]}

    async def handle_action(self, key, input, run):
        return {"state": {"seen": [input]}, "effects": [{"key": "note", "input": len(run["state"]["seen"])}]}

    def handle_effect(self, key, input, run, context):
        context.warn("%s %d" % (key, input))

    def step_end(self, run):
        if run["step"] >= run["sections"]["careful"]["steps"]:
            return {"end": {"detail": "Enough steps."}}

plugin = Careful()
`

describe('a feature in Python', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('AW-60 has hooks in the phases of a run, state, actions, effects and a section', async () => {
    const host = await folder.host([FEATURE], { provider: 'scripted' })
    const script = [{ then: { tool_calls: [{ name: 'nothing' }] } }]
    const spec = (steps: unknown) => ({
      id: 'helper',
      sections: { careful: { steps } },
      config: { settings: { scripted: { script } } },
    })
    const runtime = await createRuntime({ host, agents: [spec(2)] })
    const stream = await runtime.run('helper', { messages: 'go' })
    const events = await collect(stream)
    const states = events.flatMap((event) =>
      event.type === 'run-state' && event.commit ? [event.values['seen']] : [],
    )
    expect(states).to.deep.equal([[1], [1, 2], [1, 2, 2], [1, 2, 2, 2]])
    const { warnings, termination } = await stream.result
    expect(warnings.filter((line) => line.includes('note '))).to.have.length(2)
    expect(termination).to.deep.equal({
      reason: 'behavior_requested',
      plugin: 'careful',
      detail: 'Enough steps.',
    })
    const wrong = await createRuntime({ host, agents: [spec('x')] })
    const thrown = await wrong.run('helper', { messages: 'go' }).catch((error: unknown) => error)
    expect(thrown).to.include({
      code: 'INVALID_PLUGIN_CONFIG',
      plugin: 'careful',
      pointer: '/sections/careful/steps',
    })
  })
})
