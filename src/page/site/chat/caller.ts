import { Client } from '../server/index.ts'

/** Who asks, as the server says. A server of another version may not say it. @throws {ServerError} */
export async function callerOf(
  client: Client,
): Promise<{ readonly id: string; readonly role: unknown }> {
  const { id, role } = Object(await client.json('api/caller')) as Record<string, unknown>
  return { id: typeof id === 'string' ? id : '', role }
}

/** Who has a token, as the server at an address says. @throws {ServerError} */
export function callerWith(base: URL, token: string, onUnauthorized: () => void) {
  return callerOf(new Client(base, () => token, onUnauthorized))
}
