import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '../helpers/source-files.ts'

/** The first program below a heading of docs/testing.md. */
async function programBelow(heading: string): Promise<string> {
  const text = await readFile(join(ROOT, 'docs', 'testing.md'), 'utf8')
  const [, below = ''] = text.split(`## ${heading}\n`)
  return /^```js\n(.*?)^```$/ms.exec(below)?.[1] ?? ''
}

describe('the suites in test runners', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
  })
  after(() => rm(folder, { recursive: true }))

  /** Runs a program in the folder. @returns what it prints, and its exit code */
  async function run(code: string, ...args: readonly string[]) {
    await writeFile(join(folder, 'plugin.test.mjs'), code)
    const plain = { NO_COLOR: '1', FORCE_COLOR: '0' }
    const env = { ...process.env, ...plain, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined }
    return new Promise<{ readonly out: string; readonly code: unknown }>((resolve) => {
      execFile(process.execPath, [...args, 'plugin.test.mjs'], { cwd: folder, env }, (error, out) =>
        resolve({ out, code: error?.code ?? 0 }),
      )
    })
  }
  const MOCHA = join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js')

  it('pass in mocha as docs/testing.md has them', async () => {
    const { out, code } = await run(await programBelow('With mocha, vitest or jest'), MOCHA)
    expect(code, out).to.equal(0)
    expect(out).to.match(/extension shout\n[\s\S]*✔ streams the text of its messages/)
  })

  it('pass in node:test as docs/testing.md has them', async () => {
    const { out, code } = await run(await programBelow('With node:test'), '--test')
    expect(code, out).to.equal(0)
    expect(out).to.match(/answers its tool calls/)
  })

  it('fail in mocha by the name of the check, and skip what cannot be judged', async () => {
    const program = await programBelow('With mocha, vitest or jest')
    const broken = program.replace('core.map(loud)', 'core.concat(undefined)')
    expect(broken).to.not.equal(program)
    const { out, code } = await run(broken, MOCHA)
    expect(code).to.equal(2)
    expect(out).to.match(/takes part in a stream:\n\s+PluginFault: The request failed/)
    expect(out).to.match(/\d\d pending/)
  })

  it('say what is missing where a runner has no globals', async () => {
    const program = await programBelow('With mocha, vitest or jest')
    const { out, code } = await run(program, '--test')
    expect(code).to.equal(1)
    expect(out).to.match(/There is no global "describe" and "it"/)
  })
})
