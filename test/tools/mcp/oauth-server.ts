import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of one tool behind a login, with its authorization server at the same address. */
export interface OAuthServer {
  readonly url: string
  /** The access tokens with which the server was called. */
  readonly used: readonly string[]
  /** How often tokens were renewed. */
  renewals(): number
  /** Makes every access token of before invalid. */
  expire(): void
  /** Refuses to renew tokens from now on: with an error of OAuth, or with a status alone. */
  refuse(how: object | number): void
  close(): Promise<void>
}

/** Starts the server. Whoever opens its page has agreed. */
export async function oauthServer(): Promise<OAuthServer> {
  const state: State = { valid: 'token-1', used: [], port: 0, renewals: 0 }
  const server = createServer((request, response) => void answer(request, response, state))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.port = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${state.port}/mcp`,
    used: state.used,
    expire: () => {
      state.valid = `${state.valid}+`
    },
    renewals: () => state.renewals,
    refuse: (how) => {
      state.refusal = how
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface State {
  valid: string
  readonly used: string[]
  port: number
  renewals: number
  refusal?: object | number
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State) {
  const base = `http://127.0.0.1:${state.port}`
  const { pathname, searchParams } = new URL(request.url ?? '/', base)
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece as string
  const json: Respond = (value, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  if (pathname.startsWith('/.well-known/oauth-protected-resource'))
    return json({ resource: `${base}/mcp`, authorization_servers: [base] })
  if (pathname.startsWith('/.well-known/oauth-authorization-server')) return json(metadataOf(base))
  if (pathname === '/register')
    return json({ ...(JSON.parse(body) as object), client_id: 'c-1' }, 201)
  if (pathname === '/authorize') {
    const back = new URL(searchParams.get('redirect_uri') ?? base)
    back.searchParams.set('code', 'code-1')
    back.searchParams.set('state', searchParams.get('state') ?? '')
    return response.writeHead(302, { location: back.href }).end()
  }
  if (pathname === '/token') return tokenAnswer(body, json, state)
  if (pathname !== '/mcp') return json({}, 404)
  const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
  if (token !== state.valid) {
    const where = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"`
    return response.writeHead(401, { 'www-authenticate': where }).end()
  }
  state.used.push(token)
  return mcpAnswer(request.method ?? '', body, json, response)
}

type Respond = (value: object, status?: number) => void

function tokenAnswer(body: string, json: Respond, state: State) {
  const given = new URLSearchParams(body)
  if (given.get('grant_type') === 'refresh_token') {
    const isNewest = given.get('refresh_token') === refreshToken(state)
    if (!isNewest) return json({ error: 'invalid_grant' }, 400)
    if (typeof state.refusal === 'number') return json({}, state.refusal)
    if (state.refusal) return json(state.refusal, 400)
    state.renewals++
  }
  const token = { access_token: state.valid, token_type: 'Bearer' }
  return json({ ...token, refresh_token: refreshToken(state) })
}

/** Each renewal takes the newest token, which makes the next one. */
function refreshToken({ renewals }: State): string {
  return `refresh-${renewals}`
}

function metadataOf(base: string): object {
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  }
}

function mcpAnswer(method: string, body: string, json: Respond, response: ServerResponse) {
  if (method !== 'POST') return response.writeHead(405).end()
  const asked = JSON.parse(body) as {
    id?: number
    method: string
    params?: { protocolVersion: string }
  }
  if (asked.id === undefined) return response.writeHead(202).end()
  const results: { readonly [method: string]: object | undefined } = {
    initialize: {
      protocolVersion: asked.params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'locked', version: '1' },
    },
    'tools/list': {
      tools: [{ name: 'open', description: 'Opens', inputSchema: { type: 'object' } }],
    },
    'tools/call': { content: [{ type: 'text', text: 'open' }] },
  }
  const result = results[asked.method]
  const error = { code: -32601, message: 'Method not found' }
  return json({ jsonrpc: '2.0', id: asked.id, ...(result ? { result } : { error }) })
}
