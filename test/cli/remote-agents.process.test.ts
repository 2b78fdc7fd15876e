import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { tokenAuthenticator } from '../../src/server/index.ts'
import { type SocketServer, socketServer } from '../server/clients/socket-server.ts'
import { braidwork } from './command.ts'

const TOKEN = 'ada-0123456789abcdef'

describe('braidwork with agents of other servers', function () {
  this.timeout(30_000)
  let folder: string
  let far: SocketServer
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'braidwork-')))
    far = await socketServer({ authenticate: tokenAuthenticator([{ token: TOKEN, id: 'ada' }]) })
    const endpoint = {
      backend: 'a2a',
      base_url: `${far.url}/a2a/careful`,
      auth: { type: 'bearer', token: '${env:FAR_TOKEN}' },
      options: { allow_private: true },
    }
    const agents = {
      far: { description: 'Answers elsewhere.', endpoint },
      odd: { endpoint: { ...endpoint, options: { speed: 'high' } } },
    }
    const config = { provider: 'scripted', settings: { scripted: { delay_ms: 0 } }, agents }
    await writeFile(join(folder, 'braidwork.json'), JSON.stringify(config))
  })
  after(async () => {
    await rm(folder, { recursive: true })
    await far.close()
  })

  const ask = (args: readonly string[], input = '') =>
    braidwork([...args, '--config', 'braidwork.json'], {
      cwd: folder,
      input,
      env: { FAR_TOKEN: TOKEN },
    })

  it('lists, checks and explains them, without their tokens', async () => {
    const listed = await ask(['agents'])
    expect(listed.out).to.match(/^far +http:\/\/127\S+\/a2a\/careful +Answers elsewhere\.$/m)
    const checked = await ask(['agents', 'check'])
    expect([checked.status, checked.out]).to.deep.equal([2, '2 agents, 1 error, 0 warnings\n'])
    expect(checked.err).to.include('INVALID_REMOTE_ENDPOINT_CONFIG').and.include('"speed"')
    const asked = await ask(['chat', '--agent', 'odd', 'hello'])
    expect([asked.status, asked.err.match(/^error (\w+)/)?.[1]]).to.deep.equal([
      2,
      'INVALID_REMOTE_ENDPOINT_CONFIG',
    ])
    const explained = await ask(['agents', 'explain', 'far'])
    expect(explained.out).to.match(/^agent far, at http\S+ by a2a$/m)
    expect(explained.out).to.match(/^clientTools +no$/m)
    const json = await ask(['agents', 'explain', 'far', '--json'])
    expect(JSON.parse(json.out)).to.have.nested.property('spec.endpoint.auth.token', '***')
    const all = await ask(['agents', '--json'])
    expect(all.out + json.out + checked.err + explained.out).to.not.include(TOKEN)
  })

  it('lets them answer in a chat, also what they ask', async () => {
    const { status, out } = await ask(['chat', '--agent', 'far'], 'calculate\nyes\nhello\n')
    expect(status).to.equal(0)
    expect(out).to.include('May the tool "calculate" be run')
    expect(out).to.include('It is {"expression":"6 * 7","result":"42","exact":true}.')
    expect(out).to.include('You said: hello')
  })
})
