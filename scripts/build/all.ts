import { bundleAll } from './bundle.ts'
import { copyAll } from './copies.ts'
import { compileDeclaredValidators } from './declared-validators.ts'
import { buildPage } from './page.ts'
import { compilePriceLists } from './price-lists.ts'
import { compileConfigValidator, compileSettingsValidators } from './validators.ts'

/** All steps of the build, in the order in which they need each other. */
export async function buildAll(): Promise<void> {
  await compileConfigValidator()
  await compileDeclaredValidators()
  await compileSettingsValidators()
  await compilePriceLists()
  await buildPage()
  await bundleAll()
  await copyAll()
}
