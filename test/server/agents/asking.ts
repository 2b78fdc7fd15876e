import type { BraidworkServer } from '../../../src/server/index.ts'

/** Sends requests to a server. One with a body is a POST. */
export function askerOf(server: Pick<BraidworkServer, 'fetch'>) {
  return async (path: string, body?: object, method = body ? 'POST' : 'GET') => {
    const headers = { 'content-type': 'application/json' }
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method }
    const response = await server.fetch(new Request(`http://localhost${path}`, init))
    const runId = response.headers.get('x-run-id') ?? ''
    return { status: response.status, text: await response.text(), runId }
  }
}
