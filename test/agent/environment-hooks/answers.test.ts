import { inspect } from 'node:util'
import { expect } from 'chai'
import {
  type AgentEnvironment,
  createRuntime,
  type EnvironmentHook,
} from '../../../src/agent/index.ts'
import type { Host } from '../../../src/core/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { errorOf } from '../../helpers/plugins.ts'

/** The members whose answers a run uses, and what is said of an answer of another kind. */
const TOLD = {
  schema: 'it returned no list of tools',
  scopedTools: 'it returned no list of names',
  systemPrompt: 'it returned no text',
  context: 'it returned no text',
  onBuildAgent: 'it returned no spec',
  preprocess: 'it returned neither a text nor a list of parts',
  onBeforeRun: 'messages must be a string or an array of messages',
} as const
const ENVIRONMENT = {
  effectiveCwd: 'it returned no text',
  discoverInstructions: 'it returned no list of files, each with its "path" and "text"',
} as const

const WRONG: readonly unknown[] = [null, 5, true, { a: 1 }, new Map([['a', 1]])]

describe('the answers of environment hooks', () => {
  let host: Host
  before(async () => {
    host = await scriptedHost()
  })
  after(() => host.close())

  async function ran(hooks: readonly object[], environment: object = {}) {
    const agents = [{ id: 'a', system_prompt: 'P' }]
    const own = { hooks: hooks as readonly EnvironmentHook[] }
    const runtime = await createRuntime({ host, agents, environment, ...own })
    return (await runtime.run('a', { messages: 'Hi.' })).result
  }

  for (const [member, told] of Object.entries(TOLD)) {
    for (const answer of WRONG) {
      it(`of "${member}" are refused if they are ${inspect(answer)}`, async () => {
        const error = await errorOf(ran([{ name: 'h', [member]: () => answer }]))
        expect(error).to.include({ code: 'HOOK_FAILED', hook: member })
        expect(error.message).to.equal(`"${member}" of the environment hook "h" failed: ${told}`)
      })
    }
  }

  for (const [member, wrong] of [
    ['systemPrompt', ['x']],
    ['scopedTools', 'read'],
    ['scopedTools', [5]],
    ['onBuildAgent', 'a'],
  ] as const) {
    it(`of "${member}" are refused if they are ${inspect(wrong)}`, async () => {
      const error = await errorOf(ran([{ name: 'h', [member]: () => wrong }]))
      expect(error.message).to.include(`failed: ${TOLD[member]}`)
    })
  }

  for (const [member, told] of Object.entries(ENVIRONMENT)) {
    for (const answer of [...WRONG, [5]]) {
      it(`of "${member}" of the environment are refused if they are ${inspect(answer)}`, async () => {
        const environment: AgentEnvironment = { effectiveCwd: () => '/w', [member]: () => answer }
        const error = await errorOf(ran([], environment))
        expect(error).to.include({ code: 'HOOK_FAILED', hook: member })
        expect(error.message).to.equal(`"${member}" of the environment failed: ${told}`)
      })
    }
  }

  it('may be nothing, also an empty list', async () => {
    const none = Object.keys(TOLD).map((member) => ({ name: member, [member]: () => undefined }))
    const empty = { name: 'empty', schema: () => [], onBeforeRun: () => [], systemPrompt: () => '' }
    expect(await ran([...none, empty])).to.include({ status: 'done' })
  })

  it('come from objects with a name', async () => {
    for (const hook of [null, 5, {}]) {
      const error = await errorOf(ran([hook as never]))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/hooks' })
    }
  })

  for (const [member, value, told] of [
    ['systemPrompt', 'Be brief.', 'a function'],
    ['dispatch', {}, 'a function'],
    ['contextPriority', 'high', 'a number'],
  ] as const) {
    it(`come from functions: a hook with another kind of "${member}" is refused`, async () => {
      const error = await errorOf(ran([{ name: 'h', [member]: value }]))
      expect(error).to.include({ code: 'OPTION_INVALID', pointer: `/hooks/${member}` })
      expect(error.message).to.include(`"${member}" of the environment hook "h" must be ${told}`)
    })
  }
})
