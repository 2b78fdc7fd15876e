import type { Harness } from '../harness/index.ts'
import { type Check, fault, same, unjudged } from './check.ts'

const INPUTS = ['braided tea', 'hot', 'braided tea']

/** The vectors of some texts. Nothing is known of a provider whose API is a recording of chats. */
async function vectorsOf({ trial, api }: Harness): Promise<readonly (readonly number[])[]> {
  if (typeof trial.plugin['embed'] !== 'function') return unjudged('it makes no embeddings')
  if (api) return unjudged('the API is a recording of chats')
  const embedded = await trial.host
    .embed(trial.config, INPUTS)
    .catch((error: Error) => fault(`The inputs cannot be embedded: ${error.message}`))
  return embedded.vectors.map((vector) => Array.from(vector))
}

function embeds(name: string, judge: (vectors: readonly (readonly number[])[]) => void): Check {
  return { name, about: 'hooks.md#embed', run: async (harness) => judge(await vectorsOf(harness)) }
}

export const EMBEDDING: readonly Check[] = [
  embeds('embeds inputs as vectors of one length', (vectors) =>
    same(new Set(vectors.map(({ length }) => length)).size, 1, 'Vectors have several lengths.'),
  ),
  embeds('embeds an input the same each time', ([first, , third]) =>
    same(third, first, 'One text has two vectors.'),
  ),
]
