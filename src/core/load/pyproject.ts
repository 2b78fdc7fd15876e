import { createRequire } from 'node:module'
import { join } from 'node:path'
import { HostError, type JsonObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { hasUrl, WITHOUT_URL } from '../module-url.ts'
import { readRegularText } from '../regular-file.ts'

const LONGEST = 1_000_000

/** Reads a folder's pyproject.toml. Undefined if there is none. @throws {HostError} MANIFEST_INVALID, PACKAGE_MISSING */
export function readPyproject(folder: string): JsonObject | undefined {
  let text: string
  try {
    text = readRegularText(join(folder, 'pyproject.toml'))
  } catch {
    return undefined
  }
  // Most projects use pyproject.toml only for other tools. This check spares them from loading a TOML parser.
  if (!text.includes('braidwork')) return undefined
  if (!hasUrl(import.meta.url)) throw new HostError('PACKAGE_MISSING', WITHOUT_URL)
  if (text.length > LONGEST) throw invalid(folder, 'it is longer than a million characters')
  try {
    const { parse } = createRequire(import.meta.url)('smol-toml') as typeof import('smol-toml')
    return parse(text)
  } catch (error) {
    throw invalid(folder, reasonOf(error))
  }
}

/** The first line of the parser's message, with the line of the file. Below it the parser shows the file's text. */
function reasonOf(error: unknown): string {
  const [reason = ''] = messageOf(error).split('\n')
  const { line } = error as { readonly line?: unknown }
  return typeof line === 'number' ? `${reason}, in line ${line}.` : reason
}

function invalid(folder: string, reason: string): HostError {
  return new HostError(
    'MANIFEST_INVALID',
    `pyproject.toml of "${folder}" is not valid TOML: ${reason}`,
  )
}
