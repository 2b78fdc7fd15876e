import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HOOKS, type Kind, type Plugin, VALUES } from '../src/plugin/index.ts'
import { findPython } from '../src/python/find-python.ts'

const run = promisify(execFile)
const PACKAGE = join(import.meta.dirname, '..', 'python')

/** Prints a member of a plugin, or its result if the member is a function. */
const ASK = `
import json, sys
from braidwork.testing import load_plugin
entry, member, arguments = sys.argv[1:]
value = getattr(load_plugin(entry), member, [])
print(json.dumps(value(*json.loads(arguments)) if callable(value) else value, default=list))
`

/** Reads a member of a Python plugin without a host, and without the packages that its requests need. */
async function ask(entry: string, member: string, args: readonly unknown[] = []): Promise<unknown> {
  const { executable } = await findPython()
  const env = { ...process.env, PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await run(executable, ['-c', ASK, entry, member, JSON.stringify(args)], {
    env,
  })
  return JSON.parse(stdout)
}

/** The tags and models that a Python plugin of this repository reports. */
export async function pythonPlugin(kind: Kind, name: string, entry: string): Promise<Plugin> {
  const hookOf = (hook: 'getTags' | 'getModels') => {
    return (...args: unknown[]) => ask(entry, HOOKS[hook].python[0], args)
  }
  const [requiredTags, forbiddenTags, isDefault] = await Promise.all([
    ask(entry, VALUES.requiredTags.python),
    ask(entry, VALUES.forbiddenTags.python),
    ask(entry, VALUES.defaultEnabled.python),
  ])
  const values = { requiredTags, forbiddenTags, defaultEnabled: isDefault !== false }
  const hooks = { getTags: hookOf('getTags'), getModels: hookOf('getModels') }
  return { kind, name, ...values, ...hooks } as unknown as Plugin
}
