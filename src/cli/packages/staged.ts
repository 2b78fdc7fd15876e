/** A package that was installed beside its place, with its dependencies. */
export interface Staged {
  readonly name: string
  readonly version: string
  readonly integrity: string
  /** The folder in which it was installed. */
  readonly installation: string
  /** The folder of the package. */
  readonly folder: string
  /** All packages, with this one. */
  readonly packages: readonly InstalledPackage[]
}

export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
  /** The name of a package that needs it. Absent where none says so. */
  readonly neededBy?: string | undefined
  readonly hasInstallScript: boolean
  /** True for one that others can do without. */
  readonly isOptional: boolean
}
