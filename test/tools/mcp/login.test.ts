import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { login } from '../../../tools/mcp/login.ts'
import { readLogin, writeLogin } from '../../../tools/mcp/logins/login-file.ts'
import { ROOT } from '../../helpers/source-files.ts'
import { callOf, callOn, inventoryOf, mcpHost } from './mcp-host.ts'
import { type OAuthServer, oauthServer } from './oauth-server.ts'

const HOMELESS = `
const [root, url] = process.argv.slice(1)
const { readLogin } = await import(root + '/tools/mcp/logins/login-file.ts')
const { login } = await import(root + '/tools/mcp/login.ts')
delete process.env.HOME
delete process.env.XDG_DATA_HOME
process.setuid(54321)
const open = () => console.log('opened')
const signal = AbortSignal.timeout(10000)
const failed = await login({ url, open, signal }).catch((error) => error)
console.log(readLogin(url), failed.code, failed.message)
`

describe('a login at an MCP server', function () {
  this.timeout(20_000)
  let folder: string
  let server: OAuthServer
  const { XDG_DATA_HOME } = process.env
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    process.env['XDG_DATA_HOME'] = folder
    server = await oauthServer()
  })
  afterEach(async () => {
    if (XDG_DATA_HOME === undefined) delete process.env['XDG_DATA_HOME']
    else process.env['XDG_DATA_HOME'] = XDG_DATA_HOME
    await server.close()
    await rm(folder, { recursive: true })
  })

  /** Logs in, as a person who agrees at once. */
  const logIn = (more: object = {}) =>
    login({
      url: server.url,
      open: (page) => void fetch(page),
      signal: AbortSignal.timeout(10_000),
      ...more,
    })
  const hostOf = () => mcpHost({ locked: { url: server.url } })

  it('is asked for where there is none', async () => {
    await using host = await hostOf()
    const { reason } = (await inventoryOf(host))['locked__unavailable'] ?? {}
    expect(reason).to.match(/it asks for a login.*"braidwork mcp login locked"/)
  })

  it('is none of a user without a home folder, and is refused before a page is opened', function () {
    if (process.getuid?.() !== 0) {
      process.stderr.write(
        '"without a home folder" is skipped: only root may become another user\n',
      )
      return this.skip()
    }
    const args = ['--import', 'tsx', '--input-type=module', '-e', HOMELESS, ROOT, server.url]
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
    expect(stderr).to.equal('')
    expect(stdout).to.match(
      /^undefined ENV_MISSING There .* Set HOME, or XDG_DATA_HOME to the path/,
    )
  })

  it('lets the tools be called from then on', async () => {
    await logIn()
    await using host = await hostOf()
    expect(await callOn(host, 'locked__open')).to.include({ output: 'open' })
    expect(new Set(server.used)).to.deep.equal(new Set(['token-1']))
  })

  it('is kept in a file that only its owner may read', async () => {
    await logIn()
    const files = join(folder, 'braidwork', 'mcp')
    const [name = '', ...others] = await readdir(files)
    expect(others).to.deep.equal([])
    expect((await stat(join(files, name))).mode & 0o777).to.equal(0o600)
    expect((await stat(files)).mode & 0o777).to.equal(0o700)
    expect(await readFile(join(files, name), 'utf8')).to.include('token-1')
  })

  it('is renewed when its token has expired', async () => {
    await logIn()
    server.expire()
    await using host = await hostOf()
    expect(await callOn(host, 'locked__open')).to.include({ output: 'open' })
    expect(server.used.at(-1)).to.equal('token-1+')
  })

  it('is renewed for calls at the same time, with refresh tokens that are used once', async () => {
    await logIn()
    await using host = await hostOf()
    using opened = await host.open()
    server.expire()
    const calls = Array.from({ length: 5 }, () => callOf(opened, 'locked__open'))
    for (const { output } of await Promise.all(calls)) expect(output).to.equal('open')
    expect(server.renewals()).to.be.above(0)
  })

  it('is the newest one, where another process has renewed it', async () => {
    await logIn()
    await using host = await hostOf()
    using opened = await host.open()
    server.expire()
    const login = readLogin(server.url)
    if (!login) throw new Error('no login')
    writeLogin(server.url, { ...login, tokens: { ...login.tokens, access_token: 'token-1+' } })
    expect(await callOf(opened, 'locked__open')).to.include({ output: 'open' })
    expect(server.renewals()).to.equal(0)
  })

  const REFUSED = {
    'its login has expired; run "braidwork mcp login locked" again': { error: 'invalid_grant' },
    'its login could not be renewed: HTTP 500': 500,
  }
  for (const [reason, how] of Object.entries(REFUSED))
    it(`is told as the reason where it cannot be renewed: ${reason}`, async () => {
      await logIn()
      await using first = await hostOf()
      using opened = await first.open()
      server.expire()
      server.refuse(how)
      const { output, error } = await callOf(opened, 'locked__open')
      expect(output).to.equal(`The MCP server "locked" is not available: ${reason}`)
      expect(error?.class).to.equal('execution_failed')
      await first.close()
      await using host = await hostOf()
      const { reason: away } = (await inventoryOf(host))['locked__unavailable'] ?? {}
      expect(away).to.include(`The MCP server "locked" is not available: ${reason}`)
    })

  it('asks as a client that was registered by hand, where there is one', async () => {
    const pages: URL[] = []
    const open = (page: URL) => {
      pages.push(page)
      void fetch(page)
    }
    await logIn({ open, client: { client_id: 'by-hand' } })
    expect(pages.map(({ searchParams }) => searchParams.get('client_id'))).to.deep.equal([
      'by-hand',
    ])
  })

  it('takes only the answer to its own question', async () => {
    let strange = 0
    await logIn({
      open: async (page: URL) => {
        const back = new URL(page.searchParams.get('redirect_uri') ?? '')
        for (const query of ['?code=stolen&state=other', '?code=stolen']) {
          const { status } = await fetch(new URL(query, back))
          if (status === 404) strange++
        }
        await fetch(page)
      },
    })
    expect(strange).to.equal(2)
  })

  it('ends when it is cancelled, and replaces nothing', async () => {
    const cancel = new AbortController()
    const open = () => cancel.abort(new Error('stopped'))
    const error = await logIn({ open, signal: cancel.signal }).catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/stopped/)
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('fails at a server that is not there, with the reason', async () => {
    const error = await logIn({ url: 'http://127.0.0.1:1/mcp' }).catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/could not be reached/)
  })
})
