import { isObject, type JsonObject, type Provider } from '@braidwork/plugin'
import { unreadable, withoutKey } from './errors.ts'
import type { Access } from './http/access.ts'
import { askOf, type Connect, postForJson } from './http/client.ts'
import { keeping } from './http/kept-client.ts'
import { defined, objectsIn } from './json.ts'
import type { Profile } from './profile.ts'

export type EmbedHook = NonNullable<Provider['embed']>

/** Asks an API of OpenAI's kind for embeddings. */
export type Embed = (
  access: Access,
  ...args: Parameters<EmbedHook>
) => Promise<Awaited<ReturnType<EmbedHook>>>

/**
 * Makes the function that posts to `/embeddings`. It asks for vectors in base64, as OpenAI's own SDK does: they are
 * read much faster. Servers that send lists of numbers nevertheless are understood too.
 */
export function createEmbedding(connect: Connect): Embed {
  const kept = keeping(connect)
  return async (access, inputs, { dimensions }, { config, signal }) => {
    const line = { ...access, connect: kept }
    const { model = '' } = config
    const body = { model, input: inputs, encoding_format: 'base64', ...defined({ dimensions }) }
    try {
      const request = { path: '/embeddings', body: body as unknown as JsonObject }
      const answer = await postForJson(line, request, askOf(config, 'call', { ...access, signal }))
      const { usage } = answer
      const tokens = isObject(usage) ? (usage['prompt_tokens'] ?? usage['total_tokens']) : undefined
      return {
        vectors: vectorsIn(answer, inputs.length, access.profile),
        ...(typeof tokens === 'number' ? { tokens } : {}),
      }
    } catch (error) {
      throw withoutKey(error, access.settings.api_key)
    }
  }
}

/** The vectors of an answer in the order of the inputs. @throws PROVIDER_FAILED if the list is not complete */
function vectorsIn(
  { data }: JsonObject,
  count: number,
  profile: Profile,
): readonly ArrayLike<number>[] {
  const vectors: ArrayLike<number>[] = []
  for (const [at, { index = at, embedding }] of objectsIn(data).entries()) {
    const vector = typeof embedding === 'string' ? floatsIn(embedding) : embedding
    if (Array.isArray(vector) || vector instanceof Float32Array) vectors[Number(index)] = vector
  }
  const isWhole = vectors.length === count && Object.keys(vectors).length === count
  if (isWhole) return vectors
  throw unreadable(profile, `sent an answer without one embedding for each of ${count} inputs`)
}

/** Reads numbers of 32 bits, the lowest byte first, from base64. */
function floatsIn(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  const floats = new Float32Array(Math.floor(bytes.length / 4))
  for (let at = 0; at < floats.length; at++) floats[at] = bytes.readFloatLE(at * 4)
  return floats
}
