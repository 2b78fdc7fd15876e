import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { positionOf, readConfigChain, readConfigFile } from '../../src/load/config-file.ts'
import { projectConfigFile } from '../../src/load/config-layers.ts'
import { trust, trustOf } from '../../src/load/trust.ts'

describe('config files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function write(name: string, text: unknown): Promise<string> {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof text === 'string' ? text : JSON.stringify(text))
    return path
  }

  function messageOf(act: () => unknown): string {
    try {
      act()
    } catch (error) {
      return `${(error as { code?: string }).code} ${(error as Error).message}`
    }
    return 'nothing was thrown'
  }

  it('are JSON with comments and trailing commas', async () => {
    const path = await write(
      'braidwork.jsonc',
      '{ // one\n "seed": 1, /* two */ "$schema": "./s.json",\n}',
    )
    expect(readConfigFile(path).config).to.deep.equal({ seed: 1 })
  })

  it('name plugins by paths of their own folder, and packages that are installed beside them or are its workspaces', async () => {
    await write('node_modules/beside/package.json', { name: 'beside' })
    await write('package.json', { workspaces: ['parts/*'] })
    await write('parts/one/package.json', { name: '@own/one' })
    const path = await write('deep/braidwork.json', {
      plugins: ['./here.mjs', 'beside', '@own/one', 'scripted'],
    })
    expect(readConfigFile(path).config.plugins).to.deep.equal([
      join(folder, 'deep/here.mjs'),
      join(folder, 'node_modules/beside'),
      join(folder, 'parts/one'),
      'scripted',
    ])
  })

  it('stand upon the files that they extend, the lowest first', async () => {
    await write('a.json', { seed: 1 })
    await write('b.json', { extends: './a.json', temperature: 1 })
    const path = await write('braidwork.json', { extends: ['./b.json', './a.json'], seed: 2 })
    const names = readConfigChain(path).map((file) => file.path.slice(folder.length + 1))
    expect(names).to.deep.equal(['a.json', 'b.json', 'a.json', 'braidwork.json'])
  })

  const wrong: readonly (readonly [title: string, text: string, says: RegExp])[] = [
    ['a syntax error', '{\n  "seed": }', /braidwork\.json:2:11: .*no JSON: value expected/],
    ['nothing in it', '', /braidwork\.json:1:1: .*no JSON: value expected/],
    ['a list', '[]', /braidwork\.json:1:1: a config is an object/],
    [
      'a wrong value',
      '{\n  "limits": {\n    "hook": "long"\n  }\n}',
      /braidwork\.json:3:5: .*\/limits\/hook/,
    ],
    [
      'a forbidden key',
      '{"settings": {"__proto__": {"a": 1}}}',
      /braidwork\.json:1:15: .*"__proto__" is not allowed/,
    ],
    [
      'a circle of layers',
      '{"extends": "./braidwork.json"}',
      /:1:2: it extends itself: braidwork.json → braidwork.json/,
    ],
    [
      'a layer that is not there',
      '{"extends": "./gone.json"}',
      /gone\.json: the config file cannot be read/,
    ],
    ['a layer that is no path', '{"extends": 7}', /:1:2: "extends" is the path of a config file/],
    ['more depth than a stack has', '['.repeat(200_000), /nested too deep|no JSON/],
  ]
  for (const [title, text, says] of wrong) {
    it(`are refused with ${title}, and say where`, async () => {
      const path = await write('braidwork.json', text)
      const message = messageOf(() => readConfigChain(path))
      expect(message).to.match(/^CONFIG_INVALID /)
      expect(message).to.match(says)
    })
  }

  it('are refused where they may not be read', async () => {
    const path = await write('braidwork.json', {})
    await chmod(path, 0)
    // Root reads everything.
    if (process.getuid?.() === 0) expect(readConfigFile(path).config).to.deep.equal({})
    else expect(messageOf(() => readConfigFile(path))).to.match(/EACCES/)
  })

  it('say of a pointer where its key stands, or the nearest above it', () => {
    const text = '{\n  "settings": {\n    "a/b": [1, {"x": 2}]\n  }\n}'
    expect(positionOf(text, '/settings/a~1b/1/x')).to.deep.equal({ line: 3, column: 17 })
    expect(positionOf(text, '/settings/gone/deeper')).to.deep.equal({ line: 2, column: 3 })
    expect(positionOf(text, '')).to.deep.equal({ line: 1, column: 1 })
  })

  describe('of a project', () => {
    it('are the nearest from a folder upwards', async () => {
      const outer = await write('braidwork.json', {})
      const inner = await write('a/braidwork.jsonc', {})
      await write('a/b/c/other.json', {})
      expect(projectConfigFile(join(folder, 'a/b/c'))).to.equal(inner)
      expect(projectConfigFile(folder)).to.equal(outer)
    })

    it('are refused where a folder has two', async () => {
      await write('braidwork.json', {})
      await write('braidwork.jsonc', {})
      expect(messageOf(() => projectConfigFile(folder))).to.match(/has both/)
    })
  })

  describe('that were trusted', () => {
    it('are so as long as they are as they were, each by its real path', async () => {
      const store = join(folder, 'store/trusted.json')
      const path = await write('p/braidwork.json', { seed: 1 })
      const project = dirname(path)
      const trusts = () => trustOf(project, () => [path], store)
      expect(trusts()).to.equal('unknown')
      trust(project, [path], store)
      expect(trusts()).to.equal('trusted')
      await write('p/braidwork.json', { seed: 2 })
      expect(trusts()).to.equal('changed')
      trust(project, [path], store)
      const other = await write('p/package.json', {})
      expect(trustOf(project, () => [path, other], store)).to.equal('changed')
    })

    it('are none where the list of them cannot be read, which is said', async () => {
      const store = await write('trusted.json', '[')
      expect(messageOf(() => trustOf(folder, () => [], store))).to.match(
        /CONFIG_INVALID .*trust the folders again/,
      )
    })
  })
})
