import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { describeFeature, describeProvider, type Runner } from '../../src/testing/index.ts'
import { ROOT } from '../helpers/source-files.ts'

type Suite = typeof describeFeature

const FEATURE = 'docs/write-a-feature.md'
const PROVIDER = 'docs/write-a-provider.md'

/** The options with which the guides say that a plugin passes. */
const PLUGINS: readonly [guide: string, file: string, suite: Suite, lacks?: string][] = [
  [FEATURE, 'counter.ts', describeFeature],
  [PROVIDER, 'tiny.ts', describeProvider, "['finishReason', 'usage', 'tools']"],
]

interface Registered {
  readonly tests: [name: string, run: (this: object) => unknown][]
  readonly endings: (() => unknown)[]
}

/** A test that skips itself. */
const SKIPPED = new Error('skipped')
const skip = (): never => {
  throw SKIPPED
}

async function faultOf([name, run]: Registered['tests'][number]): Promise<readonly string[]> {
  try {
    await run.call({ skip })
    return []
  } catch (error) {
    return error === SKIPPED ? [] : [`${name}: ${String(error)}`]
  }
}

/** The faults that a suite finds in a plugin, and the number of its tests. */
async function judged(suite: Suite, plugin: object, options: object) {
  const { tests, endings }: Registered = { tests: [], endings: [] }
  const runner = {
    describe: (_title: string, run: () => void) => run(),
    it: (name: string, run: () => unknown) => tests.push([name, run]),
    after: (run: () => unknown) => endings.push(run),
  } as unknown as Runner
  suite(plugin, { runner, ...options })
  const faults: string[] = []
  for (const test of tests) faults.push(...(await faultOf(test)))
  for (const end of endings) await end()
  return { faults, count: tests.length }
}

/** The file of a guide. */
function fileIn(text: string, file: string): string {
  const [, from = ''] = text.split(`\`\`\`ts ${file}\n`)
  return from.slice(0, from.indexOf('\n```'))
}

describe('a plugin of a guide', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(ROOT, '.cache', 'guide-'))
  })
  after(() => rm(folder, { recursive: true }))

  for (const [guide, file, suite, lacks] of PLUGINS)
    it(`passes the suite: ${file}`, async () => {
      const text = await readFile(join(ROOT, guide), 'utf8')
      await writeFile(join(folder, file), fileIn(text, file))
      if (lacks !== undefined) expect(text).to.include(`\`lacks: ${lacks}\``)
      const options = lacks === undefined ? {} : { lacks: JSON.parse(lacks.replaceAll("'", '"')) }
      const plugin = await import(pathToFileURL(join(folder, file)).href)
      const { faults, count } = await judged(suite, plugin.default, options)
      expect(faults).to.deep.equal([])
      expect(count).to.be.above(70)
    })
})
