import { HostError } from './errors.ts'

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** Finds the package's name in `Cannot find package 'pg' imported from …` and `Cannot find module 'pg/lib/x.js'`. */
const NAME = /^Cannot find (?:package|module) '((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/i

/**
 * Converts Node's error about a missing package to PACKAGE_MISSING. Returns any other error unchanged.
 * @param needing the subject and verb of the message, such as `The command needs`
 */
export function toMissingPackage(error: unknown, needing: string): unknown {
  const { code, message }: { readonly code?: unknown; readonly message?: unknown } = Object(error)
  const name = CODES.includes(code) ? NAME.exec(String(message))?.[1] : undefined
  if (name === undefined) return error
  return new HostError('PACKAGE_MISSING', missingPackage(needing, name), { cause: error })
}

/** The message about a package that is not installed. */
export function missingPackage(needing: string, name: string): string {
  return `${needing} the package "${name}", which is not installed. Run "npm install ${name}".`
}
