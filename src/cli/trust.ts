import { resolve } from 'node:path'
import { HostError } from '../errors.ts'
import { isFolder } from '../load/locate.ts'
import { revokeTrust, trust } from '../load/trust.ts'
import { decidingFiles } from '../load/trusted-folder.ts'
import { EXIT } from './exit.ts'

export interface TrustOptions {
  readonly revoke?: boolean
}

/** `braidwork trust [folder]`: its config and plugins count from here on, as they are now. */
export function trustCommand(given: string | undefined, { revoke = false }: TrustOptions): number {
  const folder = resolve(given ?? '.')
  if (!isFolder(folder)) throw new HostError('CONFIG_INVALID', `There is no folder "${folder}".`)
  if (revoke) return revoked(folder)
  const files = decidingFiles(folder)
  if (files.length === 0) {
    throw new HostError(
      'CONFIG_INVALID',
      `"${folder}" has no braidwork.json, braidwork.jsonc or package.json: there is nothing to trust.`,
    )
  }
  trust(folder, files)
  process.stdout.write(`trusted, as they are now:\n${files.map((file) => `  ${file}\n`).join('')}`)
  return EXIT.ok
}

function revoked(folder: string): number {
  const wasTrusted = revokeTrust(folder)
  process.stdout.write(
    wasTrusted ? `no longer trusted: ${folder}\n` : `was not trusted: ${folder}\n`,
  )
  return EXIT.ok
}
