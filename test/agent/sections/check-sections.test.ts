import { expect } from 'chai'
import { createRuntime } from '../../../src/agent/index.ts'
import { checkSections, RUNTIME_CLAIMS } from '../../../src/agent/sections/index.ts'
import { checkAgentSpec } from '../../../src/agent/specs/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { scriptedHost } from '../../helpers/hosts.ts'

const thrownBy = async (work: Promise<unknown>): Promise<HostError> => {
  const thrown = await work.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )
  return HostError.is(thrown) ? thrown : expect.fail(String(thrown))
}

const faultOf = (sections: { readonly [name: string]: { readonly [key: string]: unknown } }) =>
  thrownBy(checkSections('a', sections, RUNTIME_CLAIMS))

describe('the sections of an agent', () => {
  it('AW-20 refuses what the section retry does not know, with its place and a suggestion', async () => {
    const error = await faultOf({ retry: { max_retries: 2, backof_base_ms: 5 } })
    expect(error).to.include({
      code: 'INVALID_PLUGIN_CONFIG',
      plugin: 'runtime',
      pointer: '/sections/retry/backof_base_ms',
    })
    expect(error.message).to.match(/^The section "retry" of the agent "a" is not valid at /)
    expect(error.message).to.include('Did you mean "backoff_base_ms"?')
  })

  it('AW-20 needs max_retries, and refuses values that are no numbers of their kind', async () => {
    expect((await faultOf({ retry: {} })).pointer).to.equal('/sections/retry/max_retries')
    const wrong = {
      max_retries: -1,
      backoff_base_ms: 0.5,
      overloaded_backoff_base_ms: '2000',
      max_stream_retries: null,
      stream_idle_timeout_secs: 0,
    }
    const { message } = await faultOf({ retry: wrong })
    for (const field of Object.keys(wrong)) expect(message).to.include(`/sections/retry/${field}`)
  })

  it('AW-20 takes every field of the section retry', async () => {
    const retry = {
      max_retries: 0,
      backoff_base_ms: 1,
      overloaded_backoff_base_ms: 2,
      max_stream_retries: 0,
      stream_idle_timeout_secs: 0.5,
    }
    expect(await checkSections('a', { retry }, RUNTIME_CLAIMS)).to.deep.equal([])
  })

  it('AW-06 checks a section against the schema of the plugin that claims it', async () => {
    const schema = { type: 'object', properties: { depth: { type: 'integer' } } }
    const claims = new Map([...RUNTIME_CLAIMS, ['notes', { plugin: 'notebook', schema }] as const])
    expect(await checkSections('a', { notes: { depth: 1 } }, claims)).to.deep.equal([])
    const error = await thrownBy(checkSections('a', { notes: { depth: 'x' } }, claims))
    expect(error).to.include({ plugin: 'notebook', pointer: '/sections/notes/depth' })
  })

  it('AW-06 warns of a section that nobody claims, and fails at resolution where one is wrong', async () => {
    await using host = await scriptedHost()
    const runtime = await createRuntime({
      host,
      agents: [
        { id: 'a', sections: { rety: { max_retries: 1 } } },
        { id: 'b', sections: { retry: { max_retries: 'many' } } },
      ],
    })
    const { warnings } = await runtime.resolve('a')
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.include({
      code: 'SECTION_UNKNOWN',
      agent: 'a',
      field: 'sections',
      entry: 'rety',
    })
    expect(warnings[0]?.message).to.include('possibly a typing error').and.include('"retry"?')
    const error = await thrownBy(runtime.resolve('b'))
    expect(error.code).to.equal('INVALID_PLUGIN_CONFIG')
  })

  it('are objects: anything else is a fault of the spec', async () => {
    for (const sections of [[], 'retry', { retry: 3 }, { retry: null }]) {
      const error = await thrownBy(checkAgentSpec({ id: 'a', sections }))
      expect(error.code).to.equal('SPEC_INVALID')
      expect(error.pointer).to.match(/^\/sections/)
    }
  })
})
