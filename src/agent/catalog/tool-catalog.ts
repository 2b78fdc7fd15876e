import type { ToolReason } from '@braidwork/core'
import type { Matcher } from './pattern.ts'
import { matcherOf } from './pattern.ts'

/**
 * The fields of a spec that decide which tools its agent is offered. An allow field that is null or empty allows
 * nothing; only if both are absent, everything is allowed. AW-32
 */
export interface CatalogFields {
  readonly allowed_tools?: readonly string[] | null
  readonly allowed_tool_patterns?: readonly string[] | null
  readonly excluded_tools?: readonly string[] | null
  readonly excluded_tool_patterns?: readonly string[] | null
}

export type CatalogField = keyof CatalogFields

/** The names under which a catalog may list one tool. */
export interface CatalogTool {
  /** The name that the model uses. */
  readonly name: string
  /** `<plugin>.<tool>`, or the caller's own name of the tool. */
  readonly id: string
}

/**
 * Decides which tools an agent is offered: those that an allow field lists, without those that an exclude field lists.
 * AW-30
 */
export class ToolCatalog {
  readonly #allowed: Listed | undefined
  readonly #excluded: Listed

  /** @param fields with valid patterns */
  constructor(fields: CatalogFields) {
    const { allowed_tools: literals, allowed_tool_patterns: patterns } = fields
    const isOpen = literals === undefined && patterns === undefined
    this.#allowed = isOpen ? undefined : new Listed(literals, patterns)
    this.#excluded = new Listed(fields.excluded_tools, fields.excluded_tool_patterns)
  }

  /** Says why a tool is left out. Undefined if the agent is offered it. */
  reasonAgainst(tool: CatalogTool): ToolReason | undefined {
    const excluding = this.#excluded.entryFor(tool)
    if (excluding !== undefined) {
      const text = `the catalog of the agent excludes it: ${excluding}`
      return { text, why: { code: 'TOOL_EXCLUDED', entry: excluding } }
    }
    if (!this.#allowed || this.#allowed.entryFor(tool) !== undefined) return undefined
    return { text: 'the catalog of the agent does not allow it', why: { code: 'TOOL_UNLISTED' } }
  }
}

/** Literal names and patterns. */
class Listed {
  readonly #literals: ReadonlySet<string>
  readonly #patterns: readonly { readonly pattern: string; readonly matches: Matcher }[]

  constructor(literals: readonly string[] | null = [], patterns: readonly string[] | null = []) {
    this.#literals = new Set(literals)
    this.#patterns = (patterns ?? []).map((pattern) => ({ pattern, matches: matcherOf(pattern) }))
  }

  /** The entry that lists a tool, if any. */
  entryFor({ name, id }: CatalogTool): string | undefined {
    const literal = [name, id].find((one) => this.#literals.has(one))
    if (literal !== undefined) return literal
    return this.#patterns.find(({ matches }) => matches(name) || matches(id))?.pattern
  }
}
