import { expect } from 'chai'
import type { RunEvent } from '../../../src/plugin/index.ts'
import { AgentServer } from './agent-server.ts'

const script = (name: string, input: object) => ({
  provider: 'scripted',
  settings: {
    scripted: {
      script: [
        { when: { step: 1 }, then: { tool_calls: [{ name, input }] } },
        { then: { text: 'Done.' } },
      ],
    },
  },
})
const tool = {
  name: 'shout',
  description: 'Shouts.',
  input_schema: { type: 'object' },
  execute: () => 'LOUD',
}

describe('agents in the storage, beside a runtime of the program', () => {
  let server: AgentServer
  afterEach(() => server.close())

  it('AW-56 have the tools, messages, scope and events of its hooks', async () => {
    const calls: object[] = []
    const seen: string[] = []
    server = await AgentServer.start([], {
      own: { config: script('greet', { name: 'you' }) },
      hooks: [
        {
          name: 'program',
          systemPrompt: () => 'You are inside a program.',
          schema: () => [{ name: 'greet', description: 'Greets.', input_schema: {} }],
          onBeforeRun: () => 'Remember this.',
          dispatch: (_name, call) => {
            calls.push(call)
            return 'Hello.'
          },
          onEvent: (agent, conversation, { type }) => seen.push(`${agent} ${conversation} ${type}`),
        },
      ],
    })
    await server.put('/api/agents/helper', { system_prompt: 'Help.' })
    expect((await server.chat('helper')).text).to.include('Done.')
    expect(server.systemOf()).to.deep.equal(['Help.You are inside a program.'])
    expect(server.sent[0]?.tools).to.include('greet')
    expect(JSON.stringify(server.sent[0]?.messages)).to.include('Remember this.')
    expect(calls).to.have.length(1)
    expect(calls[0]).to.deep.include({ agent: 'helper', sender: 'ada', input: { name: 'you' } })
    expect(seen).to.include.members(['helper ada/talk start', 'helper ada/talk finish'])
  })

  it('AW-56 have its tools, as far as their catalogs and policies allow', async () => {
    server = await AgentServer.start([], {
      tools: [tool],
      own: { config: script('shout', {}) },
    })
    await server.put('/api/agents/loud', {})
    await server.put('/api/agents/quiet', { excluded_tools: ['shout'] })
    await server.put('/api/agents/careful', { config: { tool_policy: { shout: 'ask' } } })
    expect((await server.chat('loud', 'a')).text).to.include('LOUD')
    expect(server.sent[0]?.tools).to.include('shout')
    expect((await server.chat('quiet', 'b')).text).not.to.include('LOUD')
    expect((await server.chat('careful', 'c')).text).not.to.include('LOUD')
    const { json } = await server.put('/api/agents/quiet?trial=only', { excluded_tools: ['shout'] })
    const listed = json['tools'] as unknown as { tool_name: string; reason?: string }[]
    expect(listed.find(({ tool_name: name }) => name === 'shout')?.reason).to.be.a('string')
  })

  it('have the tools that it gets later, and are refused a tool that the config denies', async () => {
    const config = { ...script('shout', {}), tool_policy: { shout: 'deny' as const } }
    server = await AgentServer.start([], { own: { config }, tools: [tool] })
    await server.put('/api/agents/helper', {})
    expect((await server.chat('helper')).text).not.to.include('LOUD')
    server.runtime.addTool({ ...tool, name: 'later' })
    await server.chat('helper', 'again')
    expect(server.sent[0]?.tools).not.to.include.members(['later'])
    expect(server.sent.at(-1)?.tools).to.include('later')
    expect(server.sent.at(-1)?.tools).not.to.include('shout')
  })

  it('have its working directory with the instructions there, and tell it and its subscribers their events', async () => {
    const told: string[] = []
    server = await AgentServer.start([], {
      surroundings: {
        effectiveCwd: (conversation) => `/projects/${conversation}`,
        discoverInstructions: (cwd) => [{ path: `${cwd}/AGENTS.md`, text: `We are in ${cwd}.` }],
        onAgentEvent: (agent, conversation, { type }) =>
          told.push(`${agent} ${conversation} ${type}`),
      },
    })
    await server.put('/api/agents/helper', {})
    const published: RunEvent['type'][] = []
    const leaving = new AbortController()
    const feed = server.runtime.subscribeEvents({ signal: leaving.signal })
    const reading = (async () => {
      for await (const item of feed) {
        if ('event' in item && item.agent === 'helper') published.push(item.event.type)
      }
    })()
    await server.chat('helper')
    leaving.abort()
    await reading
    expect(server.systemOf()[0]).to.include('We are in /projects/ada/talk.')
    expect(told).to.include.members(['helper ada/talk start', 'helper ada/talk finish'])
    expect(published).to.include.members(['start', 'finish'])
  })

  it('AW-56 are stored as the admin wrote them, and not as a hook builds them', async () => {
    server = await AgentServer.start([], {
      hooks: [
        {
          name: 'program',
          onBuildAgent: (spec) => ({ ...spec, system_prompt: `${spec.system_prompt} Be kind.` }),
        },
      ],
    })
    const { json } = await server.put('/api/agents/helper', { system_prompt: 'Help.' })
    expect(json['spec']).to.deep.equal({ id: 'helper', system_prompt: 'Help.' })
    const trial = await server.put('/api/agents/helper?trial=only', { system_prompt: 'Help.' })
    expect(Object(trial.json['spec'])).to.include({ system_prompt: 'Help. Be kind.' })
    await server.chat('helper')
    await server.chat('helper', 'again')
    expect(server.systemOf(0)).to.deep.equal(['Help. Be kind.'])
    expect(server.systemOf(server.sent.length - 1)).to.deep.equal(['Help. Be kind.'])
  })
})
