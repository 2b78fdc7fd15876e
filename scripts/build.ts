/**
 * The build after `tsc`. It compiles schemas to validators and price lists to data, bundles the packages, and copies the
 * Python code and the guides into the packages that contain them.
 */
import { bundleAll } from './build/bundle.ts'
import { copyAll } from './build/copies.ts'
import { buildPage } from './build/page.ts'
import { compilePriceLists } from './build/price-lists.ts'
import { compileConfigValidator, compileSettingsValidators } from './build/validators.ts'

await compileConfigValidator()
await compileSettingsValidators()
await compilePriceLists()
await buildPage()
await bundleAll()
await copyAll()
