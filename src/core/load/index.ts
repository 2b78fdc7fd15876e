export { addedFile, readAdded, writeAdded } from './added-plugins.ts'
export { AGENTS_FOLDER, type AgentText, readAgentTexts } from './agent-texts.ts'
export { checkPlugin } from './check-plugin.ts'
export { findLayers, type Layer, userConfigFile } from './config-layers.ts'
export { type Discovered, discover, type SearchOptions, usedElsewhere } from './discover.ts'
export { type FolderInstructions, folderInstructions } from './folder-instructions.ts'
export { placeOf, positionOf, READING } from './json-places.ts'
export { jsonIn } from './json-text.ts'
export { keepingTrust } from './keep-trust.ts'
export type { LoadOptions } from './load-plugin.ts'
export {
  hostFolder,
  isFolder,
  isPath,
  nearestPackage,
  packageFolder,
  realPathOr,
} from './locate.ts'
export {
  type ManifestPlugin,
  type PackagedPlugin,
  type PackageManifest,
  readManifest,
} from './manifest.ts'
export { type MemberSort, meantBy } from './misspelled.ts'
export { readPackageJson } from './package-json.ts'
export { withSettingPaths } from './package-paths.ts'
export { otherVersions } from './package-version.ts'
export { Pinning } from './pinning.ts'
export { folderNamed, programFolders } from './places.ts'
export {
  type DistributedPlugin,
  type Distribution,
  PYTHON,
  type PythonLoader,
  pythonLoader,
} from './python-loader.ts'
export { SHIPPED_PACKAGES, SHIPPED_PLUGINS } from './shipped-packages.ts'
export { allPinned, allTrusted, type Pins, pin, pinsOf, revokeTrust, trustFile } from './trust.ts'
export { type CheckModule, CONFIG_NAMES, currentPins, folderTrust } from './trusted-folder.ts'
export {
  isUnloaded,
  type Loaded,
  loaderOf,
  originOf,
  readPlugins,
  realPath,
  unloadedPlugin,
} from './unloaded-plugin.ts'
export { neededFile, replaceFile, sharedDataFiles, userDataFile } from './user-folder.ts'
export { versionOf } from './versions.ts'
