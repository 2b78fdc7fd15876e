import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { collect } from '../helpers/hosts.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const TOOL = `
kind = "tool"
name = "files"

def get_tool_schemas(state):
    path = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    return [{"name": "remove", "description": "Removes.", "input_schema": path}]

def execute_tool(call, state):
    return "removed " + call["input"]["path"]
`

const FEATURE = `
class Careful:
    kind = "feature"
    name = "careful"
    state_keys = {"begun": {"initial": False}}

    def step_start(self, run):
        return {"state": {"begun": True}}

    def edit_tool_call(self, call):
        if call["input"]["path"] == "a":
            return {"input": {"path": "/jail/a"}, "reason": "It must be in the folder."}

    async def tool_gate(self, call, context):
        if call["input"]["path"] == "b":
            return {"block": "not b, " + call["plugin"]}
        if call["input"]["path"] == "c" and call["run"]["state"]["begun"]:
            return {"block": "not c in step " + str(call["run"]["step"])}

    def edit_tool_result(self, call, result):
        return {"output": result["output"] + "!", "reason": "It is loud."}

plugin = Careful()
`

describe('a feature in Python', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('LT-02 changes, judges and rewrites the calls of tools, and sees the run', async () => {
    const host = await folder.host([TOOL, FEATURE], { provider: 'scripted' })
    const calls = ['a', 'b', 'c'].map((path) => ({ name: 'remove', input: { path } }))
    const script = [{ when: { step: 1 }, then: { tool_calls: calls } }, { then: { text: 'Done.' } }]
    const config = { settings: { scripted: { script } } }
    const events = await collect(run(host, { messages: 'go', config }))
    const ends = events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [[event.result.output, event.error?.class]] : [],
    )
    expect(ends).to.deep.equal([
      ['removed /jail/a!', undefined],
      ['not b, files', 'hook_blocked'],
      ['not c in step 1', 'hook_blocked'],
    ])
  })
})
