import type { Tool, ToolResult } from '@braidwork/plugin'
import { GuardError } from '@braidwork/request-guard'
import { decode, isHtml, isText } from './content-type.ts'
import { Problem } from './problem.ts'
import { type Answer, type Asked, ask } from './request.ts'
import { schemaOf } from './schema.ts'
import { CONFIG_SCHEMA, type FetchState, readSettings } from './settings.ts'
import { visible } from './visible.ts'

async function fetchPage(
  input: Partial<Asked> & { readonly url: string },
  state: FetchState,
  signal: AbortSignal,
): Promise<ToolResult> {
  const timeout = AbortSignal.timeout(state.timeout * 1_000)
  try {
    const method = input.method ?? state.methods[0] ?? 'GET'
    const answer = await ask({ ...input, method }, state, AbortSignal.any([signal, timeout]))
    if (!isText(answer.contentType))
      throw new Problem(
        `"${answer.url}" is ${answer.contentType.slice(0, 100)}, but only text can be shown.`,
      )
    const output = await shown(answer, state)
    return answer.status < 400 ? { output } : { output, isError: true }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof Problem || error instanceof GuardError)
      return { output: error.message, isError: true }
    if (!timeout.aborted) throw error
    return { output: `"${input.url}" took longer than ${state.timeout} s.`, isError: true }
  }
}

async function shown(answer: Answer, { max_chars: most }: FetchState): Promise<object> {
  const { url, status, contentType, isCut } = answer
  const source = decode(answer)
  const { title, text } = isHtml(contentType) ? await pageIn(source) : { title: '', text: source }
  const note = 'Only the beginning of the page is shown.'
  return {
    url,
    status,
    ...(title === '' ? {} : { title: visible(title) }),
    // Cut first: a page of many megabytes is not searched as a whole.
    text: visible(text.slice(0, most)),
    ...(isCut || text.length > most ? { note } : {}),
  }
}

/** The reader of pages is imported when there is one to read: it takes longer than the rest of the plugin. */
async function pageIn(html: string): Promise<{ readonly title: string; readonly text: string }> {
  const { textOfHtml } = await import('./page-text.ts')
  return textOfHtml(html)
}

export default {
  kind: 'tool',
  name: 'fetch',
  // Off by default, since it uses the network.
  defaultEnabled: false,
  requiredTags: ['tools'],
  configSchema: CONFIG_SCHEMA,
  init: (config) => readSettings(config),
  getToolSchemas: (state) => [schemaOf(state)],
  executeTool: ({ input }, state, { signal }) =>
    fetchPage(input as Partial<Asked> & { readonly url: string }, state, signal),
} satisfies Tool<FetchState>
