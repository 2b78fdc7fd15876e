import { type ContextOf, messageOf } from '@braidwork/plugin/internal'
import type { OfferedTool } from '../../tool-schemas/index.ts'
import { thrownClass, thrownStack, throwPlace } from './throw-place.ts'

/**
 * Writes the error of a plugin's tool to the log, as a warning: the request goes on, and only the model is told of it.
 * Its message and its stack may quote a request; the other facts do not.
 */
export function logFailure(
  { plugin, ownName }: OfferedTool,
  error: unknown,
  contextOf: ContextOf,
): void {
  if (!plugin) return
  const place = throwPlace(error)
  const where = place === undefined ? '' : ` at ${place}`
  const message = `Tool "${ownName}" of "${plugin.name}" threw${where}: ${messageOf(error)}`
  contextOf(plugin.name, 'tools').log({
    level: 'warn',
    message,
    tool: ownName,
    error: thrownClass(error),
    // Without a place in the plugin, the stack is one of the host.
    ...(place === undefined ? {} : { place, stack: thrownStack(error) }),
  })
}
