import type { Tool, ToolResult, ToolSchema } from '@braidwork/plugin'
import { type Current, Documents } from './documents.ts'
import { excerptOf } from './excerpt.ts'
import { Problem } from './problem.ts'
import { CONFIG_SCHEMA, NO_ROOT, readSettings, type SearchState } from './settings.ts'
import { wordsOf } from './words.ts'

const SEARCH_DOCS: ToolSchema = {
  name: 'search_docs',
  description: 'Finds the passages of the documents that match some words best.',
  input_schema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Words to search for',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  safety: { is_read_only: true, is_concurrency_safe: true, is_destructive: false },
}

const MOST_FOLDERS = 8
const MOST_NAMES = 20
/** Documents by settings. The most recently used entry is last. */
const kept = new Map<string, Documents>()

function documentsOf(state: SearchState): Documents {
  const key = JSON.stringify(state)
  const documents = kept.get(key) ?? new Documents(state)
  kept.delete(key)
  kept.set(key, documents)
  for (const oldest of kept.keys()) if (kept.size > MOST_FOLDERS) kept.delete(oldest)
  return documents
}

async function search(query: string, state: SearchState, signal: AbortSignal): Promise<ToolResult> {
  try {
    if (wordsOf(query).length === 0) throw new Problem('The query contains no words.')
    const { ranking, ...left } = await documentsOf(state).current(signal)
    const results = ranking.search(query, state.max_results).map(({ passage, score }) => {
      const { path, heading, from_line, to_line, text } = passage
      const excerpt = excerptOf(text, query)
      return { path, heading, from_line, to_line, excerpt, score: Math.round(score * 100) / 100 }
    })
    const names = namesOf(left)
    return { output: { results, ...(names.length > 0 ? { not_searched: names } : {}) } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { output: error.message, isError: true }
  }
}

/** What was not searched: the first documents by name, the number of the others, and the limits. */
function namesOf({ skipped, limits }: Pick<Current, 'skipped' | 'limits'>): readonly string[] {
  const others = skipped.length - MOST_NAMES
  const more = others > 0 ? [`more documents: ${others}`] : []
  return [...skipped.slice(0, MOST_NAMES), ...more, ...limits]
}

export default {
  kind: 'tool',
  name: 'search-docs',
  // Off by default, since it accesses files.
  defaultEnabled: false,
  requiredTags: ['tools'],
  configSchema: CONFIG_SCHEMA,
  init: (config) => readSettings(config),
  getToolSchemas: ({ root }) => (root === NO_ROOT ? [] : [SEARCH_DOCS]),
  executeTool: ({ input }, state, { signal }) =>
    search((input as { readonly query: string }).query, state, signal),
  close: () => kept.clear(),
} satisfies Tool<SearchState>
