import { didYouMean } from '@braidwork/core/internal'
import { pointerOf } from '@braidwork/plugin'
import { matcherOf, patternFault } from './pattern.ts'
import type { CatalogField, CatalogFields, CatalogTool } from './tool-catalog.ts'

/** A fault of a spec: its place, and what is wrong. */
export interface CatalogFault {
  readonly pointer: string
  readonly message: string
}

const PATTERNS = ['allowed_tool_patterns', 'excluded_tool_patterns'] as const
const LITERALS = ['allowed_tools', 'excluded_tools'] as const

/** The patterns that are not valid. AW-33 */
export function catalogFaults(fields: CatalogFields): readonly CatalogFault[] {
  return PATTERNS.flatMap((field) =>
    (fields[field] ?? []).flatMap((pattern, index) => {
      const fault = patternFault(pattern)
      if (fault === undefined) return []
      const message = `the pattern ${JSON.stringify(pattern)} is not valid: ${fault}`
      return [{ pointer: pointerOf([field, index]), message }]
    }),
  )
}

export type CatalogWarningCode =
  | 'CATALOG_STAR_IN_LITERAL'
  | 'CATALOG_ENTRY_UNUSED'
  | 'CATALOG_PERMISSION_SYNTAX'

/** An entry of a spec that is allowed, but probably not meant. It never blocks. AW-37 */
export interface CatalogWarning {
  readonly code: CatalogWarningCode
  readonly field: CatalogField
  readonly entry: string
  readonly message: string
}

/** Tools whose names are not known, and why. */
export interface UnknownTools {
  /** The beginning of their names, if that is known. */
  readonly prefix: string
  readonly reason: string
}

/**
 * Warns of entries that do not do what they seem to do.
 * @param tools all registered tools
 * @param unknown tools that the entries may mean
 */
export function catalogWarnings(
  fields: CatalogFields,
  tools: readonly CatalogTool[],
  unknown: readonly UnknownTools[] = [],
): readonly CatalogWarning[] {
  const warnings = [
    ...LITERALS.flatMap((field) =>
      (fields[field] ?? []).flatMap((entry) => ofLiteral(field, entry, tools)),
    ),
    ...PATTERNS.flatMap((field) =>
      (fields[field] ?? []).flatMap((entry) => ofPattern(field, entry, tools)),
    ),
  ]
  return warnings.map((warning) => ({ ...warning, message: withReasons(warning, unknown) }))
}

/** A warning that no tool has a name, with the reasons why the tool may not be there. */
function withReasons(
  { code, entry, message }: CatalogWarning,
  unknown: readonly UnknownTools[],
): string {
  if (code !== 'CATALOG_ENTRY_UNUSED') return message
  const own = unknown.filter(({ prefix }) => prefix !== '' && entry.startsWith(prefix))
  const reasons = own.length > 0 ? own : unknown.filter(({ prefix }) => prefix === '')
  return [message, ...new Set(reasons.map(({ reason }) => reason))].join(' ')
}

/** An entry such as `Bash(npm *)`. */
const PERMISSION = /^[^()]+\(.*\)$/s

function ofLiteral(
  field: CatalogField,
  entry: string,
  tools: readonly CatalogTool[],
): CatalogWarning[] {
  if (PERMISSION.test(entry)) return [permissionSyntax(field, entry)]
  if (entry.includes('*')) {
    const message = `"${entry}" contains "*", which is an ordinary character here. Put it into "${field.replace('tools', 'tool_patterns')}" to use it as a pattern.`
    return [{ code: 'CATALOG_STAR_IN_LITERAL', field, entry, message }]
  }
  const names = tools.flatMap(({ name, id }) => [name, id])
  if (names.includes(entry)) return []
  const message = `No registered tool is named "${entry}".${didYouMean(entry, names)}`
  return [{ code: 'CATALOG_ENTRY_UNUSED', field, entry, message }]
}

function ofPattern(
  field: CatalogField,
  entry: string,
  tools: readonly CatalogTool[],
): CatalogWarning[] {
  if (PERMISSION.test(entry)) return [permissionSyntax(field, entry)]
  const matches = matcherOf(entry)
  if (tools.some(({ name, id }) => matches(name) || matches(id))) return []
  const message = `The pattern "${entry}" matches no registered tool.`
  return [{ code: 'CATALOG_ENTRY_UNUSED', field, entry, message }]
}

function permissionSyntax(field: CatalogField, entry: string): CatalogWarning {
  const message = `"${entry}" looks like a permission. A catalog lists names of tools; "tool_policy" decides what may run.`
  return { code: 'CATALOG_PERMISSION_SYNTAX', field, entry, message }
}
