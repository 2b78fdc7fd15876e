import type { CallerTool } from '@braidwork/core'
import { HostError, type ToolSchema } from '@braidwork/plugin'
import type { EnvironmentHook, HookCall } from '../environment-hooks/index.ts'

/** A tool for the agents of a runtime. */
export type RuntimeTool = CallerTool & Required<Pick<CallerTool, 'execute'>>

/** The tools that a program gave to a runtime, as an environment hook. Catalogs and policies apply to them. AW-55 */
export class RuntimeTools implements EnvironmentHook {
  readonly name = 'tools of the runtime'
  readonly #tools = new Map<string, RuntimeTool>()

  /** @throws {HostError} TOOL_ID_CONFLICT if the name is taken, OPTION_INVALID without `execute` */
  add(tool: RuntimeTool): void {
    const { name, execute } = tool
    if (this.#tools.has(name)) {
      const message = `There are two tools "${name}". Rename or remove one.`
      throw new HostError('TOOL_ID_CONFLICT', message)
    }
    if (typeof execute !== 'function') {
      const message = `The tool "${name}" has no "execute". Give tools that a client runs to "run".`
      throw new HostError('OPTION_INVALID', message)
    }
    this.#tools.set(name, tool)
  }

  schema(): readonly ToolSchema[] {
    return [...this.#tools.values()].map(
      ({ execute: _, replaces: _own, source: _by, ...schema }) => schema,
    )
  }

  async dispatch(name: string, { input, callId, signal }: HookCall): Promise<unknown> {
    const tool = this.#tools.get(name)
    return tool && ((await tool.execute(input, { callId, signal })) ?? null)
  }
}
