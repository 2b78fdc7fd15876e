import { join, sep } from 'node:path'
import { readRegularFile, textOf, utf8Of } from '../regular-file.ts'
import { isFile, isFolder, isPath } from './locate.ts'
import { MANIFEST_FILES, PYTHON_ENTRIES, readManifest } from './manifest.ts'
import { readModules } from './named-modules.ts'
import { hashOf, PACKAGE, type Pins, realPathOf } from './trust.ts'

/**
 * Reads the files that decide which code a folder runs. Each file is read once, so the host checks the same content
 * that it runs. Pins are the hashes at the time of trust: with pins, changed files are refused.
 */
export class Pinning {
  /** The paths that were read, with the hashes of their present content. */
  readonly pins = new Map<string, string>()
  /** The paths that differ from the pins: either changed, or new since the folder was trusted. */
  readonly changed = new Map<string, 'changed' | 'new'>()
  readonly #known: Pins | undefined
  readonly #contents = new Map<string, Uint8Array>()

  constructor(known?: Pins) {
    this.#known = known
  }

  /** Reads a file. Undefined if it differs from its pin. @throws the errors of `readRegularFile` */
  read(path: string): string | undefined {
    const content = this.#content(path)
    return content && textOf(content)
  }

  /** Reads a file that must be text. Undefined if it differs from its pin. @throws the errors of `readUtf8Text` */
  readText(path: string): string | undefined {
    const content = this.#content(path)
    return content && utf8Of(content)
  }

  #content(path: string): Uint8Array | undefined {
    const real = realPathOf(path)
    const content = this.#contents.get(real) ?? readRegularFile(real)
    this.#contents.set(real, content)
    return this.#isSame(real, hashOf(content)) ? content : undefined
  }

  /** Adds a plugin that a config refers to: a package by its folder, any other plugin by its files. */
  addPlugin(reference: string): void {
    if (!isPath(reference)) return
    if (isFolder(reference)) this.addPackage(reference)
    else this.#addModule(reference)
  }

  /** Adds a plugin package: only its path if npm installed it, otherwise its manifest and modules too. */
  addPackage(folder: string): void {
    const real = realPathOf(folder)
    if (!this.#isSame(real, PACKAGE) || real.split(sep).includes('node_modules')) return
    const manifests = MANIFEST_FILES.map((name) => join(real, name)).filter(isFile)
    const isSame = manifests.map((path) => this.read(path) !== undefined).every(Boolean)
    if (!isSame) return
    for (const entry of entriesOf(real)) this.#addModule(entry)
  }

  #addModule(entry: string): void {
    // A file that does not exist or cannot be read cannot be loaded either, so it needs no pin.
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

/** The plugin modules of a package: those in its manifest, or of a Python folder without one. */
function entriesOf(folder: string): readonly string[] {
  const bare = PYTHON_ENTRIES.map((name) => join(folder, name)).filter(isFile)
  try {
    return [...bare, ...(readManifest(folder)?.plugins ?? []).map(({ entry }) => entry)]
  } catch {
    // The manifest is invalid, so no plugin of it could be loaded.
    return bare
  }
}
