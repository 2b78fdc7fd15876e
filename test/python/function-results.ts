import { expect } from 'chai'
import { run } from '../../src/agent/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import { collect } from '../helpers/hosts.ts'

/** The result of a tool that a run calls, or its error. */
export async function resultOf(host: Host, tool: string, input: object): Promise<unknown> {
  const script = [
    { when: { step: 1 }, then: { tool_calls: [{ name: tool, input }] } },
    { then: { text: 'Done.' } },
  ]
  const config = { provider: 'scripted', settings: { scripted: { script, delay_ms: 0 } } }
  const events = await collect(run(host, { config, messages: 'go' }))
  const results = events.flatMap((event) =>
    event.type === 'tool-execution-end' ? [event.result] : [],
  )
  expect(results).to.have.length(1)
  return results[0]?.isError ? { error: results[0].output } : results[0]?.output
}
