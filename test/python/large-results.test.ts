import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import { hashOf } from '../core/results/stores.ts'
import { collect } from '../helpers/hosts.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const LONG = 'ein langer Weg über Land '.repeat(4000)

const TOOL = `
class Big:
    kind = "tool"
    name = "big"

    def get_tool_schemas(self, state):
        return [{"name": "big", "description": "a lot", "input_schema": {"type": "object"}}]

    def execute_tool(self, call, state):
        return "ein langer Weg über Land " * 4000

plugin = Big()
`

describe('a large result of a tool in Python', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('LT-09 is stored, and read on from, as one of a tool in TypeScript', async () => {
    const input = { reference: hashOf(LONG), offset: 103_990 }
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'big', input: {} }] } },
      { when: { step: 2 }, then: { tool_calls: [{ name: 'read_result', input }] } },
      { then: { text: 'Done.' } },
    ]
    const host = await folder.host([TOOL], { settings: { scripted: { script, delay_ms: 0 } } })
    const events: readonly RunEvent[] = await collect(run(host, { messages: 'go' }))
    const results = events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.result] : [],
    )
    expect(results[0]?.references).to.deep.equal([
      { hash: hashOf(LONG), mediaType: 'text/plain', size: 104_000 },
    ])
    expect(results[1]?.output).to.equal(
      '[Bytes 103989 to 104000 of 104000. This is the end.]\nüber Land ',
    )
  })
})
