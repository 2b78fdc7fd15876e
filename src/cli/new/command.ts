import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hostFolder, type PackagedPlugin } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { findPython } from '@braidwork/python/internal'
import { visible } from '../characters.ts'
import { discoverHere } from '../discover-here.ts'
import { EXIT } from '../exit.ts'
import { assertNpm } from '../npm.ts'
import type { Known, NewForm } from './ask.ts'
import { filesOf, type NewFile } from './files.ts'
import { tagsOfProvider } from './provider-tags.ts'
import { checkWanted, type NewOptions, type Said, type Wanted } from './wanted.ts'
import { assertFree, writeFolder } from './write-folder.ts'

/** The tags that a plugin requires which is for all providers. */
const USUAL_TAGS = ['text']

/**
 * `braidwork new [kind] [name]`: writes the package of a new plugin into a folder of its name. It asks on a terminal for
 * what is not said, and before it writes.
 */
export async function newCommand(
  kind: string | undefined,
  name: string | undefined,
  options: NewOptions,
): Promise<number> {
  const found = discoverHere().plugins
  const known = { ...options, kind, name }
  if (isSaid(known)) {
    const { wanted, folder, files } = await plan(known, found)
    writeFolder(folder, files)
    process.stdout.write(visible(report(wanted, folder, files)))
    return EXIT.ok
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new HostError(
      'OPTION_INVALID',
      'Without a terminal, "braidwork new" needs a kind and a name, as in "braidwork new tool my-tool".',
    )
  }
  using form = await (await import('./ask.ts')).NewForm.open()
  return await ask(form, known, found)
}

async function ask(form: NewForm, known: Known, found: readonly PackagedPlugin[]): Promise<number> {
  const said = await form.complete(known, namesOf(found))
  const { wanted, folder, files } = await plan(said, found)
  if (!(await form.agree(folder, files))) {
    form.end('Nothing was written.')
    return EXIT.ok
  }
  writeFolder(folder, files)
  form.end(`Wrote ${wanted.kind} "${wanted.name}". ${nextOf(wanted)}`)
  return EXIT.ok
}

interface Plan {
  readonly wanted: Wanted
  readonly folder: string
  readonly files: readonly NewFile[]
}

/** Checks all that can be wrong, and makes the files without writing them. */
async function plan(said: Said, found: readonly PackagedPlugin[]): Promise<Plan> {
  const wanted = checkWanted(said, namesOf(found))
  const folder = resolve(wanted.name)
  assertFree(folder)
  await assertNpm()
  if (wanted.language === 'python') await findPython()
  const { provider } = wanted
  const tags = provider === undefined ? USUAL_TAGS : await tagsOfProvider(provider, found)
  const host = hostFolder() ?? '.'
  const facts = { ...wanted, tags, version: versionOf(host) }
  return { wanted, folder, files: filesOf(facts, join(host, 'templates')) }
}

function isSaid(known: Known): known is Said {
  return known.kind !== undefined && known.name !== undefined
}

function namesOf(found: readonly PackagedPlugin[]): readonly string[] {
  return found.map(({ name }) => name)
}

function versionOf(host: string): string {
  const text = readFileSync(join(host, 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

function report(wanted: Wanted, folder: string, files: readonly NewFile[]): string {
  const paths = files.map(({ path }) => `  ${path}\n`).join('')
  return `wrote ${wanted.kind} "${wanted.name}" to ${folder}\n${paths}next: ${nextOf(wanted)}\n`
}

function nextOf({ name }: Wanted): string {
  return `cd ${name} && npm install && npm test`
}
