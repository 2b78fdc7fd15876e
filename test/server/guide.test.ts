import { expect } from 'chai'
import { readServerConfig, SERVER_SCHEMA } from '../../src/server/options/index.ts'
import { BLOCKS, GUIDE } from './guide.ts'
import { Served } from './routes/served.ts'

/** The section under a heading. */
function section(heading: string): string {
  const [, rest = ''] = GUIDE.split(`\n## ${heading}\n`)
  return rest.split('\n## ')[0] ?? ''
}

describe('the guide to the server', () => {
  it('has `server` sections that the server accepts', async () => {
    const configs = BLOCKS.filter(({ language }) => language === 'json')
    expect(configs).to.have.length.of.at.least(2)
    const variables = { ADA_TOKEN: 'ada-0123456789abcdef' }
    const read = configs.map(({ code }) => {
      const { server } = JSON.parse(code) as { readonly server: object }
      return readServerConfig(server, variables)
    })
    expect((await Promise.all(read))[0]?.models).to.have.property('assistant')
  })

  it('explains every key of that section, and no other', () => {
    const table = section('Configuration')
    const rows = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, keys = '']) => keys)
    const named = rows.flatMap((keys) => [...keys.matchAll(/`(\w+)`/g)].map(([, key = '']) => key))
    expect(named.sort()).to.deep.equal(Object.keys(SERVER_SCHEMA.properties).sort())
  })

  it('names endpoints that exist', async () => {
    const page = new Map([['index.html', { type: 'text/html', body: new Uint8Array() }]])
    const served = await Served.start({ page })
    const rows = [...section('Endpoints').matchAll(/^\| (`[^|]*`) \|/gm)].map(([, of = '']) => of)
    const asked = rows.flatMap((row) => addressesIn(row))
    expect(asked).to.have.length.of.at.least(30)
    expect((await served.ask('/nowhere')).text).to.match(/The server has no route GET /)
    for (const [method, path] of asked) {
      const { text } = await served.ask(path, { method, ...(method === 'GET' ? {} : { body: {} }) })
      expect(text, `${method} ${path}`).to.not.match(/The server has no route /)
    }
    await served.close()
  })
})

/** Methods and paths of a row: `GET`, `POST /a/{id}` are two of one path. */
function addressesIn(row: string): readonly (readonly [method: string, path: string])[] {
  const pieces = [...row.matchAll(/`([^`]+)`/g)].map(([, piece = '']) => piece)
  let path = ''
  return pieces.reverse().map((piece) => {
    const [method = '', own] = piece.split(' ')
    path = own === undefined ? path : own.replaceAll(/\{\w+\}/g, 'x')
    return [method, path] as const
  })
}
