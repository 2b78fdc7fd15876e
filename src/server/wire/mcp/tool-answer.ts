import { isOutputParts } from '@braidwork/core/internal'
import {
  type Artifact,
  isObject,
  type JsonObject,
  type Part,
  type RunEvent,
  type ToolResultPart,
} from '@braidwork/plugin'
import { defined, outputOf, safeEvidence } from '../index.ts'
import { McpEnding } from './ending.ts'
import {
  aboutRun,
  contentOf,
  errorResult,
  jsonObjectIn,
  type McpContent,
  type McpResult,
  type McpResultFacts,
} from './result.ts'

/** The result of a tool that a client called itself, read from the events of its run. */
export class McpToolAnswer {
  readonly #ending = new McpEnding()
  #result: ToolResultPart | undefined

  add(event: RunEvent): void {
    this.#ending.add(event)
    if (event.type === 'tool-execution-end') this.#result = event.result
  }

  /** @param hasSchema whether the tool has a schema for its output, so that a client expects structured content */
  result(facts: McpResultFacts, hasSchema: boolean): McpResult {
    const about = aboutRun(facts)
    const failure = this.#ending.failure(about)
    if (failure) return failure
    if (!this.#result) return errorResult('The run ended before the call had a result.', about)
    const { isError } = this.#result
    const output = outputOf(this.#result)
    const content = contentsOf(output)
    const structured = isError ? undefined : structuredOf(output, hasSchema ? content : [])
    return {
      content: [...content, ...linksOf(this.#result)],
      ...(structured ? { structuredContent: { ...structured } } : {}),
      ...(isError ? { isError } : {}),
      _meta: { ...about },
    }
  }
}

/** The output, if it is an object. Beside files it is a text. */
function structuredOf(output: unknown, [first]: readonly McpContent[]): JsonObject | undefined {
  if (isObject(output)) return output
  return first?.type === 'text' ? jsonObjectIn(first.text) : undefined
}

function contentsOf(output: unknown): McpContent[] {
  if (isOutputParts(output)) return output.flatMap((part: Part) => contentOf(part) ?? [])
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
  return [{ type: 'text', text }]
}

/** What the call made or changed, as links. */
function linksOf(result: ToolResultPart): McpContent[] {
  const { artifacts = [] } = safeEvidence(result)
  // An address that a page must not follow is missing here.
  return artifacts.flatMap(({ uri, title, mediaType: mimeType }: Partial<Artifact>) =>
    uri === undefined
      ? []
      : [{ type: 'resource_link', uri, name: title ?? uri, ...defined({ mimeType }) } as const],
  )
}
