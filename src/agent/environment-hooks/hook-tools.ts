import type { CallerTool, ToolReason } from '@braidwork/core'
import { TEXTS } from '@braidwork/core/internal'
import { HostError, isObject, type ToolSchema } from '@braidwork/plugin'
import type { CatalogTool } from '../catalog/index.ts'
import type { AgentSpec } from '../specs/index.ts'
import type { EnvironmentHook, HookCall } from './environment-hook.ts'
import { type AskedHooks, asked, assertAnswer } from './hook-failure.ts'

/** What the calls of a run have in common. */
export type CallOrigin = Pick<HookCall, 'agent' | 'sender' | 'conversationId'>

/** A tool of a hook, for one agent. */
export interface HookTool {
  readonly hook: EnvironmentHook
  readonly schema: ToolSchema
  readonly isInScope: boolean
}

/**
 * Asks all hooks for their tools.
 * @throws {HostError} HOOK_FAILED; TOOL_ID_CONFLICT if two of them have the same name. CT-06
 */
export async function hookTools(
  { all, seconds }: AskedHooks,
  spec: AgentSpec,
): Promise<readonly HookTool[]> {
  const found = new Map<string, HookTool>()
  for (const hook of all) {
    const list = async (one: EnvironmentHook) => schemasIn(await one.schema?.())
    const schemas = await asked(hook, 'schema', list, seconds)
    const scope = await asked(hook, 'scopedTools', (one) => one.scopedTools?.(spec), seconds)
    const isScope = scope === undefined || TEXTS.has(scope)
    assertAnswer(hook, 'scopedTools', isScope, 'it returned no list of names')
    for (const schema of schemas) {
      const { name } = schema
      const other = found.get(name)
      if (other) throw claimedTwice(name, other.hook, hook)
      found.set(name, { hook, schema, isInScope: scope?.includes(name) ?? true })
    }
  }
  return [...found.values()]
}

/** @throws {TypeError} if a hook answered something else than tools */
function schemasIn(answer: unknown = []): readonly ToolSchema[] {
  if (!Array.isArray(answer)) throw new TypeError('it returned no list of tools')
  const isNamed = (one: unknown) => isObject(one) && typeof one['name'] === 'string'
  if (answer.every(isNamed)) return answer
  throw new TypeError('a tool that it returned has no name')
}

function claimedTwice(tool: string, first: EnvironmentHook, second: EnvironmentHook): HostError {
  const message = `The tool "${tool}" comes from both the environment hook "${first.name}" and the environment hook "${second.name}". Rename or remove one of them.`
  return new HostError('TOOL_ID_CONFLICT', message)
}

/** Says why an agent may not use a tool of a hook. Undefined for other tools. CT-08 */
export function scopeReason(
  tools: readonly HookTool[],
  { id }: CatalogTool,
): ToolReason | undefined {
  const own = tools.find(({ schema }) => schema.name === id)
  if (!own || own.isInScope) return undefined
  const { name: hook } = own.hook
  const text = `it is outside of the scope that the environment hook "${hook}" has for this agent`
  return { text, why: { code: 'TOOL_OUT_OF_SCOPE', hook } }
}

/** The tools as a run takes them: a call goes to the hook of the tool, then to the others in order. CT-05 */
export function callerTools(
  tools: readonly HookTool[],
  hooks: readonly EnvironmentHook[],
  origin: CallOrigin,
): readonly CallerTool[] {
  return tools.map(({ hook: owner, schema }) => ({
    ...schema,
    source: `the environment hook "${owner.name}"`,
    execute: async (input, context) => {
      const call = { ...origin, ...context, input }
      for (const hook of [owner, ...hooks.filter((one) => one !== owner)]) {
        const answer = await hook.dispatch?.(schema.name, call)
        if (answer !== undefined) return answer
      }
      const message = `Tool not registered: ${schema.name}. No environment hook runs it.`
      throw new HostError('TOOL_UNKNOWN', message)
    },
  }))
}
