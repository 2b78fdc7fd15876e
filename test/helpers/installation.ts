import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HOST = fileURLToPath(new URL('../../', import.meta.url))
const COMMAND = join(HOST, 'src', 'cli')

/** Installs the built host into a folder, as npm would. @returns the path of its command */
export async function installInto(folder: string, json: object = {}): Promise<string> {
  const own = join(folder, 'node_modules', 'braidwork')
  await mkdir(own, { recursive: true })
  await cp(join(COMMAND, 'dist'), join(own, 'dist'), { recursive: true })
  await cp(join(COMMAND, 'package.json'), join(own, 'package.json'))
  await symlink(join(HOST, 'node_modules'), join(own, 'node_modules'))
  const manifest = { dependencies: { braidwork: '*' }, ...json }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  return join(own, 'dist', 'command', 'braidwork.js')
}
