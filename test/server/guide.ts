import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../helpers/source-files.ts'

/** The guide to the server. */
export const GUIDE = readFileSync(join(ROOT, 'docs/server.md'), 'utf8')

interface Block {
  readonly language: string
  readonly code: string
}

/** Its blocks of code. */
export const BLOCKS: readonly Block[] = [...GUIDE.matchAll(/^```(\w+)[^\n]*\n(.*?)\n```$/gms)].map(
  ([, language = '', code = '']) => ({ language, code }),
)
