import type { Client } from '../server/index.ts'

const PLAIN = '-plain'

interface Models {
  readonly data: readonly { readonly id: string; readonly name?: string }[]
}

/** The models and agents that may be chosen: their titles by their names. @throws {ServerError} */
export async function modelsOf(client: Client): Promise<ReadonlyMap<string, string>> {
  const { data } = await client.json<Models>('v1/models', { lists: ['data'] })
  const shown = data.filter(({ id }) => !id.endsWith(PLAIN))
  return new Map(shown.map(({ id, name }) => [id, name ?? id]))
}
