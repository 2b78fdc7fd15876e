import type { Client } from '../server/index.ts'

/** Who asks, as the server says. A server of another version may not say it. @throws {ServerError} */
export async function callerOf(
  client: Client,
): Promise<{ readonly id: string; readonly role: unknown }> {
  const { id, role } = Object(await client.json('api/caller')) as Record<string, unknown>
  return { id: typeof id === 'string' ? id : '', role }
}
