import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packageFolders, ROOT } from '../helpers/source-files.ts'

describe("the programs in the READMEs of the host's packages", function () {
  this.timeout(60_000)

  it('compile as they are written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    try {
      const own = packageFolders().filter((from) => from.startsWith('src/'))
      const programs = own.flatMap((from) => {
        const text = readFileSync(join(ROOT, from, 'README.md'), 'utf8')
        const name = `${from.replaceAll('/', '-')}.ts`
        return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => ({ name, code }))
      })
      expect(programs.length).to.be.at.least(7)
      await mkdir(join(folder, 'node_modules'))
      for (const name of ['@braidwork', '@types'])
        await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
      for (const { name, code } of programs) await writeFile(join(folder, name), code)
      await writeFile(join(folder, 'package.json'), '{"type": "module"}')
      await writeFile(join(folder, 'index.ts'), 'export default { kind: "tool", name: "mine" }\n')
      const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true }
      const files = programs.map(({ name }) => name)
      const compilerOptions = { ...options, types: ['node'], preserveSymlinks: false }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
      expect(await compile(folder)).to.equal('')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** What TypeScript says of a folder's programs. */
function compile(folder: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  return new Promise((done) => {
    execFile(process.execPath, [tsc], { cwd: folder }, (_error, out, err) => done(out + err))
  })
}
