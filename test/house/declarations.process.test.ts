import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'

const ROOT = resolve(import.meta.dirname, '..', '..')
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

/** What TypeScript says of the program, every declaration that it reaches included. */
async function compile(folder: string, options: object): Promise<string> {
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, ...options }
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
    await mkdir(join(folder, 'node_modules', '@types'), { recursive: true })
    await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
    await symlink(
      join(ROOT, 'node_modules', '@types', 'node'),
      join(folder, 'node_modules', '@types', 'node'),
    )
    await writeFile(join(folder, 'package.json'), '{"type": "module"}')
    await writeFile(join(folder, 'app.ts'), PROGRAM)
  })
  after(() => rm(folder, { recursive: true }))

  const libraries: readonly (readonly [title: string, options: object])[] = [
    ["Node's types", { types: ['node'] }],
    ['those of a browser, and an older language', { types: [], lib: ['es2022', 'dom'] }],
  ]
  for (const [title, options] of libraries) {
    it(`are whole beside ${title}`, async () => {
      expect(await compile(folder, { target: 'es2022', ...options })).to.equal('')
    })
  }
})
