import { openFile } from './folder.ts'
import { namesOf } from './paths.ts'
import { isConfig, isReadable } from './protection.ts'
import { chunksOf, isBinary } from './read-file.ts'
import type { FilesScope } from './settings.ts'
import { type FolderEntry, walk } from './walk.ts'

export interface SearchInput {
  readonly query: string
  readonly path?: string
  readonly case_sensitive?: boolean
}

interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** The maximum number of files that a search opens, and of characters that it shows of a line. */
const MOST_FILES = 10_000
const LONGEST_LINE = 200

/** Finds the lines of text files that contain a text. @throws {Problem} */
export async function searchFiles(
  input: SearchInput,
  state: FilesScope,
  signal: AbortSignal,
): Promise<object> {
  const matches: Match[] = []
  const unreadable: string[] = []
  let files = 0
  const isWhole = await walk({
    root: state.root,
    names: namesOf(input.path ?? ''),
    isDeep: true,
    signal,
    visit: async (entry) => {
      if (entry.type !== 'file') return true
      const names = namesOf(entry.path)
      if (!isReadable(names, state) || (await isConfig(entry.folder, names, state))) {
        unreadable.push(entry.path)
        return true
      }
      if (files++ >= MOST_FILES) return false
      const text = await textOf(entry, state.max_bytes, signal)
      if (text === undefined) unreadable.push(entry.path)
      for (const match of matchesIn(text ?? '', entry.path, input)) {
        matches.push(match)
        if (matches.length > state.max_matches) return false
      }
      return true
    },
    skip: (path) => unreadable.push(path),
  })
  const note = `Only ${Math.min(matches.length, state.max_matches)} matches are shown; search in a subfolder, or for a longer text.`
  return {
    matches: matches.slice(0, state.max_matches),
    ...(unreadable.length > 0 ? { unreadable: unreadable.slice(0, 20) } : {}),
    ...(isWhole ? {} : { note }),
  }
}

/** The beginning of a text file, up to the size limit; `undefined` for a binary file. */
async function textOf(
  { folder, name, path }: FolderEntry,
  most: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const opened = await openFile(folder, name, path).catch(() => undefined)
  if (!opened) return undefined
  try {
    const chunks: Buffer[] = []
    for await (const chunk of chunksOf(opened.file, most, signal)) {
      if (chunks.length === 0 && isBinary(chunk)) return ''
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    await opened.file.close()
  }
}

function* matchesIn(
  text: string,
  path: string,
  { query, case_sensitive: isExact }: SearchInput,
): Generator<Match> {
  const fold = (line: string) => (isExact ? line : line.toLowerCase())
  const wanted = fold(query)
  if (!fold(text).includes(wanted)) return
  for (const [index, line] of text.split('\n').entries()) {
    const at = fold(line).indexOf(wanted)
    if (at === -1) continue
    const from = Math.max(0, at - LONGEST_LINE / 2)
    yield { path, line: index + 1, text: line.slice(from, from + LONGEST_LINE).trim() }
  }
}
