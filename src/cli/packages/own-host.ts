import { existsSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hostFolder, packageFolder } from '@braidwork/core/internal'
import { VERSION } from '@braidwork/plugin'

/** The packages of which a process must have one: a second host would know none of the plugins of the first. */
export const HOSTS: readonly string[] = ['braidwork', '@braidwork/core']

/** The folder of an installation that has the stand-ins while npm runs. */
const STAND_INS = 'own-host'

/**
 * Makes empty packages in the place of the host's own ones, so that npm installs no second host for a plugin that names
 * one among its peers.
 * @returns the overrides of npm by which the stand-ins are taken
 */
export async function makeStandIns(
  installation: string,
): Promise<{ readonly [name: string]: string }> {
  const made = HOSTS.map(async (name) => {
    const folder = join(installation, STAND_INS, name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: VERSION }))
    // A relative path would be one from the package that needs it.
    return [name, `file:${folder}`] as const
  })
  return Object.fromEntries(await Promise.all(made))
}

/** Whether the path of npm's lockfile is that of a stand-in. */
export function isStandIn(path: string): boolean {
  return path.startsWith(`${STAND_INS}/`)
}

/** Leads from the stand-ins that npm took to the packages of this host. */
export async function linkOwnHost(installation: string, taken: readonly string[]): Promise<void> {
  for (const path of taken) {
    const link = join(installation, path)
    await rm(link, { force: true })
    const own = ownPackage(HOSTS.find((name) => path.endsWith(`node_modules/${name}`)) ?? '')
    if (own !== undefined) await symlink(own, link, 'junction')
  }
  await rm(join(installation, STAND_INS), { recursive: true, force: true })
}

function ownPackage(name: string): string | undefined {
  const host = hostFolder()
  const folder = host === undefined || name === 'braidwork' ? host : packageFolder(name, host)
  return folder !== undefined && existsSync(folder) ? folder : undefined
}
