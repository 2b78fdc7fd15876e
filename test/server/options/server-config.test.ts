import { expect } from 'chai'
import { readServerConfig } from '../../../src/server/options/server-config.ts'
import { errorOf } from '../../helpers/plugins.ts'

describe('the config of a server', () => {
  const token = (name: string, id: string) => ({ token: `${name}-0123456789abcdef`, id })

  it('names the later of two entries with the same token', async () => {
    const tokens = [token('ada', 'a'), token('bob', 'b'), token('ada', 'c')]
    const error = await errorOf(readServerConfig({ tokens }, {}))
    expect(error).to.include({ code: 'CONFIG_INVALID', pointer: '/server/tokens/2/token' })
  })

  it('names the values that a setting of the server may have', async () => {
    const error = await errorOf(readServerConfig({ keep_responses: true }, {}))
    expect(error.message).to.include('"keep_responses" must be false, or of type number')
  })

  it('refuses a size that is most likely not in bytes', async () => {
    for (const name of ['body', 'file', 'attachments', 'bodies', 'all_bodies', 'storage']) {
      const error = await errorOf(readServerConfig({ limits: { [name]: 25 } }, {}))
      expect(error).to.include({ code: 'CONFIG_INVALID', pointer: `/server/limits/${name}` })
      expect(error.message).to.include('1024')
    }
  })

  it('says in words which form a value must have', async () => {
    for (const [server, pointer, told] of [
      [{ tokens: [{ token: 'short', id: 'a' }] }, '/tokens/0/token', 'at least 16 characters'],
      [{ base_path: 'ai' }, '/base_path', 'must be a path, such as "/braidwork"'],
      [{ origins: ['https://a.example/b'] }, '/origins/0', 'must be an origin without a path'],
      [{ settable: ['/model'] }, '/settable/0', ': "/model" must begin with "/settings/"'],
      [{ oidc: { issuer: 'http://a.example', audience: 'a' } }, '/oidc/issuer', 'with https:'],
    ] as const) {
      const error = await errorOf(readServerConfig(server, {}))
      expect(error).to.include({ code: 'CONFIG_INVALID', pointer: `/server${pointer}` })
      expect(error.message).to.include(told).and.not.include('pattern')
    }
  })

  it('names the variable that a wrong value comes from, and never the value', async () => {
    const server = { tokens: [{ token: '${env:ADA_TOKEN}', id: 'a' }] }
    const empty = await errorOf(readServerConfig(server, { ADA_TOKEN: '' }))
    expect(empty.message).to.include('the environment variable "ADA_TOKEN", which is empty.')
    const short = await errorOf(readServerConfig(server, { ADA_TOKEN: 'sesame' }))
    expect(short.message)
      .to.include('the environment variable "ADA_TOKEN".')
      .and.not.include('sesame')
  })

  it('refuses host names that no request has, with the right form', async () => {
    for (const [name, told] of [
      ['', 'such as "chat.example.com"'],
      ['https://chat.example.com', 'give "chat.example.com"'],
      ['chat.example.com:443', 'give "chat.example.com"'],
      ['chat.example.com/', 'give "chat.example.com"'],
      ['Chat.example.com', 'give "chat.example.com"'],
      ['::1', 'give "[::1]"'],
      ['*.example.com', 'no wildcards'],
      ['a b', 'such as "chat.example.com"'],
    ] as const) {
      const error = await errorOf(readServerConfig({ hosts: ['localhost', name] }, {}))
      expect(error).to.include({ code: 'CONFIG_INVALID', pointer: '/server/hosts/1' })
      expect(error.message).to.include(told)
    }
    const hosts = ['chat.example.com', '[::1]', '10.0.0.1', 'xn--mller-kva.example']
    expect(await readServerConfig({ hosts }, {})).to.deep.equal({ hosts })
  })
})
