import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

const LIBRARY = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** Writes the licenses of all libraries in a bundle beside it, as most licenses demand. */
export async function writeLicenses({ outputs }: Metafile, outdir: string): Promise<void> {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  const names = new Set(inputs.flatMap((input) => LIBRARY.exec(input)?.[1] ?? []))
  if (names.size === 0) return
  const texts = await Promise.all([...names].toSorted().map(licenseOf))
  await writeFile(join(outdir, 'THIRD_PARTY_LICENSES.txt'), texts.join('\n\n'))
}

/** The license of a library without a license file, as its package.json names it. */
async function namedLicenseOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8')
  const { license, author } = JSON.parse(text) as { license?: string; author?: unknown }
  if (!license) throw new Error(`The library in ${folder} is bundled and has no license.`)
  return `${license}${author ? `, ${JSON.stringify(author)}` : ''}`
}

/** The name of a library with the text of its license, or what its package.json says of it. */
export async function licenseOf(name: string): Promise<string> {
  const folder = join('node_modules', name)
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one))
  if (!file) return `${name}\n\n${await namedLicenseOf(folder)}\n`
  return `${name}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`
}
