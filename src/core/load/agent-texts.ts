import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { messageOf } from '@braidwork/plugin/internal'
import { readUtf8Text } from '../regular-file.ts'
import { isFile } from './locate.ts'

/** The text of a file that declares an agent. */
export interface AgentText {
  readonly path: string
  /** Absent if the file cannot be read. */
  readonly text?: string
  /** Why it cannot be read. */
  readonly reason?: string
}

/** The folder beside a config file whose files declare agents. */
export const AGENTS_FOLDER = 'agents'
const EXTENSIONS = ['.md', '.json']
/** The most files of a folder. */
const MOST_FILES = 1000

/**
 * Reads the files of a folder that declare agents: `<id>.md` and `<id>.json`, sorted by name. A folder that does not
 * exist has none.
 * @param read reads a file; undefined leaves it out
 */
export function readAgentTexts(
  folder: string,
  read: (path: string) => string | undefined = readUtf8Text,
): readonly AgentText[] {
  return pathsIn(folder).flatMap((path): readonly AgentText[] => {
    try {
      const text = read(path)
      return text === undefined ? [] : [{ path, text }]
    } catch (error) {
      return [{ path, reason: messageOf(error) }]
    }
  })
}

function pathsIn(folder: string): readonly string[] {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const files = names.filter((name) => EXTENSIONS.includes(extname(name)))
  const paths = files.sort().map((name) => join(folder, name))
  return paths.filter(isFile).slice(0, MOST_FILES)
}
