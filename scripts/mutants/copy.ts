import { cpSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Copies a repository to a new folder, without files and folders of some names. The times of files stay, by which a
 * build sees that nothing has changed.
 */
export function copyRepository(root: string, copy: string, leftOut: ReadonlySet<string>): void {
  const filter = (path: string) => !leftOut.has(basename(path))
  cpSync(root, copy, { recursive: true, preserveTimestamps: true, filter })
  linkModules(join(root, 'node_modules'), join(copy, 'node_modules'))
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
