import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { installPackages } from '../helpers/installation.ts'
import { optionalPackages } from '../helpers/optional-packages.ts'
import { ROOT } from '../helpers/source-files.ts'

const PROGRAM = `import { createHost } from 'braidwork'
import { run } from 'braidwork/agent'
import type { Tool } from 'braidwork/plugin'
import { resolve } from 'braidwork/chain'
import { checkPlugin } from 'braidwork/testing'
const tool: Tool = { kind: 'tool', name: 'none' }
export const host = await createHost({ plugins: ['scripted', tool] })
export const { status } = await run(host, { messages: 'Hello' }).result
export { checkPlugin, resolve }
`

/** The other doors, of which the server's need Node. */
const OF_NODE = ['a2a', 'ai-sdk', 'page', 'server', 'store']
  .map((door) => `export * as ${door.replace('-', '')} from 'braidwork/${door}'\n`)
  .join('')

/** What TypeScript says of the program, every declaration that it reaches included. */
async function compile(folder: string, options: object): Promise<string> {
  // Links lead to the repository, which has all packages.
  const own = { module: 'nodenext', strict: true, noEmit: true, preserveSymlinks: true }
  const compilerOptions = { ...own, ...options }
  const config = { compilerOptions, files: ['app.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const env = { ...process.env, NODE_OPTIONS: '' }
  return new Promise((done) => {
    execFile(process.execPath, [tsc], { cwd: folder, env }, (_error, out, err) => done(out + err))
  })
}

describe('the declarations of the package', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await installPackages(folder, { without: [...optionalPackages(), 'braidwork'] })
    await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
    await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  })
  after(() => rm(folder, { recursive: true }))

  const libraries: readonly (readonly [title: string, program: string, options: object])[] = [
    ["Node's types", PROGRAM + OF_NODE, { types: ['node'] }],
    ['those of a browser, and an older language', PROGRAM, { types: [], lib: ['es2022', 'dom'] }],
  ]
  for (const [title, program, options] of libraries) {
    it(`are whole beside ${title}, without the packages that are optional`, async () => {
      await writeFile(join(folder, 'app.ts'), program)
      expect(await compile(folder, { target: 'es2022', ...options })).to.equal('')
    })
  }
})
