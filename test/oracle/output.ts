import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')

interface Spawned {
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
}

/** What a command prints. */
export function output(
  command: string,
  args: readonly string[],
  { env, input = '' }: Spawned = {},
): string {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 30, input } as const
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    ...(env && { env }),
  })
  if (error) throw error
  expect(status, stderr).to.equal(0)
  return stdout
}

/** A file of scenarios, or of the lines that they come to. */
export const fixture = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8')
