/** Plugins in TypeScript: written, tested, published, and used from the registry. */
import type { Runtime } from './runtimes.ts'
import { type Installed, SAMPLES } from './samples.ts'
import { checkUse, passedIn, permit, type Surroundings } from './surroundings.ts'
import { COMPILER, checkTypes } from './types.ts'

/** Goes through all kinds with one runtime. */
export async function checkTypeScript(of: Surroundings, runtime: Runtime): Promise<void> {
  const author = of.root.at(`author-${runtime.word}`, runtime.variables)
  author.write('package.json', { private: true, type: 'module' })
  const begun = await of.checks.step(`${runtime.title}: braidwork is installed`, async () => {
    await author.run(...runtime.add, 'braidwork')
  })
  if (!begun) return
  for (const sample of SAMPLES) {
    const name = `${sample.kind}-${runtime.word}`
    const title = `${runtime.title}, ${sample.kind} in TypeScript`
    const place = of.root.at(`user-${name}`, runtime.variables)
    const installed = { sample, name, place, runtime, api: of.api }
    if (!(await publish(of, title, installed))) continue
    const added = await of.checks.step(`${title}: is installed into an empty folder`, async () => {
      place.write('package.json', { private: true, type: 'module' })
      await place.run(...runtime.add, 'braidwork', `braidwork-${name}`, ...COMPILER)
    })
    if (!added) continue
    await checkUse(of, title, installed)
    await checkTypes(of, title, installed)
  }
}

/** Writes a package, tests it and publishes it. @returns whether it is published */
async function publish(
  of: Surroundings,
  title: string,
  { sample, name, runtime }: Installed,
): Promise<boolean> {
  const { checks, root } = of
  const author = root.at(`author-${runtime.word}`, runtime.variables)
  const isWritten = await checks.step(`${title}: is written`, async () => {
    await author.run(...runtime.braidwork, 'new', sample.kind, name)
  })
  if (!isWritten) return false
  const made = author.at(name)
  const isFine = await checks.step(`${title}: passes its tests`, async () => {
    await made.run(...runtime.install)
    const { out, err } = await made.run(...runtime.test)
    return passedIn(`${out}\n${err}`)
  })
  if (!isFine) return false
  return checks.step(`${title}: is published`, async () => {
    permit(of, made)
    await made.run(...runtime.publish)
  })
}
