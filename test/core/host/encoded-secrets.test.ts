import { expect } from 'chai'
import { createHost } from '../../../src/core/index.ts'
import type { Log, Provider } from '../../../src/plugin/index.ts'

const KEY = 'k+Zm9v/Y "é\\(x)==0123'
const CONFIG_SCHEMA = {
  type: 'object',
  properties: { key: { type: 'string', writeOnly: true } },
} as const

const base64 = (text: string) => Buffer.from(text).toString('base64')
const quoted = (text: string) =>
  encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29')

const SPELLINGS: { readonly [name: string]: (key: string) => string } = {
  'part of an address': encodeURIComponent,
  'value of a query': (key) => new URLSearchParams({ key }).toString(),
  'path that Python quotes': (key) => quoted(key).replaceAll('%2F', '/'),
  'query that Python quotes': (key) => quoted(key).replaceAll('%20', '+'),
  'text of JSON': (key) => JSON.stringify({ key }),
  'text of JSON in ASCII': (key) => JSON.stringify({ key }).replace('é', '\\u00e9'),
  'text of JSON in a text of JSON': (key) => JSON.stringify(JSON.stringify(key)),
  Base64: base64,
  'Base64 for addresses': (key) => Buffer.from(key).toString('base64url'),
  'credentials of basic authentication': (key) => `Basic ${base64(`user:${key}`)}`,
  'end of credentials in Base64': (key) => base64(`me:${key}`),
  'beginning of credentials in Base64': (key) => base64(`${key}:x`),
}

/** Whether a text still has 16 characters in a row of a spelling. */
function remains(said: string, spelled: string): boolean {
  const places = Array.from({ length: spelled.length - 15 }, (_, at) => spelled.slice(at, at + 16))
  return places.some((piece) => said.includes(piece))
}

describe('a secret that a plugin has encoded', () => {
  for (const [name, spell] of Object.entries(SPELLINGS))
    it(`is masked in logs, warnings and errors as ${name}`, async () => {
      const logged: Parameters<Log>[0][] = []
      const provider: Provider = {
        kind: 'provider',
        name: 'p',
        configSchema: CONFIG_SCHEMA,
        async *stream(_native, _state, { settings, log, warn }) {
          const text = spell(String(settings['key']))
          log({ level: 'info', message: text, facts: { text } })
          warn(text)
          yield 'Hello'
          throw new Error(text)
        },
      }
      const host = await createHost({ plugins: [provider], log: (entry) => logged.push(entry) })
      const { error, warnings } = await host.stream({ settings: { p: { key: KEY } } }, 'x').result
      await host.close()
      expect(error?.message).to.include('***')
      expect(warnings?.join()).to.include('***')
      const said = [error?.message, warnings, logged].map((one) => JSON.stringify(one)).join()
      const spelled = JSON.stringify(spell(KEY)).slice(1, -1)
      expect(remains(said, spelled), `${said} has a part of ${spelled}`).to.equal(false)
    })

  it('leaves other texts as they are', async () => {
    const other = `asks http://127.0.0.1/v1?q=${encodeURIComponent('a+b/c')} ${base64('user:other')}`
    const logged: Parameters<Log>[0][] = []
    const provider: Provider = {
      kind: 'provider',
      name: 'p',
      configSchema: CONFIG_SCHEMA,
      async *stream(_native, _state, { log }) {
        log({ level: 'info', message: other })
        yield 'Hello'
      },
    }
    const host = await createHost({ plugins: [provider], log: (entry) => logged.push(entry) })
    await host.stream({ settings: { p: { key: KEY } } }, 'x').result
    await host.close()
    expect(logged.map(({ message }) => message)).to.include(other)
  })
})
