import { HostError } from './errors.ts'

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** Out of `Cannot find package 'pg' imported from …` and `Cannot find module 'pg/lib/x.js'`; no path. */
const NAME = /^Cannot find (?:package|module) '((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/i

/**
 * Node's error about a package that is not installed, as PACKAGE_MISSING; any other error as it is.
 * @param needing the subject and the verb, as `The command needs`
 */
export function toMissingPackage(error: unknown, needing: string): unknown {
  if (!(error instanceof Error && 'code' in error && CODES.includes(error.code))) return error
  const name = NAME.exec(error.message)?.[1]
  if (name === undefined) return error
  return new HostError('PACKAGE_MISSING', missingPackage(needing, name), { cause: error })
}

/** A sentence about a package that is needed and not installed. */
export function missingPackage(needing: string, name: string): string {
  return `${needing} the package "${name}", which is not installed. Run "npm install ${name}".`
}
