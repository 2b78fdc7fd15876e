import { expect } from 'chai'
import { braidwork } from './command.ts'

/** Prints each ES module that the program loads to standard error. */
const HOOK = `export async function load(url, context, next) {
  process._rawDebug('loaded ' + url)
  return next(url, context)
}`
/** Prints the CommonJS modules too, of which the hook sees only those that are imported. */
const REGISTER = `import Module, { register } from 'node:module'
register(${JSON.stringify(dataUrl(HOOK))})
process.on('exit', () => {
  for (const path of Object.keys(Module._cache)) process._rawDebug('loaded ' + path)
})`

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`
}

/** The packages of the modules that the command loads, in order. */
async function packagesLoaded(...args: readonly string[]): Promise<ReadonlySet<string>> {
  const env = { NODE_OPTIONS: `--import ${dataUrl(REGISTER)}` }
  const { err } = await braidwork(args, { env })
  const modules = err.split('\n').filter((line) => line.startsWith('loaded '))
  expect(modules).not.to.deep.equal([])
  return new Set(
    modules.flatMap((line) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1] ?? []),
  )
}

const COMPILERS = ['ajv', 're2js', 'esbuild', 'tsx']
/** The packages of plugins that only their requests and calls need. */
const OF_CALLS = ['@modelcontextprotocol/client', 'zod', 'htmlparser2', 'openai', 'ai']

describe('the start of the command', () => {
  for (const args of [
    ['chat', 'hi'],
    // A call of the calculator, whose arguments are checked.
    ['chat', 'What is 12 * 34?'],
    ['plugins'],
    ['models'],
    ['--help'],
  ]) {
    it(`loads no compiler of schemas for "braidwork ${args.join(' ')}"`, async () => {
      const loaded = await packagesLoaded(...args)
      expect(loaded).to.include('commander')
      expect(COMPILERS.filter((name) => loaded.has(name))).to.deep.equal([])
    })
  }

  for (const args of [['explain'], ['settings'], ['config', 'check']]) {
    it(`loads all plugins for "braidwork ${args.join(' ')}", but nothing that only their calls need`, async () => {
      const loaded = await packagesLoaded(...args)
      expect(loaded).to.include('pythonia')
      expect(OF_CALLS.filter((name) => loaded.has(name))).to.deep.equal([])
    })
  }
})
