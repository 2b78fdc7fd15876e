import type { StoredRun } from '@braidwork/agent'
import { faultIn, withoutUnchecked } from '@braidwork/core/internal'
import { isObject, type RunEvent } from '@braidwork/plugin'
import { asSentence, messageOf } from '@braidwork/plugin/internal'
import { McpAnswer, type McpResult, McpToolAnswer } from '../../wire/mcp/index.ts'
import type { McpCall } from './caller.ts'

/** The answer to a call: that of the agent, or that of the tool. */
export class AnswerOf {
  readonly #call: McpCall
  readonly #agent = new McpAnswer()
  readonly #tool = new McpToolAnswer()

  constructor(call: McpCall) {
    this.#call = call
  }

  add(event: RunEvent): void {
    if (this.#call.target.tool) this.#tool.add(event)
    else this.#agent.add(event)
  }

  /** @throws {HostError} the errors of `Catalog.find` */
  async result({ id: runId, conversationId }: StoredRun): Promise<McpResult> {
    const { caller, target } = this.#call
    const facts = { runId, ...(conversationId === undefined ? {} : { conversationId }) }
    const { output_schema: schema } = target.tool ?? {}
    if (target.tool) return fitting(this.#tool.result(facts, schema !== undefined), schema)
    const { config } = await caller.services.catalog.find(caller.identity, target.agent)
    const { type = 'text' } = config.response_format ?? {}
    return this.#agent.result(facts, type !== 'text')
  }
}

/** A client refuses structured content that does not fit the schema of the tool, so such a result is an error. */
async function fitting(
  result: McpResult,
  schema: { readonly [key: string]: unknown } | undefined,
): Promise<McpResult> {
  if (schema?.['type'] !== 'object' || result.isError) return result
  const { structuredContent = blocksFor(schema, result), ...rest } = result
  const fault = structuredContent ? await faultText(structuredContent, schema) : 'it is no object'
  if (structuredContent && fault === '') return { ...rest, structuredContent }
  const text = `The result does not fit the output schema of the tool: ${asSentence(fault)}`
  return { ...rest, content: [...rest.content, { type: 'text', text }], isError: true }
}

/** The schemas of some tools, such as those of MCP servers for files, describe the blocks of a result with media. */
function blocksFor(
  { properties }: { readonly [key: string]: unknown },
  { content }: McpResult,
): McpResult['structuredContent'] {
  const isDescribed = isObject(properties) && Object.hasOwn(properties, 'content')
  return isDescribed && content.some(({ type }) => type !== 'text') ? { content } : undefined
}

/** Returns what is wrong with a value, or an empty text. */
async function faultText(
  value: unknown,
  schema: { readonly [key: string]: unknown },
): Promise<string> {
  try {
    return (await faultIn(await withoutUnchecked(schema), value))?.message ?? ''
  } catch (error) {
    return `the schema is not valid: ${messageOf(error)}`
  }
}
