import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Asked, Served } from '../served.ts'

/** The revisions of the protocol before 2026-07-28, which have sessions, and those since. */
export const ERAS = ['legacy', 'auto'] as const
export type Era = (typeof ERAS)[number]

export interface ConnectOptions {
  readonly era: Era
  /** Who asks; an admin by default. */
  readonly as?: Asked['as']
  /** Answers a form. Without it, the client shows none. */
  readonly answer?: (form: Form) => object
  /** Sees each response. */
  readonly see?: (response: Response) => Response
}

/** A form that the server wants a person to fill in. */
export interface Form {
  readonly message: string
  readonly requestedSchema: object
}

/** Connects a client of the protocol's SDK to a server without a socket. */
export async function connectMcp(
  served: Served,
  options: ConnectOptions,
): Promise<Client & AsyncDisposable> {
  const { era, as, answer, see = (response: Response) => response } = options
  const client = new Client(
    { name: 'tests', version: '1' },
    {
      capabilities: answer ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era },
    },
  )
  if (answer) {
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => answer(params as unknown as Form) as never,
    )
  }
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: async (url, { method, body, headers, signal } = {}) => {
      const asked: Asked = {
        ...(method === undefined ? {} : { method }),
        ...(body === undefined || body === null ? {} : { body }),
        headers: Object.fromEntries(new Headers(headers)),
        ...(as === undefined ? {} : { as }),
        ...(signal ? { signal } : {}),
      }
      return see(await served.fetch(new URL(url).pathname, asked))
    },
  })
  await client.connect(transport)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

/** The text of a result. */
export function textOf({ content }: { readonly content: readonly object[] }): string {
  return content.map((part) => ('text' in part ? String(part.text) : '')).join('')
}
