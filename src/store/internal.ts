/**
 * The interface for other Braidwork packages, beyond the public one in `index.ts`. It may change in any version.
 */

export {
  assertPlace,
  copyStorage,
  isNewPlace,
  openExisting,
  openIfThere,
  shownPlace,
} from './open-storage.ts'
