import { existsSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { SPECS_OWNER } from '../../src/server/internal.ts'
import { openStorage } from '../../src/store/index.ts'
import { braidwork } from './command.ts'
import { sharedCommand } from './shared-command.ts'

const CONFIG = {
  provider: 'scripted',
  server: { store: 'data.db', models: { assistant: {} } },
}

describe('braidwork tokens', function () {
  this.timeout(30_000)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await writeFile(join(folder, 'config.json'), JSON.stringify(CONFIG))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const command = sharedCommand()
  const ask = (...args: readonly string[]) =>
    command(['tokens', ...args, '--config', 'config.json'], { cwd: folder })
  const askAlone = (...args: readonly string[]) =>
    braidwork(['tokens', ...args, '--config', 'config.json'], { cwd: folder })

  interface Shown {
    readonly id: string
    readonly secret?: string
    readonly identity: object
    readonly revokedAt?: number
    readonly expiresAt?: number
  }

  it('issues a token, shows its secret once, and stores only its hash', async () => {
    const issued = await askAlone('issue', 'ada')
    expect(issued.status).to.equal(0)
    expect(issued.out).to.match(/^bw_[\w-]{43}\n$/)
    const secret = issued.out.trim()
    const listed = await askAlone('list')
    expect(listed.out).to.include(secret.slice(0, 9)).and.include('ada').and.include('valid')
    const all = await askAlone('list', '--json')
    expect(listed.out + all.out).to.not.include(secret)
    expect(all.out).to.not.include('hash')
    expect((await readFile(join(folder, 'data.db'))).includes(secret)).to.equal(false)
  })

  it('names the storage that has the token, and warns of a new one', async () => {
    const file = join(await realpath(folder), 'data.db')
    const first = await ask('issue', 'ada')
    expect(first.err)
      .to.include(`"${file}".`)
      .and.match(/warning STORAGE_NEW: .*data\.db" is new/)
    const second = await ask('issue', 'ada')
    expect(second.err).to.include(`"${file}".`).and.not.include('STORAGE_NEW')
  })

  it('says that the folder of the storage cannot be written', async () => {
    const env = { XDG_DATA_HOME: '/dev/null/data' }
    const listed = await command(['tokens', 'list'], { cwd: folder, env })
    expect(listed.err).to.match(/^error STORAGE_FAILED: There is no SQLite file "\/dev\/null\/data/)
    const { status, err } = await command(['tokens', 'issue', 'ada'], { cwd: folder, env })
    expect(status).to.equal(1)
    expect(err).to.match(/^error STORAGE_FAILED: The storage "\/dev\/null\/data/)
  })

  it('stores what the token may do', async () => {
    const options = ['--role', 'admin', '--scope', 's', '--no-host-tools', '--expires', '2']
    const limits = ['--limit', 'cost_per_day=1.5', '--limit', 'assistant.tokens_per_day=9']
    const { out } = await ask('issue', 'ada', '--json', '--for', 'assistant', ...options, ...limits)
    const { identity, expiresAt = 0, secret } = JSON.parse(out) as Shown
    expect(identity).to.deep.equal({
      id: 'ada',
      role: 'admin',
      scope: 's',
      models: { assistant: { tokens_per_day: 9 } },
      limits: { cost_per_day: 1.5 },
      host_tools: 'none',
    })
    expect(expiresAt - Date.now()).to.be.within(1.9 * 86_400_000, 2 * 86_400_000)
    expect(secret).to.be.a('string')
  })

  it('issues tokens for agents, of the config and of the storage', async () => {
    const config = { ...CONFIG, agents: { helper: {}, hidden: {} } }
    const server = { ...CONFIG.server, agents: ['helper'] }
    await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, server }))
    const storage = await openStorage(join(folder, 'data.db'))
    const agent = { id: 'kept', owner: SPECS_OWNER, name: 'kept', spec: {}, updatedAt: 1 }
    await storage.agents.upsert(agent)
    await storage.close()
    const issued = await ask('issue', 'ada', '--for', 'helper', '--for', 'kept')
    expect(issued.err).to.not.include('MODEL_UNPUBLISHED')
    expect(issued.status).to.equal(0)
    const refused = await ask('issue', 'ada', '--for', 'hidden')
    expect(refused.err).to.include('MODEL_UNPUBLISHED').and.include('helper, kept')
    expect(refused.status).to.equal(2)
  })

  it('revokes a token by its id, and says which there is not', async () => {
    const { out } = await ask('issue', 'ada', '--json')
    const { id } = JSON.parse(out) as Shown
    expect((await askAlone('revoke', id)).status).to.equal(0)
    const [token] = JSON.parse((await ask('list', '--json')).out) as readonly Shown[]
    expect(token?.revokedAt).to.be.a('number')
    expect((await ask('list')).out).to.include('revoked')
    const unknown = await ask('revoke', 'tok_none')
    expect(unknown.status).to.equal(2)
    expect(unknown.err).to.include('OPTION_INVALID: There is no token "tok_none"')
  })

  it('creates no storage where it refuses', async () => {
    const { status, err } = await ask('issue', 'ada', '--for', 'asistant')
    expect(status).to.equal(2)
    expect(err).to.include('MODEL_UNPUBLISHED')
    expect(existsSync(join(folder, 'data.db'))).to.equal(false)
    const issued = await ask('issue', 'ada', '--for', 'assistant')
    expect(issued.err).to.include('warning STORAGE_NEW')
  })

  it('stores nothing that is not valid', async () => {
    for (const wrong of [
      ['--limit', 'requests=1'],
      ['--limit', 'requests_per_day=0'],
      ['--limit', 'many'],
      ['--role', 'king'],
      ['--for', 'asistant'],
      ['--expires', '-1'],
    ]) {
      const { status, out } = await ask('issue', 'ada', ...wrong)
      expect([status, out], wrong.join(' ')).to.deep.equal([2, ''])
    }
    expect((await ask('issue', 'ada', '--for', 'asistant')).err).to.include('"assistant"?')
    const ofIssuer = await ask('issue', 'oidc:ada')
    expect([ofIssuer.status, ofIssuer.err]).to.deep.equal([
      2,
      'error OPTION_INVALID: The token is not valid at /id: "id" must not begin with "oidc:".\n',
    ])
    const nobody = await ask('issue', '')
    expect([nobody.status, nobody.err]).to.deep.equal([
      2,
      'error OPTION_INVALID: The token is not valid at /id: "id" must not be blank.\n',
    ])
    const other = ['--for', 'assistant', '--limit', 'other.tokens_per_day=5']
    const widened = await ask('issue', 'ada', ...other)
    expect([widened.status, widened.out]).to.deep.equal([2, ''])
    expect(widened.err).to.include('"other", which --for does not allow')
    expect(existsSync(join(folder, 'data.db'))).to.equal(false)
  })
})
