import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'
import { oauthServer } from '../tools/mcp/oauth-server.ts'
import { rawServer } from '../tools/mcp/servers.ts'
import { braidwork, type RunOptions } from './command.ts'

describe('braidwork mcp', function () {
  this.timeout(30_000)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function mcp(
    servers: object,
    args: readonly string[],
    more: object = {},
    options: RunOptions = {},
  ) {
    const file = join(folder, 'config.json')
    const config = {
      plugins: [join(ROOT, 'tools', 'mcp')],
      enabled_plugins: ['mcp'],
      settings: { mcp: { servers } },
      ...more,
    }
    await writeFile(file, JSON.stringify(config))
    return braidwork(['mcp', ...args, '--config', file], { cwd: folder, ...options })
  }

  it('list names each server with its tools, or the reason why it is not there', async () => {
    const servers = { raw: rawServer('many', '2'), gone: { command: '/nowhere/server' } }
    const { status, out } = await mcp(servers, ['list'])
    expect(status).to.equal(0)
    expect(out).to.match(/^raw +2 +raw__tool_0, raw__tool_1$/m)
    expect(out).to.match(/^gone +0 +The MCP server "gone" is not available: "\/nowhere\/server"/m)
    const { out: json } = await mcp(servers, ['list', '--json'])
    expect(JSON.parse(json)[0]).to.deep.equal({
      name: 'raw',
      tools: ['raw__tool_0', 'raw__tool_1'],
      faults: [],
    })
  })

  it('check ends with 0 where all servers are there', async () => {
    const { status, out, err } = await mcp({ a: rawServer(), a__b: rawServer('many', '2') }, [
      'check',
    ])
    expect({ status, out, err }).to.deep.equal({
      status: 0,
      out: 'a: 1 tools\na__b: 2 tools\n',
      err: '',
    })
  })

  it('list and check name a server without tools, and none that is not used', async () => {
    const servers = { raw: rawServer('toolless'), off: { ...rawServer(), disabled: true } }
    const checked = await mcp(servers, ['check'])
    expect(checked).to.deep.include({ status: 0, out: 'raw: 0 tools\n', err: '' })
    const settings = { mcp: { servers: { ...servers, other: rawServer() }, use: ['raw'] } }
    const listed = await mcp({}, ['list', '--json'], { settings })
    expect(JSON.parse(listed.out)).to.deep.equal([{ name: 'raw', tools: [], faults: [] }])
  })

  it('check ends with 1 and says what is wrong', async () => {
    const { status, err } = await mcp({ raw: rawServer('fails') }, ['check'])
    expect(status).to.equal(1)
    expect(err).to.include('MCP server "raw" wrote: The key is missing.\n')
    expect(err).to.match(
      /error raw: The MCP server "raw" is not available: it ended with exit stat/,
    )
  })

  it('check tells of tools that cannot be used', async () => {
    const named = { ...rawServer('legal'), tools: ['ahead', 'remote', 'missing'] }
    const { status, out, err } = await mcp({ raw: named }, ['check'])
    expect([status, out]).to.deep.equal([1, ''])
    expect(err).to.include('error raw: raw__remote: its input schema cannot be used')
    expect(err).to.include('error raw: raw__missing: the MCP server "raw" has no tool of this name')
  })

  it('login prints a page, and keeps the tokens of whoever agrees there', async () => {
    const server = await oauthServer()
    const env = { XDG_DATA_HOME: join(folder, 'data'), BY_HAND: 'by-hand-1' }
    const oauth = { client_id: '${env:BY_HAND}' }
    const config = { locked: { url: server.url, oauth } }
    let isAsked = false
    const onOutput = (out: string) => {
      const [page] = /^http\S+$/m.exec(out) ?? []
      if (page !== undefined && !isAsked) void fetch(page)
      isAsked ||= page !== undefined
    }
    const { status, out, err } = await mcp(config, ['login', 'locked'], {}, { env, onOutput })
    expect({ status, err }).to.deep.equal({ status: 0, err: '' })
    expect(out).to.include('client_id=by-hand-1')
    expect(out).to.match(/^Open this page in a browser.*^Logged in at "locked"\.$/ms)
    const checked = await mcp(config, ['check'], {}, { env })
    expect([checked.status, checked.out]).to.deep.equal([0, 'locked: 1 tools\n'])
    server.expire()
    server.refuse({ error: 'invalid_grant' })
    const expired = await mcp(config, ['check'], {}, { env })
    const reason = 'its login has expired; run "braidwork mcp login locked" again'
    expect([expired.status, expired.err]).to.deep.equal([
      1,
      `error locked: The MCP server "locked" is not available: ${reason}\n`,
    ])
    await server.close()
  })

  it('login says what is wrong with a server', async () => {
    const servers = { raw: rawServer(), gone: { url: 'http://127.0.0.1:1/mcp' } }
    const none = await mcp(servers, ['login', 'other'])
    expect([none.status, none.err]).to.deep.equal([
      2,
      'error CONFIG_INVALID: The MCP server "other" is not in the config. Servers in the config: raw, gone.\n',
    ])
    expect((await mcp(servers, ['login', 'raw'])).err).to.match(/"raw" has no "url"/)
    const gone = await mcp(servers, ['login', 'gone'])
    expect([gone.status, gone.err]).to.deep.equal([
      1,
      'error gone: no login: "127.0.0.1:1" could not be reached (ECONNREFUSED).\n',
    ])
  })

  it('says why no server is used', async () => {
    const off = await mcp({ raw: rawServer() }, ['check'], { enabled_plugins: [] })
    expect([off.status, off.err]).to.deep.equal([1, 'No MCP server is used: off by default.\n'])
    const gone = await mcp({ raw: rawServer() }, ['list'], { plugins: [], enabled_plugins: [] })
    expect(gone.err).to.match(/the plugin "mcp" is not there/)
  })
})
