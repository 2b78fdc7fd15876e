import { join, sep } from 'node:path'
import { readRegularFile, textOf } from '../regular-file.ts'
import { isFile, isFolder, isPath } from './locate.ts'
import { MANIFEST_FILES, PYTHON_ENTRIES, readManifest } from './manifest.ts'
import { readModules } from './named-modules.ts'
import { hashOf, PACKAGE, type Pins, realPathOf } from './trust.ts'

/**
 * What a folder decides by, as it is read: each file once, and what is read is what is compared. Without pins all
 * is taken as it is; with them only what is the same is followed.
 */
export class Pinning {
  /** What was read, and how it is now. */
  readonly pins = new Map<string, string>()
  /** What is not as it was trusted, and whether it was not there then. */
  readonly changed = new Map<string, 'changed' | 'new'>()
  readonly #known: Pins | undefined
  readonly #contents = new Map<string, Uint8Array>()

  constructor(known?: Pins) {
    this.#known = known
  }

  /** A file's content; nothing where it is not the one that was trusted. @throws as `readRegularFile` does */
  read(path: string): string | undefined {
    const real = realPathOf(path)
    const content = this.#contents.get(real) ?? readRegularFile(real)
    this.#contents.set(real, content)
    return this.#isSame(real, hashOf(content)) ? textOf(content) : undefined
  }

  /** What a name or a path in a config leads to: a package by its folder, and else the files of the plugin. */
  addPlugin(reference: string): void {
    if (!isPath(reference)) return
    if (isFolder(reference)) this.addPackage(reference)
    else this.#addModule(reference)
  }

  /** A package with plugins: what npm installed by its place, any other by its manifest and its modules. */
  addPackage(folder: string): void {
    const real = realPathOf(folder)
    if (!this.#isSame(real, PACKAGE) || real.split(sep).includes('node_modules')) return
    const manifests = MANIFEST_FILES.map((name) => join(real, name)).filter(isFile)
    const isSame = manifests.map((path) => this.read(path) !== undefined).every(Boolean)
    if (!isSame) return
    for (const entry of entriesOf(real)) this.#addModule(entry)
  }

  #addModule(entry: string): void {
    // One that is not there, or cannot be read, cannot be loaded either.
    readModules(entry, (path) => (isFile(path) ? this.read(path) : undefined))
  }

  #isSame(path: string, content: string): boolean {
    this.pins.set(path, content)
    const isSame =
      this.#known === undefined ||
      (Object.hasOwn(this.#known, path) && this.#known[path] === content)
    if (!isSame) this.changed.set(path, this.#known?.[path] === undefined ? 'new' : 'changed')
    return isSame
  }
}

/** Of its manifest, and those of a folder of Python without one. */
function entriesOf(folder: string): readonly string[] {
  const bare = PYTHON_ENTRIES.map((name) => join(folder, name)).filter(isFile)
  try {
    return [...bare, ...(readManifest(folder)?.plugins ?? []).map(({ entry }) => entry)]
  } catch {
    // It has no plugin that could be loaded.
    return bare
  }
}
