import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf } from './connection/connection.ts'
import { guardedFetch } from './connection/guarded-fetch.ts'
import { neededLoginFile, newLogin } from './logins/login-file.ts'
import { LoginProvider } from './logins/login-provider.ts'
import { Problem } from './problem.ts'

/** A login at a server over HTTP. */
export interface LoginOptions {
  /** The URL of the server. */
  readonly url: string
  /** Whether its host name may lead to a private address. */
  readonly allowPrivate?: boolean
  /** A client that was registered by hand. By default, each login registers one. */
  readonly client?: { readonly client_id: string; readonly client_secret?: string }
  /** Shows the person the page on which to log in. */
  readonly open: (page: URL) => void
  readonly signal: AbortSignal
}

const CALLBACK = '/callback'
const MOST_BYTES = 1024 * 1024
const CONNECT_MS = 20_000

/**
 * Logs in at a server: the person agrees on a page of its authorization server, which leads back to this machine. The
 * tokens are kept in a file that only its owner may read.
 * @throws {Error} if the server needs no login, or if the login fails; ENV_MISSING if the user has no home folder
 */
export async function login(options: LoginOptions): Promise<void> {
  const { url, allowPrivate = false, client: registered, open, signal } = options
  neededLoginFile(url)
  const { StreamableHTTPClientTransport, Client, UnauthorizedError } = await import(
    '@modelcontextprotocol/client'
  )
  const callback = createServer()
  callback.listen(0, '127.0.0.1')
  await once(callback, 'listening')
  const redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}${CALLBACK}`
  const provider = new LoginProvider(url, newLogin(registered), { redirectUrl, open })
  const guarded = guardedFetch({ url, allowPrivate, maxBytes: MOST_BYTES, connectMs: CONNECT_MS })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    authProvider: provider,
    fetch: guarded.fetch,
  })
  const client = new Client({ name: 'braidwork', version: '1' })
  // The page may be opened, and answered, before the request that led to it has failed.
  const answered = answerTo(callback, provider.state(), signal)
  answered.catch(() => undefined)
  try {
    await client.connect(transport, { signal })
    throw new Problem('it asks for no login')
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof UnauthorizedError))
      throw error instanceof Problem ? error : new Problem(messageOf(error))
    await transport.finishAuth(await answered)
  } finally {
    const closed = once(callback, 'close')
    callback.close()
    callback.closeAllConnections()
    await closed
    // The client never connected, and what it did ends with its connections.
    await client.close().catch(() => undefined)
    guarded.close()
  }
}

/** Waits until the authorization server sends the person back. Other requests are refused. */
function answerTo(callback: Server, state: string, signal: AbortSignal): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    callback.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
      const isAnswer = pathname === CALLBACK && searchParams.get('state') === state
      response.statusCode = isAnswer ? 200 : 404
      response.setHeader('content-type', 'text/plain; charset=utf-8')
      response.end(
        isAnswer ? 'You may close this page and go back to the terminal.\n' : 'Not found\n',
      )
      if (isAnswer) resolve(searchParams)
    })
  })
}
