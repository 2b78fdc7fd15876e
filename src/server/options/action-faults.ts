import type { Host } from '@braidwork/core'
import { didYouMean } from '@braidwork/core/internal'
import { type Diagnostic, HostError, pointerOf } from '@braidwork/plugin'

/** The names on the list `actions` that no extension or feature of the host has. */
export function actionFaults(
  host: Host,
  { actions = [] }: { readonly actions?: readonly string[] | undefined },
): readonly Diagnostic[] {
  const known = host.plugins
    .filter(({ kind }) => kind === 'extension' || kind === 'feature')
    .map(({ name }) => name)
  return actions.flatMap((name, index): readonly Diagnostic[] => {
    if (known.includes(name)) return []
    const message = `"server.actions" names "${name}", but there is no extension or feature of this name.${didYouMean(name, known)}`
    const pointer = pointerOf(['server', 'actions', index])
    return [{ code: 'OPTION_INVALID', level: 'error', pointer, message }]
  })
}

/** @throws {HostError} OPTION_INVALID */
export function assertActions(
  host: Host,
  given: { readonly actions?: readonly string[] | undefined },
): void {
  const [fault] = actionFaults(host, given)
  if (!fault) return
  const pointer = fault.pointer?.replace('/server', '')
  throw new HostError('OPTION_INVALID', fault.message, pointer === undefined ? {} : { pointer })
}
