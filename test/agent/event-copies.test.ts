import { expect } from 'chai'
import { createRuntime, type EnvironmentHook, run } from '../../src/agent/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import { type Message, type RunEvent, textOf } from '../../src/plugin/events/index.ts'
import { scriptedHost } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'

const LOOK = { when: { step: 1 }, then: { tool_calls: [{ name: 'look', input: {} }] } }
const CONFIG = { settings: { scripted: { script: [LOOK, { then: { text: 'Done.' } }] } } }

/** Changes what it is shown, as code without types may. */
type Change = (event: RunEvent) => unknown

const CHANGES: { readonly [what: string]: Change } = {
  'a text': (event) => event.type === 'text-delta' && Object.assign(event, { delta: '***' }),
  'the type': (event) => Object.assign(event, { type: 'text-delta' }),
  'the messages of a step': (event) =>
    event.type === 'step-finish' && (event.messages as Message[]).splice(0),
  'a message of a step': (event) =>
    event.type === 'step-finish' && Object.assign(event.messages[0] ?? {}, { role: 'system' }),
  'the parts of a message': (event) =>
    event.type === 'step-finish' && ((event.messages[0]?.parts ?? []) as unknown[]).splice(0),
  'a part of a message': (event) =>
    event.type === 'step-finish' && Object.assign(event.messages[0]?.parts[0] ?? {}, { name: 'x' }),
  'the result of a call': (event) =>
    event.type === 'tool-execution-end' && Object.assign(event.result, { output: '***' }),
}

describe('the events of a run', () => {
  let host: Host
  before(async () => {
    const looking = tool('looking', {
      getToolSchemas: () => [schema('look')],
      executeTool: () => 'a cat',
    })
    host = await scriptedHost([looking])
  })
  after(() => host.close())

  /** What readers and the program get of a run. */
  const told = async (hooks: readonly EnvironmentHook[]) => {
    const runtime = await createRuntime({ host, agents: [{ id: 'a', config: CONFIG }], hooks })
    const stream = await runtime.run('a', { messages: 'Go' })
    const texts: string[] = []
    for await (const event of stream) if (event.type === 'text-delta') texts.push(event.delta)
    const { messages, warnings, ...ending } = await stream.result
    return { texts, warnings, messages, ending: [ending.status, ending.termination, ending.steps] }
  }

  for (const [what, change] of Object.entries(CHANGES)) {
    it(`CT-28 cannot be changed by who observes them: ${what}`, async () => {
      const seen: RunEvent[] = []
      const bad: EnvironmentHook = { name: 'bad', onEvent: (_, __, event) => void change(event) }
      const next: EnvironmentHook = { name: 'next', onEvent: (_, __, event) => seen.push(event) }
      const right = await told([])
      const changed = await told([bad, next])
      expect({ ...changed, warnings: [] }).to.deep.equal(right)
      expect(JSON.stringify(seen)).to.not.include('***')
      expect(changed.warnings.join()).to.match(/"onEvent" of the environment hook "bad" failed: \w/)
    })

    it(`CT-28 change nothing of the run by who reads them: ${what}`, async () => {
      const right = await run(host, { messages: 'Go', config: CONFIG }).result
      const stream = run(host, { messages: 'Go', config: CONFIG })
      try {
        for await (const event of stream) change(event)
      } catch (error) {
        expect(error).to.be.an.instanceOf(TypeError)
        return
      }
      const { messages, termination } = await stream.result
      expect(termination).to.deep.equal(right.termination)
      expect(textOf(messages.at(-1)!)).to.equal('Done.')
      expect(JSON.stringify(messages)).to.include('a cat').and.not.include('***')
    })
  }
})
