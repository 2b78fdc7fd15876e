import { expect } from 'chai'
import { dryRun } from '../../src/agent/dry-run.ts'
import { run } from '../../src/agent/index.ts'
import { dryRunPlan } from '../../src/agent/runtime/run-plan.ts'
import { createHost } from '../../src/core/index.ts'
import type { Config, Message } from '../../src/plugin/index.ts'
import { caller, errorOf, schema } from '../helpers/plugins.ts'

const ASKED: Message = { role: 'user', parts: [{ type: 'text', text: 'Look' }] }
const CALL = { type: 'tool-call', callId: 'c1', name: 'look', input: {} }

describe('a dry run of a run', () => {
  let sent: unknown[]
  const provider = () =>
    caller('p', [], {
      tags: ['text', 'tools'],
      configSchema: { type: 'object', properties: { max_retries: { type: 'integer' } } },
      toNative: (messages: unknown, config: Config) => ({
        messages,
        choice: config.tool_choice,
        retries: config.settings?.['p']?.['max_retries'],
      }),
      init: (config: Config) => config,
      call: (native: unknown, state: object) => {
        sent.push(JSON.parse(JSON.stringify(native)))
        const part = sent.length === 1 ? CALL : { type: 'text', text: 'ok' }
        return [[], [{ role: 'assistant', parts: [part] }], native, state]
      },
    })
  const config: Config = { tool_choice: 'required' }
  const tools = [{ ...schema('look'), execute: () => 'seen' }]

  beforeEach(() => {
    sent = []
  })

  it('is what the run sends, in each of its steps', async () => {
    await using host = await createHost({ plugins: [provider()] })
    const options = { config, tools, retry: { max_retries: 1 } }
    const { messages: said } = await run(host, { ...options, messages: [ASKED] }).result
    expect(sent).to.have.length(2)
    for (const [at, before] of [[], said.slice(0, 2)].entries()) {
      const { native } = await dryRun(host, { ...options, messages: [ASKED, ...before] })
      expect(native).to.deep.equal(sent[at])
      expect(native).to.include({ choice: ['required', 'auto'][at], retries: 0 })
    }
    expect(sent).to.have.length(2)
  })

  it('tells the model, and what each plugin changes', async () => {
    await using host = await createHost({ plugins: [provider()] })
    const { steps, model } = await dryRun(host, { config, tools, messages: [ASKED] })
    expect(steps?.map(({ hook }) => hook)).to.deep.equal(['init', 'toNative'])
    expect(model).to.deep.equal({ provider: 'p' })
    expect(sent).to.deep.equal([])
  })

  it('fails as the run would, and with an error of its own for an agent that runs elsewhere', async () => {
    await using host = await createHost({ plugins: [provider()] })
    const messages = [ASKED]
    const failed = await errorOf(dryRun(host, { config: { provider: 'none' }, messages }))
    expect(failed.code).to.equal('PROVIDER_UNKNOWN')
    const plan = { config: {}, prompt: [], remote: {} as never }
    const error = await errorOf(dryRunPlan(host, plan, { messages }))
    expect(error.code).to.equal('OPERATION_UNSUPPORTED')
  })
})
