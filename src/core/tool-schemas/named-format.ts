import { HostError } from '@braidwork/plugin'
import { didYouMean } from '../suggest.ts'
import { TOOL_SCHEMA_FORMATS, type ToolSchemaFormat } from './lowering.ts'

/** Why a value is no format of tool schemas: the predicate of a sentence. Undefined for a format. */
export function formatFault(value: unknown): string | undefined {
  if (TOOL_SCHEMA_FORMATS.some((format) => format === value)) return undefined
  const isText = typeof value === 'string'
  const given = isText ? JSON.stringify(value) : `of type ${typeof value}`
  const hint = isText ? didYouMean(value, TOOL_SCHEMA_FORMATS) : ''
  return `is ${given}, and none of ${TOOL_SCHEMA_FORMATS.join(', ')}${hint && `.${hint}`}`
}

/**
 * The format that a provider's function answers, if it names one.
 * @throws {HostError} HOOK_ANSWER_INVALID
 */
export function answeredFormat(answer: unknown, plugin: string): ToolSchemaFormat | undefined {
  if (answer === undefined || answer === null) return undefined
  const fault = formatFault(answer)
  if (fault === undefined) return answer as ToolSchemaFormat
  const hook = 'toolSchemaFormat'
  const message = `"${hook}" of provider "${plugin}" ${fault}`
  throw new HostError('HOOK_ANSWER_INVALID', message, { plugin, hook, phase: 'prepare' })
}
