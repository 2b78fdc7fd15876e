import { expect } from 'chai'
import { readSettings } from '../../../tools/mcp/settings.ts'
import { mcpHost } from './mcp-host.ts'

const read = (mcp: object) => readSettings({ settings: { mcp } } as never)
const faultOf = (mcp: object) => {
  try {
    read(mcp)
  } catch (error) {
    const { message, pointer, code } = error as Error & { pointer?: string; code?: string }
    return { message, pointer, code }
  }
  return undefined
}

describe('the settings of the tool "mcp"', () => {
  it('take servers as other clients write them', () => {
    const { servers } = read({
      servers: {
        a: { command: 'npx', args: ['-y', 'a'], env: { A: '1' } },
        b: { type: 'http', url: 'https://example.org/mcp', headers: { authorization: 'x' } },
        c: { type: 'sse', url: 'https://example.org/sse' },
        d: { command: 'd', disabled: true },
      },
    })
    expect(servers.map(({ name, reached }) => [name, reached.kind])).to.deep.equal([
      ['a', 'stdio'],
      ['b', 'http'],
      ['c', 'sse'],
    ])
  })

  it('name the servers in use, and prefer those of the config to the project’s', () => {
    const mcp = {
      servers: { a: { command: 'a' }, b: { command: 'b' } },
      project_servers: { a: { command: 'stranger' }, c: { command: 'c' } },
      use: ['c', 'a', 'c'],
    }
    const { servers } = read(mcp)
    expect(servers.map(({ name, reached }) => [name, 'command' in reached && reached.command]))
      .to //
      .deep.equal([
        ['c', 'c'],
        ['a', 'a'],
      ])
  })

  for (const [title, mcp, pointer] of [
    ['neither a command nor a URL', { servers: { a: {} } }, '/servers/a'],
    ['both', { servers: { a: { command: 'a', url: 'https://a.org' } } }, '/servers/a'],
    ['another scheme', { servers: { a: { url: 'ftp://a.org' } } }, '/servers/a/url'],
    ['a password in a URL', { servers: { a: { url: 'https://a:b@a.org' } } }, '/servers/a/url'],
    [
      'a type that does not fit',
      { servers: { a: { url: 'https://a.org', type: 'stdio' } } },
      '/servers/a/type',
    ],
    [
      'arguments that are no texts',
      { servers: { a: { command: 'a', args: [1] } } },
      '/servers/a/args',
    ],
    [
      'an environment that is none',
      { servers: { a: { command: 'a', env: { A: 1 } } } },
      '/servers/a/env',
    ],
    ['a server without a name', { servers: { '': { command: 'a' } } }, '/servers/'],
    ['a server with a blank name', { servers: { ' ': { command: 'a' } } }, '/servers/ '],
    ['an unknown server in use', { servers: { a: { command: 'a' } }, use: ['b'] }, '/use'],
    ['no seconds', { start: -1 }, '/start'],
    ['a list of servers', { servers: [] }, '/servers'],
    [
      'an unknown policy of sampling',
      { servers: { a: { command: 'a', sampling: { policy: 'yes' } } } },
      '/servers/a/sampling/policy',
    ],
    [
      'sampling without an end',
      { servers: { a: { command: 'a', sampling: { policy: 'allow', requests: 1_000 } } } },
      '/servers/a/sampling/requests',
    ],
    [
      'sampling that is no object',
      { servers: { a: { command: 'a', sampling: true } } },
      '/servers/a/sampling',
    ],
  ] as const) {
    it(`refuse ${title}, and say where`, () => {
      const fault = faultOf(mcp)
      expect(fault).to.include({ code: 'SETTINGS_INVALID', pointer: `/settings/mcp${pointer}` })
      expect(fault?.message).to.include(`/settings/mcp${pointer}`)
    })
  }

  it('are read once where they use no server, since each request of a config has them', () => {
    const unused = { servers: { a: { command: 'a', disabled: true } } }
    expect(read(unused)).to.equal(read(unused))
    expect(read({ ...unused })).to.deep.equal(read(unused))
    const used = { servers: { a: { command: 'a' } } }
    expect(read(used)).to.deep.equal(read(used))
    expect(read(used)).not.to.equal(read(used))
  })

  it('deny sampling by default, and limit it where it is allowed', () => {
    const samplingOf = (sampling?: object) =>
      read({ servers: { a: { command: 'a', ...(sampling ? { sampling } : {}) } } }).servers[0]
        ?.sampling
    expect(samplingOf()).to.equal(undefined)
    expect(samplingOf({})).to.equal(undefined)
    expect(samplingOf({ policy: 'deny', requests: 3 })).to.equal(undefined)
    const limits = { max_tokens: 1_024, requests: 4 }
    expect(samplingOf({ policy: 'ask' })).to.deep.equal({ policy: 'ask', ...limits })
    const own = { policy: 'allow', model: 'small', max_tokens: 9, requests: 1 }
    expect(samplingOf(own)).to.deep.equal(own)
  })

  it('keep environments and headers secret', async () => {
    await using host = await mcpHost(
      { a: { command: 'a', env: { TOKEN: 'token-0123456789' }, disabled: true } },
      {},
    )
    const form = await host.uiSchema({})
    expect(JSON.stringify(form)).to.not.include('token-0123456789')
  })
})
