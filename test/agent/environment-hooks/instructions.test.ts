import { expect } from 'chai'
import { type AgentEnvironment, createRuntime } from '../../../src/agent/index.ts'
import { type Message, textOf, toMessages } from '../../../src/plugin/events/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'

describe('the instructions of an agent', () => {
  /** The system message of a run, part by part. */
  async function systemOf(environment: AgentEnvironment, conversationId?: string) {
    await using host = await scriptedHost()
    const agents = [{ id: 'a', system_prompt: 'You help.' }]
    const runtime = await createRuntime({ host, agents, environment })
    let system: Message | undefined
    const stream = await runtime.run('a', {
      messages: 'Go',
      ...(conversationId === undefined ? {} : { conversationId }),
      onAnswer: ({ messages }) => {
        ;[system] = toMessages(messages)
      },
    })
    const { messages } = await stream.result
    expect(messages.map(textOf).join(), 'in the result').not.to.include('<instructions')
    return system?.parts.map((part) => (part.type === 'text' ? part.text : part.type))
  }

  const discoverInstructions = (cwd: string) => [
    { path: 'AGENTS.md', text: `Rules of ${cwd}.\n` },
    { path: 'web/AGENTS.md', text: 'Long', isCut: true },
  ]

  it('CT-17 are wrapped, and follow the prompt in each run', async () => {
    expect(await systemOf({ effectiveCwd: () => '/work', discoverInstructions })).to.deep.equal([
      'You help.',
      [
        'These instructions come from files of the working directory. Of two that contradict each other, the later one counts.',
        '<instructions path="AGENTS.md">',
        'Rules of /work.',
        '</instructions>',
        '<instructions path="web/AGENTS.md">',
        'Long',
        '[The rest of this file is left out, because it is too long.]',
        '</instructions>',
      ].join('\n'),
    ])
  })

  it('CT-17 are those of the conversation’s own directory, which does not change the default', async () => {
    const environment: AgentEnvironment = {
      effectiveCwd: (conversationId) => (conversationId === 'own' ? '/own' : '/work'),
      discoverInstructions,
    }
    expect((await systemOf(environment, 'own'))?.[1]).to.include('Rules of /own.')
    expect((await systemOf(environment, 'other'))?.[1]).to.include('Rules of /work.')
    expect((await systemOf(environment))?.[1]).to.include('Rules of /work.')
  })

  it('CT-17 are none where the program names no directory', async () => {
    expect(await systemOf({ discoverInstructions })).to.deep.equal(['You help.'])
    expect(
      await systemOf({ effectiveCwd: () => '/nowhere', discoverInstructions: () => [] }),
    ).to.eql(['You help.'])
  })
})
