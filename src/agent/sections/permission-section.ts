import type { ToolPolicy } from '@braidwork/plugin'
import { TOOL_POLICIES } from '@braidwork/plugin/internal'

/** The section `permission` of a spec: what may run. It lies over the `tool_policy` of the config. */
export interface PermissionSection {
  /** Of two rules for a tool, the later one counts. */
  readonly rules: readonly { readonly tool: string; readonly decision: ToolPolicy }[]
}

/** The JSON Schema (2020-12) of a {@link PermissionSection}. */
export const PERMISSION_SCHEMA = {
  type: 'object',
  properties: {
    rules: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          tool: { type: 'string', pattern: '.' },
          decision: { enum: [...TOOL_POLICIES] },
        },
        required: ['tool', 'decision'],
        additionalProperties: false,
      },
    },
  },
  required: ['rules'],
  additionalProperties: false,
} as const

/** The rules of a spec's section `permission`, which need not have been checked. */
export function permissionRules(
  sections: { readonly [name: string]: unknown } = {},
): PermissionSection['rules'] {
  const { rules } = Object(sections['permission']) as Partial<PermissionSection>
  return Array.isArray(rules) ? rules : []
}
