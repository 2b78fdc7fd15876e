import { readFileSync } from 'node:fs'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { readConfigChain, readConfigFile } from '../../../src/core/load/config-file.ts'
import { findLayers } from '../../../src/core/load/config-layers.ts'
import { positionOf } from '../../../src/core/load/json-places.ts'
import { Pinning } from '../../../src/core/load/pinning.ts'
import { pin, pinsOf } from '../../../src/core/load/trust.ts'
import { currentPins, folderConfig, folderTrust } from '../../../src/core/load/trusted-folder.ts'
import { useConfigFolder } from '../../helpers/config-folder.ts'

describe('config files', () => {
  const configFolder = useConfigFolder()
  let folder: string
  beforeEach(() => {
    folder = configFolder()
  })

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

  it('have their agents read once where the named one is in the user’s folder', async () => {
    const own = await write('xdg/braidwork/braidwork.json', {})
    await write('xdg/braidwork/agents/writer.md', 'Write.')
    const other = await write('other/braidwork.json', {})
    await write('other/agents/writer.md', 'Write more.')
    await symlink(join(folder, 'xdg'), join(folder, 'linked'))
    const textsWith = (file: string) =>
      findLayers({ from: folder, file }).agents.map(({ text }) => text)
    expect(textsWith(own)).to.deep.equal(['Write.'])
    expect(textsWith(join(folder, 'linked/braidwork/braidwork.json'))).to.deep.equal(['Write.'])
    expect(textsWith(other)).to.deep.equal(['Write.', 'Write more.'])
  })

  it('may begin with a byte order mark', async () => {
    const path = await write('braidwork.json', '\uFEFF{"seed": 1}')
    expect(readConfigFile(path)).to.deep.include({ config: { seed: 1 }, text: '{"seed": 1}' })
    const wrong = await write('wrong.json', '\uFEFF{"seed": "x"}')
    expect(messageOf(() => readConfigFile(wrong))).to.match(
      /wrong\.json:1:\d+: .*"seed" must be of type integer/,
    )
  })

  it('are refused if they are not text in UTF-8, however they are read', async () => {
    const path = await write('braidwork.json', {})
    await writeFile(path, Buffer.from('{\n"user": "Grüße"}', 'latin1'))
    const other = await write('other.json', { extends: './braidwork.json' })
    const fault = `CONFIG_INVALID ${path}: the config file cannot be read: it is not text in UTF-8 (line 2)`
    expect(messageOf(() => readConfigFile(path))).to.equal(fault)
    expect(messageOf(() => readConfigChain(other))).to.equal(fault)
    expect(messageOf(() => currentPins(folder))).to.equal(fault)
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

  it('name packages in settings, which are searched from their own folder', async () => {
    await write('node_modules/@own/made/package.json', { name: '@own/made' })
    const path = await write('deep/braidwork.json', {
      settings: {
        one: { npm_package: '@own/made', package: '@own/made' },
        two: { npm_package: '@own/made/part' },
        three: { npm_package: 'absent' },
        four: { npm_package: 4 },
        five: { npm_package: '/elsewhere' },
      },
    })
    const installed = join(folder, 'node_modules/@own/made')
    expect(readConfigFile(path).config.settings).to.deep.equal({
      one: { npm_package: installed, package: '@own/made' },
      two: { npm_package: `${installed}/part` },
      three: { npm_package: 'absent' },
      four: { npm_package: 4 },
      five: { npm_package: '/elsewhere' },
    })
  })

  it('stand upon the files that they extend, the lowest first', async () => {
    await write('a.json', { seed: 1 })
    await write('b.json', { extends: './a.json', temperature: 1 })
    const path = await write('braidwork.json', { extends: ['./b.json', './a.json'], seed: 2 })
    const names = readConfigChain(path).map((file) => file.path.slice(folder.length + 1))
    expect(names).to.deep.equal(['b.json', 'a.json', 'braidwork.json'])
  })

  it('are each read once, however many ways lead to them', async () => {
    const levels = 14
    for (let level = 0; level < levels; level++) {
      const above = [`./left-${level + 1}.json`, `./right-${level + 1}.json`]
      for (const side of ['left', 'right']) {
        await write(`${side}-${level}.json`, level + 1 < levels ? { extends: above } : {})
      }
    }
    const path = await write('braidwork.json', { extends: ['./left-0.json', './right-0.json'] })
    let reads = 0
    const chain = readConfigChain(path, (file) => {
      reads++
      return readFileSync(file, 'utf8')
    })
    expect([chain.length, reads]).to.deep.equal([2 * levels + 1, 2 * levels + 1])
  })

  it('are at most 32, however they stand upon each other', async () => {
    for (let at = 0; at < 40; at++) await write(`${at}.json`, { extends: `./${at + 1}.json` })
    const path = await write('braidwork.json', { extends: './0.json' })
    expect(messageOf(() => readConfigChain(path))).to.match(
      /^CONFIG_INVALID .*31\.json: it is one of more than 32 files/,
    )
  })

  const wrong: readonly (readonly [title: string, text: string, says: RegExp])[] = [
    ['a syntax error', '{\n  "seed": }', /braidwork\.json:2:11: .*not JSON: value expected/],
    ['nothing in it', '', /braidwork\.json:1:1: .*not JSON: value expected/],
    ['a list', '[]', /braidwork\.json:1:1: a config must be an object/],
    [
      'a wrong value',
      '{\n  "limits": {\n    "hook": "long"\n  }\n}',
      /braidwork\.json:3:5: .*\/limits\/hook/,
    ],
    [
      'a key that is there twice',
      '{\n  "tool_policy": { "run": "deny" },\n  "tool_policy": {}\n}',
      /braidwork\.json:3:3: "\/tool_policy" is there twice, the first time in line 2; remove one/,
    ],
    [
      'a key that is there twice in a list, which no key before it is',
      '{"agents": {"a": {"id": "a"}, "b": {"id": "b"}},\n"stop": [{}, {"a/b": [],\n"a\\u002fb": 1}], "x": {"y": 1, "y": 1}}',
      /braidwork\.json:3:1: "\/stop\/1\/a~1b" is there twice, the first time in line 2/,
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
      /braidwork\.json:1:2: it extends ".*gone\.json", and there is no such file/,
    ],
    [
      'a layer that stands there twice',
      '{"extends": ["./b.json", "././b.json"]}',
      /:1:2: it extends "b\.json" twice/,
    ],
    [
      'a layer that is no path',
      '{"extends": 7}',
      /:1:2: "extends" must be the path of a config file/,
    ],
    ['more depth than a stack has', '['.repeat(200_000), /nested too deep|not JSON/],
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
    it('are the nearest from a folder upwards that is trusted', async () => {
      const outer = await write('braidwork.json', {})
      const inner = await write('a/braidwork.jsonc', {})
      await write('a/b/c/other.json', {})
      const from = join(folder, 'a/b/c')
      const found = () => findLayers({ from }).layers.map(({ file }) => file?.path)
      expect(found()).to.deep.equal([])
      pin(folder, currentPins(folder))
      expect(found()).to.deep.equal([outer])
      pin(dirname(inner), currentPins(dirname(inner)))
      expect(found()).to.deep.equal([inner])
      expect(findLayers({ from, walksUp: false }).layers).to.deep.equal([])
    })

    it('are refused where a trusted folder has two, and passed over in any other', async () => {
      await write('braidwork.json', {})
      pin(folder, currentPins(folder))
      await write('braidwork.jsonc', {})
      expect(() => currentPins(folder)).to.throw(/has both/)
      await mkdir(join(folder, 'a'))
      const { layers, diagnostics } = findLayers({ from: join(folder, 'a') })
      expect(layers).to.deep.equal([])
      expect(diagnostics.map(({ message }) => message)).to.match(/braidwork\.jsonc" is new since/)
    })
  })

  describe('that were trusted', () => {
    it('are so as long as they are as they were, each by its real path', async () => {
      await write('p/braidwork.json', { seed: 1 })
      const project = join(folder, 'p')
      expect(folderTrust(project)).to.equal('unknown')
      pin(project, currentPins(project))
      expect(folderTrust(project)).to.equal('trusted')
      await write('p/braidwork.json', { seed: 2 })
      expect(folderTrust(project)).to.equal('changed')
      pin(project, currentPins(project))
      await symlink(project, join(folder, 'link'))
      expect(folderTrust(join(folder, 'link'))).to.equal('trusted')
    })

    it('are not parsed where they changed', async () => {
      await write('braidwork.json', {})
      pin(folder, currentPins(folder))
      await write('braidwork.json', '{ no JSON')
      expect(folderTrust(folder)).to.equal('changed')
    })

    it('are those that were read: what is put in their place meanwhile is not used', async () => {
      const path = await write('braidwork.json', { seed: 1 })
      const pinning = new Pinning(currentPins(folder))
      expect(pinning.read(path)).to.equal('{"seed":1}')
      await write('braidwork.json', { seed: 2 })
      expect(pinning.read(path)).to.equal('{"seed":1}')
      expect(folderTrust(folder)).to.equal('unknown')
    })

    it('have their modules looked at again right before these run', async () => {
      const module = await write('shout/index.mjs', 'export default {}')
      const plugins = [{ kind: 'tool', name: 'shout', entry: './index.mjs' }]
      await write('shout/package.json', { braidwork: { apiVersion: 1, plugins } })
      await write('braidwork.json', { plugins: ['./shout'] })
      pin(folder, currentPins(folder))
      const { check } = folderConfig(folder)
      expect(() => check(module)).not.to.throw()
      await write('shout/index.mjs', 'export default { name: "other" }')
      expect(() => check(module)).to.throw(/index\.mjs" changed since it was trusted/)
      expect(() => check(join(folder, 'elsewhere.mjs'))).not.to.throw()
    })

    it('are none where the list of them cannot be read, which is said', async () => {
      await write('xdg/braidwork/trusted.json', '[')
      expect(messageOf(() => pinsOf(folder))).to.match(/CONFIG_INVALID .*trust the folders again/)
    })
  })
})
