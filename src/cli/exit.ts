import { constants } from 'node:os'
import { causePlace, thrownStack } from '@braidwork/core/internal'
import { type Diagnostic, HostError } from '@braidwork/plugin'
import { messageOf, toMissingPackage } from '@braidwork/plugin/internal'
import { visible } from './characters.ts'
import { adviceBeside } from './shipped-plugins.ts'
import { stylesOf } from './terminal.ts'

/** The exit statuses of the program. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const

/** Added to the number of a signal, as shells do. */
const SIGNALLED = 128

/** Codes of errors that a change to the command line or the config corrects. */
const USAGE = new Set([
  'AGENT_NOT_FOUND',
  'AMBIGUOUS_MODEL_REFERENCE',
  'CONFIG_INVALID',
  'ENV_MISSING',
  'FOLDER_UNUSABLE',
  'INVALID_PLUGIN_CONFIG',
  'INVALID_REMOTE_ENDPOINT_CONFIG',
  'MESSAGES_INVALID',
  'MODEL_NOT_FOUND',
  'OPTION_INVALID',
  'PLUGIN_NAME_TAKEN',
  'PLUGIN_NOT_FOUND',
  'PLUGIN_NOT_LOADED',
  'PLUGIN_UNKNOWN',
  'PROVIDER_MISSING',
  'PROVIDER_NOT_FOUND',
  'PROVIDER_UNKNOWN',
  'REMOTE_AGENT_NOT_DIRECTLY_RUNNABLE',
  'SETTINGS_INVALID',
  'SPEC_INVALID',
  'TOOL_ID_CONFLICT',
  'UNSUPPORTED_REMOTE_BACKEND',
])

/** The cause of an error ABORTED: a signal of the system, by which the exit status is chosen. */
export class StoppedBy extends Error {
  readonly status: number

  constructor(name: NodeJS.Signals) {
    super(`stopped by ${name}`)
    this.status = SIGNALLED + constants.signals[name]
  }
}

const REMEDIES: { readonly [code: string]: string } = {
  PROVIDER_UNAUTHORIZED: "Set the provider's key in its settings, or in its environment variable.",
  RATE_LIMITED: 'Wait a moment, then ask again.',
  OVERLOADED: 'Wait a moment, then ask again.',
  QUOTA_EXCEEDED: "Check the account's plan and billing.",
  TIMEOUT: 'Ask again, or raise the timeouts under "limits" in the config.',
  STREAM_INTERRUPTED: 'Ask again. The part of the answer that arrived is shown above.',
  PROVIDER_UNKNOWN: '"braidwork plugins" lists the available plugins.',
}
/** Codes of warnings about a plugin that may be in a package that is not installed. */
const ABSENT = new Set(['PLUGIN_UNKNOWN', 'SETTINGS_UNUSED'])

/**
 * Prints an error with its code and advice, and with the stack of the plugin that threw it if it is traced.
 * @returns the exit status for the error
 */
export function reportError(thrown: unknown, isTraced = false): number {
  const error = toMissingPackage(thrown, 'The command needs')
  const { red, dim } = stylesOf(process.stderr)
  if (!HostError.is(error)) {
    process.stderr.write(`${red('error')} ${visible(messageOf(error))}\n`)
    return EXIT.failed
  }
  if (error.code === 'ABORTED') {
    return error.cause instanceof StoppedBy ? error.cause.status : EXIT.interrupted
  }
  process.stderr.write(`${red('error')} ${visible(error.code)}: ${visible(error.message)}\n`)
  const place = error.code === 'HOOK_FAILED' ? causePlace(error.cause) : undefined
  const stack = isTraced ? thrownStack(error.cause).trimEnd() : ''
  if (stack !== '') process.stderr.write(`${dim(visible(stack))}\n`)
  if (place) process.stderr.write(`${dim(`at ${visible(place)}`)}\n`)
  const remedy = remedyOf(error)
  // The error of an interpreter that keeps ending has its wait in its own words.
  const isAsked = error.retryAfter !== undefined && error.code !== 'PYTHON_CRASHED'
  const wait = isAsked ? ` The provider asks you to wait ${error.retryAfter} s.` : ''
  if (remedy || wait) process.stderr.write(`${dim(`${remedy ?? ''}${wait}`.trim())}\n`)
  return USAGE.has(error.code) ? EXIT.usage : EXIT.failed
}

function remedyOf({ code, message, provider = '' }: HostError): string | undefined {
  if (code === 'PROVIDER_UNAUTHORIZED' && saysWhereKeyBelongs(message)) return undefined
  const isUnknown = code === 'PROVIDER_UNKNOWN'
  const advice = isUnknown ? adviceBeside(message, provider, ['provider']) : undefined
  return advice ?? REMEDIES[code]
}

/** Whether a message itself names the setting and the variable of a key, as those of the shipped providers do. */
function saysWhereKeyBelongs(message: string): boolean {
  return message.includes('environment variable')
}

/** Prints diagnostics on standard error; notes only if `withNotes` is true. */
export function reportDiagnostics(diagnostics: readonly Diagnostic[], withNotes = false): void {
  const { red, dim } = stylesOf(process.stderr)
  for (const { level, code, message, plugin } of diagnostics) {
    if (level === 'info' && !withNotes) continue
    const head = level === 'error' ? red(level) : dim(level)
    process.stderr.write(`${head} ${visible(code)}: ${visible(message)}\n`)
    const isAbsent = plugin !== undefined && ABSENT.has(code)
    const advice = isAbsent ? adviceBeside(message, plugin) : undefined
    if (advice !== undefined) process.stderr.write(`${dim(advice)}\n`)
  }
}
