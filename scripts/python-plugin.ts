import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { HOOKS, type Kind, type Plugin, VALUES } from '../src/plugin/index.ts'
import { findPython, type Python } from '../src/python/venvs/find-python.ts'

const run = promisify(execFile)
const PACKAGE = join(import.meta.dirname, '..', 'python')

/** Prints some members of plugins as lists, or the result of each that is a function. */
const ASK = `
import json, sys
from braidwork.testing import load_plugin

def answer(entry, members, given):
    plugin = load_plugin(entry)
    values = [getattr(plugin, member, []) for member in members]
    return [value(*given) if callable(value) else value for value in values]

print(json.dumps([answer(*question) for question in json.loads(sys.argv[1])], default=list))
`

type Question = readonly [entry: string, members: readonly string[], args: readonly unknown[]]
type Answer = readonly unknown[]

let python: Promise<Python> | undefined
/** The answers to all questions of this process. */
const answers = new Map<string, Promise<Answer>>()
/** The questions of this turn of the event loop, which one interpreter answers. */
let asked: Question[] = []
let answering: Promise<readonly Answer[]> | undefined

/** Reads members of a Python plugin without a host, and without the packages that its requests need. */
function ask(...question: Question): Promise<Answer> {
  const key = JSON.stringify(question)
  const answer = answers.get(key) ?? answerTo(question)
  answers.set(key, answer)
  return answer
}

async function answerTo(question: Question): Promise<Answer> {
  const at = asked.push(question) - 1
  answering ??= nextTurn().then(answerAll)
  return (await answering)[at] ?? []
}

async function answerAll(): Promise<readonly Answer[]> {
  const given = JSON.stringify(asked)
  asked = []
  answering = undefined
  python ??= findPython()
  const { executable } = await python
  const env = { ...process.env, PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await run(executable, ['-c', ASK, given], { env })
  return JSON.parse(stdout) as readonly Answer[]
}

/** The tags and models that a Python plugin of this repository reports. */
export async function pythonPlugin(kind: Kind, name: string, entry: string): Promise<Plugin> {
  const hookOf = (hook: 'getTags' | 'getModels') => {
    return async (...args: unknown[]) => (await ask(entry, [HOOKS[hook].python[0]], args))[0]
  }
  const values = [VALUES.requiredTags, VALUES.forbiddenTags, VALUES.defaultEnabled]
  const members = values.map((value) => value.python)
  const [requiredTags, forbiddenTags, isDefault] = await ask(entry, members, [])
  const hooks = { getTags: hookOf('getTags'), getModels: hookOf('getModels') }
  const own = { requiredTags, forbiddenTags, defaultEnabled: isDefault !== false }
  return { kind, name, ...own, ...hooks } as unknown as Plugin
}
