import { ownTurn } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../bodies/index.ts'
import type { RouteVariables, Services } from '../context.ts'
import { ignoredHeaders } from '../headers.ts'
import { decodeEmbeddings, embeddingsPieces } from '../wire/embeddings/index.ts'

/** The route of OpenAI's Embeddings API. It starts no run, and stores nothing but what it cost. */
export function embeddingsRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  { catalog, runs, limits }: Services,
): void {
  app.post('/v1/embeddings', async (c) => {
    const identity = c.get('identity')
    const request = decodeEmbeddings(await readJson(c.req.raw, limits))
    const { agent, inputs, dimensions, isBase64 } = request
    const model = await catalog.find(identity, agent, '/model')
    const { signal, headers: sent } = c.req.raw
    const options = { signal, ...(dimensions === undefined ? {} : { dimensions }) }
    const embedded = await runs
      .embed(identity, { model, headers: sent, inputs, options })
      .catch((error: unknown) => {
        throw publicFault(error, agent)
      })
    const pieces = embeddingsPieces({ ...embedded, model: agent, isBase64 })
    const headers = { 'content-type': 'application/json', ...ignoredHeaders(request) }
    return new Response(streamOf(pieces, signal), { headers })
  })
}

/** A caller may know that a model makes no embeddings, but not which provider it has. */
function publicFault(error: unknown, agent: string): unknown {
  if (!HostError.is(error) || error.code !== 'EMBEDDINGS_MISSING') return error
  const text = `The model "${agent}" makes no embeddings. Name a model that does.`
  return new HostError('REQUEST_INVALID', text, { pointer: '/model', cause: error })
}

function streamOf(pieces: Iterator<string>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      await ownTurn()
      const { done, value } = pieces.next()
      if (done || signal.aborted) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}
