/** Plugins in Python: written, tested, built, uploaded to an index, and used from there. */
import { cpSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Place } from './place.ts'
import type { PythonIndex } from './python-index.ts'
import type { Runtime } from './runtimes.ts'
import { SAMPLES, type Sample } from './samples.ts'
import { checkUse, passedIn, permit, type Surroundings } from './surroundings.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const PIP = ['-m', 'pip', '--quiet', '--disable-pip-version-check']

/** A Python with pytest and the kit, and the programs that build. */
interface Tools {
  readonly python: string
  /** Absent where it cannot be installed. */
  readonly uv?: string
}

/** Goes through all kinds: each is written once, and used with each runtime. */
export async function checkPython(
  of: Surroundings,
  index: PythonIndex,
  runtimes: readonly Runtime[],
): Promise<void> {
  const tools = await findTools(of)
  const [first] = runtimes
  if (!tools || !first) return
  const isThere = await of.checks.step('kit for plugins in Python: is published', async () => {
    const kit = of.root.at('kit')
    cpSync(join(ROOT, 'python'), kit.folder, { recursive: true })
    await build(kit, tools)
    await upload(kit, tools, index)
    await of.root.run(tools.python, ...PIP, 'install', '--index-url', index.simple, 'braidwork')
  })
  if (!isThere) return
  const author = of.root.at('author-python', first.variables)
  author.write('package.json', { private: true, type: 'module' })
  const begun = await of.checks.step(
    'kit for plugins in Python: braidwork is beside it',
    async () => {
      await author.run(...first.add, 'braidwork')
    },
  )
  if (!begun) return
  for (const sample of SAMPLES) {
    if (!(await publish(of, { author, tools, index, runtime: first }, sample))) continue
    for (const runtime of runtimes) await use(of, index, runtime, sample)
  }
}

async function findTools({ checks, root }: Surroundings): Promise<Tools | undefined> {
  const python = join(root.folder, 'tools', 'bin', 'python')
  const isMade = await checks.step('Python: pytest is installed', async () => {
    await root.run('python3', '-m', 'venv', 'tools')
    await root.run(python, ...PIP, 'install', 'pytest')
  })
  if (!isMade) return undefined
  try {
    await root.run(python, ...PIP, 'install', 'uv')
    return { python, uv: join(root.folder, 'tools', 'bin', 'uv') }
  } catch (error) {
    checks.notRun(
      'uv build, uv publish',
      `pip builds and a copy publishes instead: ${String(error)}`,
    )
    return { python }
  }
}

async function build(place: Place, { python, uv }: Tools): Promise<void> {
  if (uv === undefined) await place.run(python, ...PIP, 'wheel', '--no-deps', '-w', 'dist', '.')
  else await place.run(uv, 'build', '--quiet')
}

async function upload(place: Place, { uv }: Tools, index: PythonIndex): Promise<void> {
  const anybody = ['--username', 'anybody', '--password', 'anybody']
  if (uv === undefined) cpSync(join(place.folder, 'dist'), index.folder, { recursive: true })
  else await place.run(uv, 'publish', '--quiet', '--publish-url', index.uploads, ...anybody)
}

interface Making {
  readonly author: Place
  readonly tools: Tools
  readonly index: PythonIndex
  readonly runtime: Runtime
}

/** Writes a package, tests it, and publishes it on both indexes. @returns whether it is published */
async function publish(of: Surroundings, making: Making, sample: Sample): Promise<boolean> {
  const { author, tools, index, runtime } = making
  const [name, title] = [`${sample.kind}-python`, `${sample.kind} in Python`]
  const isWritten = await of.checks.step(`${title}: is written`, async () => {
    await author.run(...runtime.braidwork, 'new', sample.kind, name, '--language', 'python')
  })
  if (!isWritten) return false
  const made = author.at(name)
  await of.checks.step(`${title}: passes its tests, those in a host too`, async () => {
    await made.run(...runtime.install)
    const { out, err } = await made.run(...runtime.test)
    return passedIn(`${out}\n${err}`)
  })
  await of.checks.step(`${title}: passes pytest with the kit of the index`, async () => {
    const { out } = await made.run(tools.python, '-m', 'pytest', '-q', 'tests')
    return passedIn(out)
  })
  await of.checks.step(`${title}: is published on npm too`, async () => {
    permit(of, made)
    await made.run(...runtime.publish)
  })
  return of.checks.step(`${title}: is built and published`, async () => {
    await build(made, tools)
    await upload(made, tools, index)
    const built = readdirSync(join(made.folder, 'dist'))
    return built.filter((file) => !file.startsWith('.')).join(', ')
  })
}

/** Adds a distribution as a person who has nothing but Braidwork. */
async function use(of: Surroundings, index: PythonIndex, runtime: Runtime, sample: Sample) {
  const name = `${sample.kind}-python`
  const title = `${runtime.title}, ${sample.kind} in Python`
  const path = `user-${name}-${runtime.word}`
  const home = join(of.root.folder, path, 'home')
  const place = of.root.at(path, {
    ...runtime.variables,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    PIP_INDEX_URL: index.simple,
    UV_DEFAULT_INDEX: index.simple,
  })
  const isAdded = await of.checks.step(`${title}: is added from the index`, async () => {
    place.write('package.json', { private: true, type: 'module' })
    await place.run(...runtime.add, 'braidwork')
    const add = ['plugins', 'add', `pypi:braidwork-${name}`, '--yes']
    await place.run(...runtime.braidwork, ...add)
  })
  if (isAdded) await checkUse(of, title, { sample, name, place, runtime, api: of.api })
}
