import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Copies the files, folders and links of a repository to a new folder, but for those of some names. Sockets and pipes,
 * which programs leave in a folder, are left out. The times of files stay, by which a build sees that nothing has
 * changed.
 */
export function copyRepository(root: string, copy: string, leftOut: ReadonlySet<string>): void {
  const filter = (path: string) => !leftOut.has(basename(path)) && isCopied(path)
  cpSync(root, copy, { recursive: true, preserveTimestamps: true, filter })
  linkModules(join(root, 'node_modules'), join(copy, 'node_modules'))
}

/** Whether there is something to copy: `cpSync` throws for a socket or a pipe. */
function isCopied(path: string): boolean {
  const stats = lstatSync(path)
  return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink()
}

/**
 * Links the installed modules. The links of npm's workspaces are relative, so they lead to the packages of the copy;
 * otherwise its packages would import each other from the original repository, without the mutant.
 */
function linkModules(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === '.cache') continue
    const [source, link] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), link)
    else if (entry.name === '@braidwork') linkModules(source, link)
    else symlinkSync(source, link)
  }
}
