import { randomUUID } from 'node:crypto'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { type Login, writeLogin } from './login-file.ts'

type Stored<K extends 'clientInformation' | 'tokens' | 'discoveryState'> = Awaited<
  ReturnType<NonNullable<OAuthClientProvider[K]>>
>

/** How a person is asked to log in. */
export interface Asking {
  readonly redirectUrl: string
  readonly open: (page: URL) => void
}

/** What the SDK needs to log in at a server. Tokens are kept in the login's file. */
export class LoginProvider implements OAuthClientProvider {
  readonly #url: string
  readonly #asking: Asking
  readonly #state = randomUUID()
  #login: Login
  #verifier = ''

  constructor(url: string, login: Login, asking: Asking) {
    this.#url = url
    this.#login = login
    this.#asking = asking
  }

  get redirectUrl(): string {
    return this.#asking.redirectUrl
  }

  get clientMetadata(): OAuthClientProvider['clientMetadata'] {
    return {
      client_name: 'Braidwork',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  state(): string {
    return this.#state
  }

  /** @param about names the authorization server; a client that was registered by hand belongs to the one at hand */
  clientInformation(about?: { readonly issuer?: string | undefined }): Stored<'clientInformation'> {
    const { client } = this.#login
    const issuer = about?.issuer === undefined ? {} : { issuer: about.issuer }
    return (client && { ...issuer, ...client }) as Stored<'clientInformation'>
  }

  saveClientInformation(client: object): void {
    this.#keep({ client })
  }

  tokens(): Stored<'tokens'> {
    return this.#login.tokens as Stored<'tokens'>
  }

  saveTokens(tokens: object): void {
    this.#keep({ tokens })
  }

  redirectToAuthorization(page: URL): void {
    this.#asking.open(page)
  }

  /** Which authorization server the login belongs to: an answer of another one is refused. RFC 9207 */
  saveDiscoveryState(discovery: object): void {
    this.#keep({ discovery })
  }

  discoveryState(): Stored<'discoveryState'> {
    return this.#login.discovery as Stored<'discoveryState'>
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  #keep(facts: Partial<Login>): void {
    this.#login = { ...this.#login, ...facts }
    // A login that a person has not finished replaces none.
    if (this.#login.tokens) writeLogin(this.#url, this.#login)
  }
}
