import type { HostError } from '@braidwork/plugin'
import { withMessage } from '@braidwork/plugin/internal'
import type { Description } from './describe-plugin.ts'

/** A plugin, and the error that forbids a restart of its interpreter at present, if any. */
interface Enabled {
  readonly interpreter: { readonly refusal: HostError | undefined }
  readonly description: Description
  readonly entry: string
}

/** The error of a plugin whose interpreter is not restarted at present. */
export function cannotRun(subject: string, refusal: HostError): HostError {
  return withMessage(refusal, `${subject} cannot run: ${refusal.message}`)
}

/** Makes `defaultEnabled` throw while the interpreter is not restarted, so that the reason is reported. */
export function enablement({ interpreter, description, entry }: Enabled): object {
  const { kind, name, values } = description
  if (kind === 'provider') return {}
  const defaultEnabled = (): unknown => {
    const { refusal } = interpreter
    if (refusal) throw cannotRun(`The ${kind} "${name}" ("${entry}")`, refusal)
    return values['defaultEnabled'] ?? true
  }
  return { defaultEnabled }
}
