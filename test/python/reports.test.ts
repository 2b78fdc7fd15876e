import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import { collect, textProvider } from '../helpers/hosts.ts'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'

const FEATURE = `
kind = "feature"
name = "notes"

def edit_messages(messages, state, context):
    context.report({"kind": "document", "ref": "bread.md:1-7"})
    context.report(context.config["report"])
    return messages
`

describe('a report of a Python plugin', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('LR-06 is part of the context of the request, as that of a TypeScript plugin is', async () => {
    const host = await folder.host([FEATURE, textProvider()])
    const report = { kind: 'memory', ref: 'm1', status: 'left_out', reason: 'no room' }
    const events = await collect(run(host, { config: { report }, messages: 'go' }))
    expect(
      events.flatMap((event) => (event.type === 'context-resolved' ? event.items : [])),
    ).to.deep.equal([
      { kind: 'document', ref: 'bread.md:1-7', status: 'included', plugin: 'notes' },
      { ...report, plugin: 'notes' },
    ])
  })

  it('LR-06 fails the hook where it is none', async () => {
    const host = await folder.host([FEATURE, textProvider()])
    const failed = await run(host, { config: { report: { kind: 'odd' } }, messages: 'go' }).result
    expect(failed.error).to.include({ code: 'EVENTS_INVALID', plugin: 'notes' })
  })
})
