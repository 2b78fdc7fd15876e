import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { createRuntime, type EnvironmentHook } from '../../../src/agent/index.ts'
import type { Host } from '../../../src/core/index.ts'
import { type Message, toMessages } from '../../../src/plugin/events/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { errorOf } from '../../helpers/plugins.ts'

describe('the context that environment hooks give', () => {
  let host: Host
  before(async () => {
    host = await scriptedHost()
  })
  after(() => host.close())

  async function runWith(hooks: readonly EnvironmentHook[], conversationId?: string) {
    const agents = [{ id: 'helper', system_prompt: 'You help.' }]
    const runtime = await createRuntime({ host, agents, hooks })
    const talk = conversationId === undefined ? {} : { conversationId }
    let asked: readonly Message[] = []
    const stream = await runtime.run('helper', {
      messages: 'Go',
      ...talk,
      onAnswer: ({ messages }) => {
        asked = toMessages(messages)
      },
    })
    const { error } = await stream.result
    if (error) throw error
    const [system] = asked
    return system?.parts.map((part) => (part.type === 'text' ? part.text : part.type)) ?? []
  }

  it('AL-15 follows the prompt and the scope, the highest priority first, then as registered', async () => {
    const parts = await runWith([
      { name: 'tools', context: () => 'tools' },
      { name: 'session', context: () => 'session', contextPriority: 5 },
      { name: 'none', context: () => undefined, contextPriority: 9 },
      { name: 'memory', context: () => 'memory', contextPriority: 10 },
      { name: 'scope', systemPrompt: () => 'Orders only.' },
      { name: 'other tools', context: () => 'other tools' },
      { name: 'last', context: () => 'last', contextPriority: -1 },
    ])
    expect(parts).to.deep.equal([
      'You help.',
      'Orders only.',
      'memory',
      'session',
      'tools',
      'other tools',
      'last',
    ])
  })

  it('AL-15 is fetched before, by all at the same time, and then made in one go', async () => {
    const log: string[] = []
    const fetching = (name: string, contextPriority: number): EnvironmentHook => ({
      name,
      contextPriority,
      fetchContext: async (agent, conversationId) => {
        log.push(`${name} fetches`)
        await turn()
        log.push(`${name} has fetched`)
        return `${name} of ${agent} in ${conversationId}`
      },
      context: (fetched) => {
        log.push(`${name} gives`)
        queueMicrotask(() => log.push('later'))
        return String(fetched)
      },
    })
    const parts = await runWith([fetching('a', 1), fetching('b', 2)], 'talk')
    expect(parts.slice(1)).to.deep.equal(['b of helper in talk', 'a of helper in talk'])
    expect(log.slice(0, 2)).to.deep.equal(['b fetches', 'a fetches'])
    expect(log.slice(4)).to.deep.equal(['b gives', 'a gives', 'later', 'later'])
  })

  it('AL-15 must not be a promise, nor anything but a text', async () => {
    const slow = { name: 'slow', context: () => Promise.reject(new Error('no')) as never }
    const wrong = { name: 'wrong', context: () => 5 as never }
    const broken = {
      name: 'broken',
      fetchContext: () => {
        throw new Error('no memory')
      },
      context: () => 'x',
    }
    const faults = [
      [slow, 'it returned a promise. Fetch in "fetchContext", and return a text'],
      [wrong, 'it returned no text'],
      [broken, '"fetchContext" of the environment hook "broken" failed: no memory'],
    ] as const
    for (const [hook, text] of faults) {
      const error = await errorOf(runWith([hook]))
      expect(error.code).to.equal('HOOK_FAILED')
      expect(error.message).to.include(text).and.include(hook.name)
    }
  })
})
