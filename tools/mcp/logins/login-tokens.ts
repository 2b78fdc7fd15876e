import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import { messageOf } from '../connection/connection.ts'
import { LoginProblem } from '../problem.ts'
import { type Login, readLogin, writeLogin } from './login-file.ts'

/** The facts of a login that the SDK wrote. */
interface Stored {
  readonly tokens?: {
    readonly access_token?: string
    readonly refresh_token?: string
    readonly issuer?: string
  }
  readonly client?: Parameters<Sdk['refreshAuthorization']>[1]['clientInformation']
  readonly discovery?: Awaited<ReturnType<Sdk['discoverOAuthServerInfo']>>
}

type Sdk = typeof import('@modelcontextprotocol/client')

/** Errors of OAuth after which only a person helps, who logs in again. RFC 6749, 5.2 */
const OVER: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
])

/**
 * Authorizes requests to a server with the tokens of a login, and renews them. Nobody is asked to log in. The SDK's own
 * provider would print to the console where a login has expired.
 */
export class LoginTokens implements AuthProvider {
  readonly #url: string
  readonly #server: string
  readonly #login: Login
  #sent: string | undefined
  #renewing: Promise<void> | undefined

  /** @param server the name of the server in the config, for errors */
  constructor(url: string, login: Login, server: string) {
    this.#url = url
    this.#login = login
    this.#server = server
  }

  /** The access token of the login's file: another process may have renewed it. */
  token(): Promise<string | undefined> {
    this.#sent = this.#stored.tokens?.access_token
    return Promise.resolve(this.#sent)
  }

  /** Renews the tokens, once for all requests that were refused meanwhile. @throws {LoginProblem} */
  onUnauthorized({ fetchFn }: { readonly fetchFn: FetchLike }): Promise<void> {
    this.#renewing ??= this.#renew(fetchFn).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  get #stored(): Stored {
    return (readLogin(this.#url) ?? this.#login) as Stored
  }

  get #hasNewer(): boolean {
    return this.#stored.tokens?.access_token !== this.#sent
  }

  async #renew(fetchFn: FetchLike): Promise<void> {
    if (this.#hasNewer) return
    try {
      await this.#refresh(fetchFn)
    } catch (error) {
      // Another process may have used up the refresh token.
      if (!this.#hasNewer) throw this.#problem(error)
    }
  }

  async #refresh(fetchFn: FetchLike): Promise<void> {
    const { discoverOAuthServerInfo, refreshAuthorization } = await sdk()
    const { client, tokens, discovery } = this.#stored
    const refreshToken = tokens?.refresh_token
    if (client === undefined || refreshToken === undefined) throw this.#expired()
    const found = discovery ?? (await discoverOAuthServerInfo(this.#url, { fetchFn }))
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = found
    const issuer = metadata?.issuer ?? authorizationServerUrl
    // Tokens of one authorization server are shown to no other one. RFC 9207
    if (tokens?.issuer !== undefined && tokens.issuer !== issuer) throw this.#expired()
    const renewed = await refreshAuthorization(authorizationServerUrl, {
      ...(metadata ? { metadata } : {}),
      ...(found.resourceMetadata ? { resource: found.resourceMetadata.resource } : {}),
      clientInformation: client,
      refreshToken,
      fetchFn,
    })
    writeLogin(this.#url, { ...(this.#stored as Login), tokens: { ...renewed, issuer } })
  }

  #problem(error: unknown): LoginProblem {
    if (error instanceof LoginProblem) return error
    const { code }: { readonly code?: unknown } = Object(error)
    if (typeof code === 'string' && OVER.has(code)) return this.#expired(error)
    const text = messageOf(error)
    // Of an answer that is no error of OAuth, the SDK quotes all that is wrong with it.
    const [reason] = /^HTTP \d{3}(?=: Invalid OAuth)/.exec(text) ?? [text]
    return new LoginProblem(`its login could not be renewed: ${reason}`, { cause: error })
  }

  #expired(cause?: unknown): LoginProblem {
    const message = `its login has expired; run "braidwork mcp login ${this.#server}" again`
    return new LoginProblem(message, { cause })
  }
}

function sdk(): Promise<Sdk> {
  return import('@modelcontextprotocol/client')
}
