import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HOOKS, type Kind, type Plugin, VALUES } from '../src/plugin/index.ts'
import { findPython, type Python } from '../src/python/find-python.ts'

const run = promisify(execFile)
const PACKAGE = join(import.meta.dirname, '..', 'python')

/** Prints some members of a plugin as a list, or the result of each that is a function. */
const ASK = `
import json, sys
from braidwork.testing import load_plugin
entry, members, arguments = sys.argv[1:]
plugin = load_plugin(entry)
values = [getattr(plugin, member, []) for member in json.loads(members)]
given = json.loads(arguments)
print(json.dumps([value(*given) if callable(value) else value for value in values], default=list))
`

let python: Promise<Python> | undefined
const answers = new Map<string, Promise<readonly unknown[]>>()

/**
 * Reads members of a Python plugin without a host, and without the packages that its requests need. The answer to a
 * question is kept, since each starts an interpreter.
 */
function ask(
  entry: string,
  members: readonly string[],
  args: readonly unknown[] = [],
): Promise<readonly unknown[]> {
  const question = JSON.stringify([entry, members, args])
  const answer = answers.get(question) ?? answerOf(entry, members, args)
  answers.set(question, answer)
  return answer
}

async function answerOf(
  entry: string,
  members: readonly string[],
  args: readonly unknown[],
): Promise<readonly unknown[]> {
  python ??= findPython()
  const { executable } = await python
  const env = { ...process.env, PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: '1' }
  const given = [entry, JSON.stringify(members), JSON.stringify(args)]
  const { stdout } = await run(executable, ['-c', ASK, ...given], { env })
  return JSON.parse(stdout) as readonly unknown[]
}

/** The tags and models that a Python plugin of this repository reports. */
export async function pythonPlugin(kind: Kind, name: string, entry: string): Promise<Plugin> {
  const hookOf = (hook: 'getTags' | 'getModels') => {
    return async (...args: unknown[]) => (await ask(entry, [HOOKS[hook].python[0]], args))[0]
  }
  const [requiredTags, forbiddenTags, isDefault] = await ask(entry, [
    VALUES.requiredTags.python,
    VALUES.forbiddenTags.python,
    VALUES.defaultEnabled.python,
  ])
  const values = { requiredTags, forbiddenTags, defaultEnabled: isDefault !== false }
  const hooks = { getTags: hookOf('getTags'), getModels: hookOf('getModels') }
  return { kind, name, ...values, ...hooks } as unknown as Plugin
}
