import { expect } from 'chai'
import { shownServerConfig } from '../../../src/server/settings/shown-config.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { extension } from '../../helpers/plugins.ts'

const SECRET = { $secret: true }

describe('the config of a server, as it is shown', () => {
  async function shown(server: unknown) {
    const configSchema = {
      type: 'object',
      properties: { key: { type: 'string', writeOnly: true } },
    }
    await using host = await scriptedHost([extension('keyed', { configSchema })])
    return shownServerConfig(host, server)
  }

  it('has no tokens, references to variables or secret settings', async () => {
    const config = {
      model: 'm',
      settings: { keyed: { key: 'open-sesame' }, scripted: { seed: 1 } },
    }
    const server = {
      tokens: [
        { token: 'ada-0123456789abcdef', id: 'ada' },
        { token: '${env:BOB}', id: 'bob' },
      ],
      models: { a: { title: 'A', config } },
      hosts: ['${env:NAME}.example.org', 'b.example.org'],
    }
    expect(await shown(server)).to.deep.equal({
      tokens: [
        { token: SECRET, id: 'ada' },
        { token: SECRET, id: 'bob' },
      ],
      models: {
        a: {
          title: 'A',
          config: { model: 'm', settings: { keyed: { key: SECRET }, scripted: { seed: 1 } } },
        },
      },
      hosts: [SECRET, 'b.example.org'],
    })
  })

  it('has a storage without a password as it is', async () => {
    for (const store of [
      'memory',
      'a.db',
      'postgres://ada@h/b',
      'postgres://h:5/b?sslmode=require',
    ]) {
      expect(await shown({ store })).to.deep.equal({ store })
    }
    for (const store of [
      'postgres://ada:pw@h/b',
      'postgres://h/b?user=a&password=pw',
      '${env:DB}',
    ]) {
      expect(await shown({ store })).to.deep.equal({ store: SECRET })
    }
  })

  it('hides tokens that stand where they should not', async () => {
    for (const tokens of ['ada-0123456789abcdef', ['ada-0123456789abcdef'], { ada: 'x' }]) {
      expect(JSON.stringify(await shown({ tokens }))).not.to.match(/0123|"x"/)
    }
    expect(await shown('ada-0123456789abcdef')).to.deep.equal(SECRET)
    expect(await shown(undefined)).to.equal(undefined)
  })
})
