import { cp, rm } from 'node:fs/promises'

/** The modules that the Python kit and the shim have in common; the kit has the source. */
const SHARED = [
  'conversions.py',
  'docstrings.py',
  'functions.py',
  'levels.py',
  'members.py',
  'pydantic_types.py',
  'refusals.py',
  'schemas.py',
  'settings.py',
  'to_json.py',
  'typed_dicts.py',
]

/** Copies the guides and the Python code into their packages, since npm packs no files from outside a package. */
export async function copyAll(): Promise<void> {
  await copyInto('docs', 'src/cli/docs')
  await copyInto('docs', 'src/testing/docs')
  await copyInto('python', 'src/python/kit')
  await buildShim('src/python/shim', 'src/python/dist/shim')
}

async function copyInto(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await cp(from, to, { recursive: true, filter: (path) => !path.includes('__pycache__') })
}

/** The interpreter imports the shim without the kit, and the kit has to work without the shim: each has its own copy. */
async function buildShim(from: string, to: string): Promise<void> {
  await copyInto(from, to)
  for (const name of SHARED) {
    await cp(`python/braidwork/testing/function_tools/${name}`, `${to}/braidwork_bridge/${name}`)
  }
}
