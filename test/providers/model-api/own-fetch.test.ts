import { expect } from 'chai'
import { endpointOf } from '../../../providers/model-api/http/access.ts'
import { PlainHeaders } from '../../../providers/model-api/http/plain-headers.ts'
import type { Profile } from '../../../providers/model-api/profile.ts'

const PROFILE = { name: 'test', baseUrl: 'http://127.0.0.1/v1' } as Profile

/** The requests that an application's own `fetch` gets. */
function gathered() {
  const requests: (RequestInit | undefined)[] = []
  const { fetch } = endpointOf({
    profile: PROFILE,
    settings: {},
    fetch: async (_input, init) => {
      requests.push(init)
      return new Response('{}')
    },
  })
  return { fetch, requests }
}

describe('an application’s own fetch', () => {
  it('gets headers of the global class, not those of the bundled SDK', async () => {
    const { fetch, requests } = gathered()
    const headers = new PlainHeaders({ 'X-Key': 'one' })
    headers.append('x-key', 'two')
    await fetch('http://127.0.0.1/v1', {
      method: 'POST',
      body: 'text',
      headers: headers as unknown as Headers,
    })
    const [init] = requests
    expect(init?.headers).to.be.instanceOf(Headers)
    expect([...new Headers(init?.headers)]).to.deep.equal([['x-key', 'one, two']])
    expect(init).to.include({ method: 'POST', body: 'text' })
  })

  it('gets such headers, although empty, for a request without any', async () => {
    const { fetch, requests } = gathered()
    await fetch('http://127.0.0.1/v1')
    expect(requests[0]?.headers).to.be.instanceOf(Headers)
    expect([...new Headers(requests[0]?.headers)]).to.deep.equal([])
  })
})
