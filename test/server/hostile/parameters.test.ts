import { expect } from 'chai'
import { sampled } from '../../helpers/cases.ts'
import { ADA, type OnSocket, onSocket } from './on-socket.ts'
import { ROUTES, type Route } from './routes.ts'

/** As they stand in an address. */
const VALUES = [
  '',
  'nope',
  '..%2F..%2Fetc',
  '../../etc',
  '%2e%2e%2fetc%2fpasswd',
  '%',
  '%zz',
  '%E0%A4%A',
  '%00',
  'a%00b',
  '%ff%fe',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '%0d%0aset-cookie:x',
  '-1',
  '0',
  '1.5',
  '1e309',
  'NaN',
  '9007199254740993',
  '99999999999999999999999999',
  'true',
  'null',
  '%5B%5D',
  '%7B%22a%22:1%7D',
  '__proto__',
  'constructor',
  'toString',
  'en-x-y-',
  'en_US.UTF-8',
  'i-klingon%20--',
  "'%20or%201=1--",
  'javascript:alert(1)',
  'x'.repeat(8_000),
]

/** Several of a name, and names that look like arrays and objects. */
function queriesOf(name: string): readonly string[] {
  const values = VALUES.map((value) => `${name}=${value}`)
  return [...values, name, `${name}=a&${name}=b`, `${name}[]=a`, `${name}[a]=b`, `%${name}=%`]
}

describe('parameters of addresses', function () {
  this.timeout(60_000)

  let served: OnSocket
  /** Ids of things that are there. */
  let ids: readonly string[]

  before(async () => {
    served = await onSocket({ limits: { requests_per_minute: 1e9 } })
    const messages = [{ role: 'user', content: 'hi' }]
    const made = await served.ask('/api/conversations', { title: 'mine' })
    const { id } = (await made.json()) as { id: string }
    const run = await served.ask('/v1/chat/completions', { model: 'quick', messages })
    const kept = await served.ask('/v1/responses', { model: 'quick', input: 'hi' })
    const { id: response } = (await kept.json()) as { id: string }
    ids = [id, run.headers.get('x-run-id') ?? '', response, 'quick']
    expect(ids).not.to.include('')
  })
  after(() => served.close())

  /** What is wrong with the answer to a request, if anything is. */
  async function faultOf(method: string, path: string): Promise<string[]> {
    const before = served.lines.length
    const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
    const request = new Request(`${served.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${ADA}`, 'content-type': 'application/json' },
      ...(hasBody ? { body: '{}' } : {}),
    })
    const response = await served.server.fetch(request)
    await response.body?.cancel()
    const told = served.lines.slice(before).filter(({ level }) => level === 'error')
    const asked = `${method} ${path.slice(0, 100)}`
    return [
      ...(response.status >= 500 ? [`${asked}: ${response.status}`] : []),
      ...told.map(({ message }) => `${asked} logs "${message}"`),
    ]
  }

  it('are found in the source', () => {
    expect(ROUTES.length).to.be.at.least(30)
    const names = ROUTES.flatMap(({ parameters }) => parameters)
    expect(names).to.include.members(['agent', 'plugin', 'locale', 'sdk', 'after'])
  })

  it('that name no plugin, or no language, are the fault of the caller', async () => {
    for (const [path, pointer] of [
      ['/api/explain?plugin=nope', '/plugin'],
      ['/api/settings?locale=../../etc', '/locale'],
    ] as const) {
      const response = await served.ask(path)
      expect(response.status).to.equal(400)
      const { error } = (await response.json()) as { error: object }
      expect(error).to.include({ code: 'REQUEST_INVALID', pointer })
    }
  })

  for (const [at, route] of ROUTES.entries()) {
    it(`never make ${route.method} ${route.path} fail`, async () => {
      const faults: string[] = []
      for (const path of sampled(addressesOf(route), 20, at))
        faults.push(...(await faultOf(route.method, path)))
      expect(faults).to.deep.equal([])
    })
  }

  function addressesOf({ method, path, parameters }: Route): readonly string[] {
    const queries = parameters.flatMap(queriesOf)
    if (!path.includes(':')) return [path, ...queries.map((query) => `${path}?${query}`)]
    // What was deleted is not there for the next route.
    const known = method === 'DELETE' ? ['gone'] : ids
    const at = (place: string) => path.replace(/:\w+/, place)
    return [
      ...[...VALUES, ...known].map(at),
      ...known.flatMap((id) => queries.map((query) => `${at(id)}?${query}`)),
    ]
  }
})
