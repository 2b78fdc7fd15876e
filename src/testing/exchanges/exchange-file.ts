import { readFile, writeFile } from 'node:fs/promises'
import { placeOf, positionOf, validatorOf } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { EXCHANGES_SCHEMA } from './schema.ts'

/** The headers that are kept, with names in lower case. */
export interface Headers {
  readonly [name: string]: string
}

/** One request to a model API, and its response. */
export interface Exchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: Headers
    readonly body?: unknown
  }
  readonly response: {
    readonly status: number
    readonly headers?: Headers
    /** The pieces of the body, as they came. */
    readonly body: readonly string[]
    readonly encoding?: 'utf-8' | 'base64'
    /** Whether the connection ended before the body did. */
    readonly is_cut?: boolean
  }
}

/**
 * Reads a file of recorded exchanges.
 * @throws {HostError} RECORDING_INVALID with the file, and the line and column of the fault
 */
export async function readExchanges(path: string): Promise<readonly Exchange[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw invalid(path, `the recording cannot be read: ${error.message}`)
  })
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { disallowComments: true })
  const [first] = errors
  if (first) {
    const reason = printParseErrorCode(first.error).replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    throw invalid(placeAt(path, text, first.offset), `not JSON: ${reason.toLowerCase()}`)
  }
  const fault = (await validatorOf(EXCHANGES_SCHEMA))(value)
  if (fault) throw invalid(placeOf(path, positionOf(text, fault.pointer)), fault.message)
  return (isObject(value) ? value['exchanges'] : []) as readonly Exchange[]
}

/** Writes exchanges to a file. @throws if the file is there already, unless it may be replaced */
export async function writeExchanges(
  path: string,
  exchanges: readonly Exchange[],
  { replaces = false }: { readonly replaces?: boolean } = {},
): Promise<void> {
  const text = `${JSON.stringify({ version: 1, exchanges }, null, 2)}\n`
  await writeFile(path, text, { flag: replaces ? 'w' : 'wx' })
}

function placeAt(path: string, text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return placeOf(path, { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 })
}

function invalid(place: string, reason: string): HostError {
  return new HostError('RECORDING_INVALID', `${place}: ${reason}`)
}
