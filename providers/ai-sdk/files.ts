import { checkFiles, type Profile, providerError } from '@braidwork/model-api/exchange'
import type { Context, FilePart, Message } from '@braidwork/plugin'
import type { UrlPatterns } from './model-types.ts'
import { ANY_TYPE, type Taken, typesInResults } from './packages.ts'
import { NAME } from './settings.ts'

interface Around {
  readonly profile: Profile
  readonly model: string
  readonly taken: Taken
  readonly urls: UrlPatterns
  readonly context: Context
}

/**
 * Checks files against what the package takes, or the kinds that the settings name. The model API must fetch files that
 * have only an address itself, because the provider fetches nothing that a message names.
 * @throws INVALID_REQUEST with the pointer of the file, in the current turn
 */
export function checkedFiles(
  messages: readonly Message[],
  { profile, model, taken, urls, context }: Around,
): readonly Message[] {
  const { modelInfo } = context
  const rules = {
    types: modelInfo.input ? ANY_TYPE : taken.files,
    inResults: typesInResults(taken),
    largest: Number.POSITIVE_INFINITY,
    faultOf: (file: FilePart) => (isUnreachable(file, urls) ? UNREACHABLE : undefined),
  }
  const warn = (message: string): void => context.warn(message)
  return checkFiles(messages, { profile, model, modelInfo, rules, warn })
}

const UNREACHABLE = 'The model API does not fetch this file by its address. Send its content.'

function isUnreachable({ data, url, mediaType }: FilePart, patterns: UrlPatterns): boolean {
  if (data !== undefined || url === undefined || /^data:/i.test(url)) return false
  return !Object.entries(patterns).some(
    ([type, known]) =>
      isOfType(mediaType, type) && known.some((pattern) => url.search(pattern) !== -1),
  )
}

function isOfType(mediaType: string, pattern: string): boolean {
  if (pattern === '*' || pattern === '*/*') return true
  const lower = pattern.toLowerCase()
  return lower.endsWith('/*')
    ? mediaType.toLowerCase().startsWith(lower.slice(0, -1))
    : mediaType.toLowerCase() === lower
}

interface Placed {
  readonly file: FilePart
  readonly pointer: string
}

/** The error for a request that a package refused for a file, if its message tells one of those in the messages. */
export function refusedFile(said: string, messages: readonly Message[]): Error | undefined {
  const placed = messages.flatMap(({ parts }, index) =>
    parts.flatMap((file, at): Placed[] =>
      file.type === 'file' ? [{ file, pointer: `/messages/${index}/parts/${at}` }] : [],
    ),
  )
  const named = placed.find(({ file }) => said.includes(file.mediaType))
  const other = placed.find(({ file }) => !file.mediaType.startsWith('image/'))
  const found = named ?? (/\bfile\b/i.test(said) ? other : undefined)
  if (!found) return undefined
  const { mediaType, name } = found.file
  const label = name === undefined ? mediaType : `${name}, ${mediaType}`
  const remedy = `Set settings.${NAME}.input to the kinds of files that the models take: a text then replaces others in earlier turns.`
  const message = `The file (${label}) is refused. ${said.replace(/\.?$/, '.')} ${remedy}`
  return providerError('INVALID_REQUEST', message, { pointer: found.pointer, retryable: false })
}
