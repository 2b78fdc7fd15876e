import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { type Block, blocksOf } from './readme-blocks.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

/** Dates and times are those of the day on which the README was written. */
function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-][\d:]+))?/g, 'DATE')
    .replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/"unix":\d+/g, 'UNIX')
    .replaceAll(/(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day/g, 'DAY')
    .replaceAll(/"time_zone":"[^"]+"/g, 'ZONE')
    .replaceAll(/\d+ [A-Z][a-z]+ \d{4}/g, 'DATE')
}

/** What a terminal shows of a command: both outputs, as they come. */
function shell(command: string, cwd: string): Promise<string> {
  return new Promise((done) => {
    // What the person who runs the tests has added to the command is no part of the README.
    const own = { XDG_CONFIG_HOME: '/dev/null/none' }
    const env = { ...process.env, ...own, NO_COLOR: '1', NODE_OPTIONS: '' }
    execFile('sh', ['-c', `${command} 2>&1`], { cwd, env }, (_error, out) => done(out))
  })
}

describe('README', function () {
  this.timeout(60_000)
  let folder: string
  let blocks: Block[]

  before(async () => {
    blocks = blocksOf(await readFile(join(ROOT, 'README.md'), 'utf8'))
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true })
    await symlink(join(ROOT, 'src', 'cli'), join(folder, 'node_modules', 'braidwork'))
    await symlink(
      join(ROOT, 'src', 'cli', 'dist', 'braidwork.js'),
      join(folder, 'node_modules', '.bin', 'braidwork'),
    )
    for (const { file, code } of blocks) if (file) await writeFile(join(folder, file), code)
  })
  after(() => rm(folder, { recursive: true }))

  it('prints what it says, command by command', async () => {
    const pairs = blocks.flatMap((block, index) => {
      const next = blocks[index + 1]
      return block.language === 'sh' && next?.language === 'text'
        ? [[block.code.trim(), next.code]]
        : []
    })
    expect(pairs.length).to.equal(3)
    for (const [command = '', output = ''] of pairs) {
      // The folder has been installed already, and `node` runs the program itself.
      const program = command
        .replace('npm ci && ', '')
        .replace('npx braidwork', `"${process.execPath}" node_modules/.bin/braidwork`)
        .replace(/^node /, `"${process.execPath}" `)
      expect(timeless(await shell(program, folder)), command).to.equal(timeless(output))
    }
  })
})
