import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const PLUGIN = `
class Asker:
    kind = "feature"
    name = "asker"

    def init(self, config, state, context):
        caller = context.caller
        context.warn("nobody" if caller is None else caller["id"] + " of " + caller["data"]["team"])
        return state

plugin = Asker
`

const TOOL = `
class Who:
    kind = "tool"
    name = "who"

    def get_tool_schemas(self, state):
        schema = {
            "type": "object",
            "properties": {"expression": {"type": "string"}},
            "required": ["expression"],
        }
        return [{"name": "calculate", "description": "", "input_schema": schema}]

    def execute_tool(self, call, state, context):
        return context.caller["scope"]

plugin = Who
`

describe('the caller in Python', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('is seen by hooks and tools, and absent without one', async () => {
    const host = await folder.host([PLUGIN, TOOL])
    const caller = { id: 'ada', scope: 'read', data: { team: 'blue' } }
    const own = host.withCaller(caller)
    const { messages, warnings } = await run(own, { messages: 'What is 12 * 34?' }).result
    expect(warnings).to.deep.equal(['asker: ada of blue'])
    expect(JSON.stringify(messages)).to.include('"output":"read"')
    expect((await host.send({}, 'hi')).warnings).to.include('asker: nobody')
  })
})
