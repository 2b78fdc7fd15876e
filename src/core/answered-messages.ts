import { HostError, isMessage, type Message, toMessages } from '@braidwork/plugin'
import type { ErrorPlace } from '@braidwork/plugin/internal'

interface Fault {
  readonly pointer: string
  readonly reason: string
}

/**
 * Checks the messages that a hook returned. It was given messages that are checked already, so only new ones are.
 * @throws {HostError} HOOK_ANSWER_INVALID, with the place in the answer
 */
export function checkAnswered(
  answer: readonly unknown[],
  given: readonly unknown[],
  hook: ErrorPlace,
): void {
  if (answer === given) return
  if (answer.length === 0)
    throw invalid(hook, { pointer: '', reason: 'there is no message; return at least one' })
  let known: ReadonlySet<unknown> | undefined
  for (const [at, message] of answer.entries()) {
    if (message === given[at]) continue
    known ??= new Set(given)
    if (!known.has(message)) checkOne(message, at, hook)
  }
}

/** Checks that finals are messages, as a host requires. @throws {HostError} HOOK_ANSWER_INVALID */
export function checkFinals(finals: readonly unknown[], provider: string): void {
  const wrong = finals.findIndex((final) => !isMessage(final))
  if (wrong === -1) return
  throw new HostError(
    'HOOK_ANSWER_INVALID',
    `Provider "${provider}" ended with a final that is not a message {role, parts}; check its "fromNative".`,
    { plugin: provider, hook: 'fromNative', phase: 'finals', pointer: `/${wrong}` },
  )
}

function checkOne(message: unknown, at: number, hook: ErrorPlace): void {
  try {
    toMessages([message as Message])
  } catch (error) {
    if (!HostError.is(error)) throw error
    const { pointer: own = '/0' } = error
    const pointer = `/${at}${own.slice('/0'.length)}`
    // The error names a place in a list of this one message.
    const reason = error.message.replace(`The messages are not valid at ${own}: `, '')
    throw invalid(hook, { pointer, reason })
  }
}

function invalid(place: ErrorPlace, { pointer, reason }: Fault): HostError {
  const where = pointer === '' ? '' : ` at ${pathText(pointer)}`
  const what = `returned messages that are not valid${where}: ${reason}`
  const message = `Hook "${place.hook}" of "${place.plugin}" ${what}`
  return new HostError('HOOK_ANSWER_INVALID', message, { ...place, pointer })
}

/** A JSON pointer as code would write it, such as `[0].parts[1].text`. */
export function pathText(pointer: string): string {
  const keys = pointer.split('/').slice(1)
  const plain = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return plain.map(stepText).join('')
}

function stepText(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`
  return /^[\w$]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
