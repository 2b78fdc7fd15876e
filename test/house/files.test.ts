import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT, type SourceFile, sourceFiles } from '../helpers/source-files.ts'

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)+$/
const CORE = ['plugin', 'core/hooks', 'core/resolve', 'core/chain']
/** The core is to stay small; where it grows past this, something does not belong there. */
const MOST_CORE_LINES = 5100

/** What npm wants beside the sources of a package. */
const BESIDE = /^src\/[\w-]+\/(README\.md|LICENSE)$/

/** A file that is longer does more than one thing. */
const MOST_LINES = 250
const PLUGINS = ['providers', 'extensions', 'features', 'tools']
const CODE = /\.([cm]?[jt]sx?|py)$/
/** A test may be as long as its list of cases. */
const TEST = /\.test\.ts$|\/test_\w+\.py$/
/** Lists of faults, which tests share. */
const LISTS = ['test/providers/hostile-api.ts', 'test/providers/openai-compatible/mutations.ts']

const SOURCES = sourceFiles('src').filter(({ path }) => !BESIDE.test(path))

/** Lines of code without comments and strings, so that words in them do not count. */
function codeOf({ text }: SourceFile): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
}

describe('files of code', () => {
  it(`have at most ${MOST_LINES} lines`, () => {
    const long = sourceFiles('src', ...PLUGINS, 'python', 'scripts', 'bench', 'test', 'examples')
      .map(({ path }) => path)
      .filter((path) => CODE.test(path) && !TEST.test(path) && !LISTS.includes(path))
      .map((path) => ({
        path,
        lines: readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1,
      }))
      .filter(({ lines }) => lines > MOST_LINES)
    expect(long).to.deep.equal([])
  })
})

describe('files of src', () => {
  it('have kebab-case names', () => {
    const names = SOURCES.filter(({ path }) => !path.endsWith('.py')).map(({ path }) => path)
    expect(names.filter((path) => !KEBAB.test(path.split('/').at(-1) ?? ''))).to.deep.equal([])
  })

  it('have no drawer for leftovers', () => {
    const drawers = SOURCES.filter(({ path }) =>
      /(^|[/-])(utils?|helpers?|managers?|common|misc)[./-]/.test(path),
    )
    expect(drawers.map(({ path }) => path)).to.deep.equal([])
  })

  it('print nothing outside of cli', () => {
    const loud = SOURCES.filter(({ path }) => !path.startsWith('src/cli/')).filter((file) =>
      /\bconsole\.|\bprocess\.std(out|err)\b/.test(codeOf(file)),
    )
    expect(loud.map(({ path }) => path)).to.deep.equal([])
  })

  it('CT-03 take clock, timers and ids only from the environment in agent', () => {
    const OWN =
      /\bDate\.now\b|\bDate\(\)|\bperformance\b|\bset(Timeout|Interval|Immediate)\b|\bMath\.random\b|\brandom(UUID|Bytes|Int)\b|\bgetRandomValues\b/
    const FROM = /from '(node:)?(timers|timers\/promises|perf_hooks)'/
    const others = SOURCES.filter(
      ({ path }) => path.startsWith('src/agent/') && path !== 'src/agent/environment.ts',
    )
    expect(others.length).to.be.above(50)
    const own = others.filter((file) => OWN.test(codeOf(file)) || FROM.test(file.text))
    expect(own.map(({ path }) => path)).to.deep.equal([])
  })

  it('swallow no error without a word', () => {
    const silent = SOURCES.filter(({ text }) => /catch(\s*\([^)]*\))?\s*\{\s*\}/.test(text))
    expect(silent.map(({ path }) => path)).to.deep.equal([])
  })

  const rooms = CORE.map((room) => {
    const texts = SOURCES.filter(({ path }) => path.startsWith(`src/${room}/`))
    return { room, lines: texts.flatMap(({ text }) => text.match(/^.*\S.*$/gm) ?? []).length }
  })
  const shown = rooms.map(({ room, lines }) => `${room} ${lines}`).join(', ')

  it(`of the core come to at most ${MOST_CORE_LINES} lines: ${shown}`, () => {
    const total = rooms.reduce((sum, { lines }) => sum + lines, 0)
    expect(total).to.be.at.most(MOST_CORE_LINES)
  })
})
