/**
 * The build after `tsc`. It compiles schemas to validators and price lists to data, bundles the packages, and copies the
 * Python code and the guides into the packages that contain them. It does nothing where nothing has changed since.
 */
import { resolve } from 'node:path'
import { isUpToDate, noteBuilt } from './build/up-to-date.ts'

const ROOT = resolve(import.meta.dirname, '..')

if (!isUpToDate(ROOT)) {
  // The bundlers take longer to load than to find out that they are not needed.
  const { buildAll } = await import('./build/all.ts')
  await buildAll()
  noteBuilt(ROOT)
}
