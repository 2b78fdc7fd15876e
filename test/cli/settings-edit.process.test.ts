import { once } from 'node:events'
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  type Field,
  fieldsIn,
  fieldsOfSchema,
  type Item,
  itemsOf,
} from '../../src/cli/settings/fields.ts'
import type { Host, SettingsDocument } from '../../src/core/index.ts'
import { readConfigFile } from '../../src/core/load/config-file.ts'
import { ofCommit } from '../helpers/cases.ts'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import {
  configFilled,
  configToFill,
  type FillingStep,
  fillingSteps,
  KINDS,
  PROVIDERS,
} from '../helpers/filled-settings.ts'
import { ShippedForms } from '../helpers/shipped-form.ts'
import { ROOT } from '../helpers/source-files.ts'
import { hasTerminal, Terminal } from '../helpers/terminal.ts'

const HOST = 'Model and answer'
const LONGEST_BEFORE = 50
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

/** Settings of a few kinds, secrets, and an action. */
const NOTES = `export default {
  kind: 'extension', name: 'notes',
  configSchema: { type: 'object', properties: {
    size: { type: 'integer', minimum: 1, maximum: 9, title: 'Size' },
    key: { type: 'string', writeOnly: true, 'x-env': 'NOTES_KEY', minLength: 4, title: 'Key' },
  } },
  getUiElements: () => [{ id: 'count', kind: 'session-action', title: 'Count',
    schema: { type: 'object', properties: { word: { type: 'string', title: 'Word' } } } }],
  runAction: (id, { word }) => ({ id, letters: word.length, odd: '\\u001b[31m' }),
}
`

const CONFIG = `{
  // mine
  "plugins": ["./notes.mjs"], // beside this file
  "settings": {
    "notes": { "size":   3 } // small
  }
}
`

/** The modules that are loaded with one: those that it imports, and they import, at once. */
function loadedWith(
  name: string,
  texts: ReadonlyMap<string, string>,
  loaded = new Set<string>(),
): ReadonlySet<string> {
  if (loaded.has(name)) return loaded
  loaded.add(name)
  const imports = (texts.get(name) ?? '').matchAll(/^(?:import|export|\})[^()]*?"\.\/([^"]+)";/gm)
  for (const [, next = ''] of imports) loadedWith(next, texts, loaded)
  return loaded
}

describe('braidwork settings --edit', function () {
  this.timeout(120_000)
  let made: CommandFolder
  const open: Terminal[] = []

  before(function () {
    if (hasTerminal()) return
    process.stderr.write('"braidwork settings --edit" is skipped: there is no Python with a pty\n')
    this.skip()
  })
  eachCommandFolder((folder) => {
    made = folder
  })
  beforeEach(async () => {
    await writeFile(at('notes.mjs'), NOTES)
    await writeFile(at('braidwork.jsonc'), CONFIG)
  })
  afterEach(() => {
    for (const terminal of open.splice(0)) terminal.kill()
  })

  const at = (name: string): string => join(made.folder, name)

  function edit(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Terminal {
    const terminal = new Terminal(['settings', '--edit', ...args], {
      cwd: made.folder,
      env: { ...made.env, ...env },
    })
    open.push(terminal)
    return terminal
  }

  async function save(terminal: Terminal): Promise<void> {
    await terminal.choose('Settings', 'Save')
    await terminal.choose('Write them?', 'Write')
    await terminal.sees('Wrote')
    expect(await terminal.ends()).to.deep.equal({ status: 0, isEchoing: true })
  }

  it('changes a value of the file that was named, and nothing else of it', async () => {
    await chmod(at('braidwork.jsonc'), 0o640)
    await symlink(at('braidwork.jsonc'), at('link.jsonc'))
    const terminal = edit(['--config', 'link.jsonc'])
    await terminal.choose('Settings', 'Notes')
    await terminal.choose('Notes', 'Size')
    await terminal.answer('Size (at least 1; at most 9)', '12')
    await terminal.sees('must be <= 9')
    terminal.type('\u00155\r')
    await terminal.choose('Notes', 'Back')
    await save(terminal)
    expect(await readFile(at('braidwork.jsonc'), 'utf8')).to.equal(
      CONFIG.replace('"size":   3', '"size":   5'),
    )
    expect((await stat(at('braidwork.jsonc'))).mode & 0o777).to.equal(0o640)
    expect((await lstat(at('link.jsonc'))).isSymbolicLink()).to.equal(true)
    expect(terminal.shown).to.include('/settings/notes/size: 3 → 5')
  })

  it('goes on where a person does not want to write the changes yet', async () => {
    const terminal = edit(['--config', 'braidwork.jsonc'])
    await terminal.choose('Settings', 'Notes')
    await terminal.choose('Notes', 'Size')
    await terminal.answer('Size', '5')
    await terminal.choose('Notes', 'Back')
    await terminal.choose('Settings', 'Save')
    await terminal.choose('Write them?', 'Continue editing')
    await terminal.choose('Settings', 'Discard')
    await terminal.sees('Nothing was written.')
    expect((await terminal.ends()).status).to.equal(0)
    expect(await readFile(at('braidwork.jsonc'), 'utf8')).to.equal(CONFIG)
  })

  it("writes the project's file where it is trusted, which it is again afterwards", async () => {
    await made.run(['trust'])
    const terminal = edit()
    await terminal.choose('Settings', HOST)
    await terminal.choose(HOST, 'Seed')
    await terminal.answer('Seed', '7')
    await terminal.choose(HOST, 'Back')
    await save(terminal)
    const { out, err } = await made.run(['config', 'show'])
    expect(JSON.parse(out)).to.include({ seed: 7 })
    expect(err).not.to.include('FOLDER_UNTRUSTED')
  })

  it('asks which file where none counts, and makes one that counts', async () => {
    await mkdir(at('new'))
    const terminal = new Terminal(['settings', '--edit'], { cwd: at('new'), env: made.env })
    open.push(terminal)
    await terminal.choose('Which file', 'A new file here')
    await terminal.choose('Settings', 'Plugins that are off')
    await terminal.choose('Plugins that are off', 'Think tags')
    await terminal.choose('Settings', 'Think tags')
    await terminal.choose('Think tags', 'Back')
    await save(terminal)
    const { out } = await made.run(['config', 'show'], { cwd: at('new') })
    expect(JSON.parse(out)).to.deep.include({ enabled_plugins: ['think-tags'] })
    expect((await stat(at('new/braidwork.jsonc'))).mode & 0o777).to.equal(0o600)
  })

  it('shows a secret nowhere, whether it is typed or was in the file', async () => {
    await writeFile(at('braidwork.jsonc'), CONFIG.replace('"size":   3', '"key": "old-sesame"'))
    const terminal = edit(['--config', 'braidwork.jsonc'], { OTHER_KEY: 'other-sesame' })
    await terminal.choose('Settings', 'Notes')
    await terminal.choose('Notes', 'Key')
    await terminal.choose('Key (set)', 'Type it in and store it in the file')
    await terminal.sees('Key (typing is hidden)')
    terminal.type('abc\r')
    await terminal.sees('must NOT have fewer than 4 characters')
    terminal.type('new-sesame\r')
    await terminal.choose('Notes', 'Back')
    await terminal.choose('Settings', 'Save')
    await terminal.sees('/settings/notes/key: "***" → "***"')
    await terminal.choose('Write them?', 'Write')
    expect((await terminal.ends()).status).to.equal(0)
    expect(terminal.sent).not.to.include('sesame')
    expect(await readFile(at('braidwork.jsonc'), 'utf8')).to.include('"key": "new-sesame"')
  })

  it('writes a reference to a variable for a secret, by default to the one that its schema names', async () => {
    const terminal = edit(['--config', 'braidwork.jsonc'])
    await terminal.choose('Settings', 'Notes')
    await terminal.choose('Notes', 'Key')
    await terminal.choose('Key (not set)', 'Read it from an environment variable')
    await terminal.sees("Key: the variable's name")
    terminal.type('\r')
    await terminal.sees('"NOTES_KEY" is not set at present.')
    await terminal.choose('Notes', 'Back')
    await terminal.choose('Settings', 'Save')
    await terminal.sees('/settings/notes/key: not set → ${env:NOTES_KEY}')
    await terminal.choose('Write them?', 'Write')
    await terminal.ends()
    expect(await readFile(at('braidwork.jsonc'), 'utf8')).to.include('"key": "${env:NOTES_KEY}"')
    // It opens again, though the variable is not set.
    const again = edit(['--config', 'braidwork.jsonc'])
    await again.choose('Settings', 'Discard')
    expect((await again.ends()).status).to.equal(0)
  })

  it('has the menu of what is on for what was chosen', async () => {
    const terminal = edit(['--config', 'braidwork.jsonc'])
    await terminal.choose('Settings', HOST)
    await terminal.choose(HOST, 'Model')
    await terminal.choose('Model', 'scripted-mini')
    await terminal.choose(HOST, 'Back')
    // That model has no tools.
    const menu = await terminal.sees(/Model and answer: 1 changed[\s\S]*Plugins that are off: \d/)
    expect(menu).not.to.match(/Calculator|Clock/)
    terminal.type(CTRL_C)
    expect((await terminal.ends()).status).to.equal(130)
  })

  it('runs an action of a plugin, and shows what came of it', async () => {
    const terminal = edit(['--config', 'braidwork.jsonc'])
    await terminal.choose('Settings', 'Notes')
    await terminal.choose('Notes', 'Run: Count')
    await terminal.answer('Word', 'seven')
    await terminal.sees('"letters":5')
    await terminal.choose('Notes', 'Back')
    await terminal.choose('Settings', 'Discard')
    await terminal.sees('Nothing was written.')
    expect((await terminal.ends()).status).to.equal(0)
    expect(terminal.sent).not.to.include('\u001b[31m')
  })

  it('asks the API for the models of the provider that was chosen', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt-own', object: 'model' }] }))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const config = {
      plugins: [join(ROOT, 'providers/openai')],
      settings: { openai: { base_url: `http://127.0.0.1:${port}/v1` } },
    }
    await writeFile(at('openai.json'), JSON.stringify(config))
    const terminal = edit(['--config', 'openai.json'])
    await terminal.choose('Settings', HOST)
    await terminal.choose(HOST, 'Provider')
    await terminal.choose('Provider', 'OpenAI')
    await terminal.choose(HOST, 'Refresh models')
    await terminal.sees('1 models.')
    await terminal.choose(HOST, 'Model')
    await terminal.choose('Model', 'gpt-own')
    await terminal.choose(HOST, 'Back')
    await save(terminal)
    server.close()
    expect(JSON.parse(await readFile(at('openai.json'), 'utf8'))).to.deep.equal({
      ...config,
      provider: 'openai',
      model: 'gpt-own',
    })
  })

  for (const [name, key] of [
    ['Ctrl-C', CTRL_C],
    ['Ctrl-D', CTRL_D],
  ] as const) {
    it(`leaves by ${name} without writing, and leaves the terminal as it was`, async () => {
      const terminal = edit(['--config', 'braidwork.jsonc'])
      await terminal.choose('Settings', 'Notes')
      await terminal.choose('Notes', 'Size')
      await terminal.answer('Size', '5')
      await terminal.choose('Notes', 'Size')
      await terminal.sees('◆  Size')
      terminal.type(key)
      expect(await terminal.ends()).to.deep.equal({ status: 130, isEchoing: true })
      expect(terminal.sent.lastIndexOf('\u001b[?25h')).to.be.above(
        terminal.sent.lastIndexOf('\u001b[?25l'),
      )
      expect(await readFile(at('braidwork.jsonc'), 'utf8')).to.equal(CONFIG)
    })
  }

  it('ends by the signal of a terminal that closes, without writing', async () => {
    const terminal = edit(['--config', 'braidwork.jsonc'])
    await terminal.choose('Settings', 'Notes')
    await terminal.sees('◆  Notes')
    terminal.close()
    expect((await terminal.ends()).status).to.equal(128 + constants.signals.SIGHUP)
    expect(await readFile(at('braidwork.jsonc'), 'utf8')).to.equal(CONFIG)
  })

  it('writes nothing over what somebody else wrote in the meantime', async () => {
    const terminal = edit(['--config', 'braidwork.jsonc'])
    await terminal.choose('Settings', 'Notes')
    await terminal.choose('Notes', 'Size')
    await terminal.answer('Size', '5')
    await terminal.choose('Notes', 'Back')
    await terminal.choose('Settings', 'Save')
    await writeFile(at('braidwork.jsonc'), '{}')
    await terminal.choose('Write them?', 'Write')
    expect((await terminal.ends()).status).to.equal(2)
    expect(terminal.shown).to.include('another program changed it in the meantime')
    expect(await readFile(at('braidwork.jsonc'), 'utf8')).to.equal('{}')
  })

  it('says that it needs a terminal where there is none, and what it does not go with', async () => {
    const { status, err } = await made.run(['settings', '--edit'])
    expect(status).to.equal(2)
    expect(err).to.include('--edit needs a terminal')
    const dumb = edit([], { TERM: 'dumb' })
    expect((await dumb.ends()).status).to.equal(2)
    expect(dumb.shown).to.include('--edit needs a terminal')
    const mixed = await made.run(['settings', '--edit', '--provider', 'scripted'])
    expect(mixed.status).to.equal(2)
    expect(mixed.err).to.include('cannot be combined with --provider')
  })

  it('loads what it asks its questions with when it asks, and not with the command', async () => {
    const folder = join(ROOT, 'src/cli/dist/command')
    const modules = (await readdir(folder)).filter((name) => name.endsWith('.js'))
    const texts = new Map<string, string>()
    for (const name of modules) texts.set(name, await readFile(join(folder, name), 'utf8'))
    const [asking = '', ...others] = modules.filter((name) =>
      texts.get(name)?.includes('@clack/prompts'),
    )
    expect(others).to.deep.equal([])
    const [form = ''] = modules.filter((name) => name.startsWith('edit-'))
    expect([...loadedWith(form, texts)]).to.include(asking)
    const commands = modules.filter((name) => texts.get(name)?.includes(`import("./${form}")`))
    expect(commands).to.have.length(1)
    const loaded = [...loadedWith(commands[0] ?? '', texts)]
    expect(loaded).to.have.length.above(1)
    expect(loaded).to.not.include(asking)
  })

  describe('of all shipped plugins', () => {
    let shipped: ShippedForms
    let host: Host
    before(async function () {
      shipped = await ShippedForms.make(this)
      host = await shipped.host([KINDS])
    })
    after(async () => {
      await host?.close()
      await shipped?.remove()
    })

    // The forms differ in a few fields, and each takes as long as all other tests here.
    for (const provider of ofCommit(PROVIDERS, 2)) {
      it(`gives the config that forms in a browser give: ${provider}`, async () => {
        const config = configToFill(provider, shipped.names)
        const plugins = [...shipped.plugins.map(({ path }) => path), './kinds.mjs']
        const text = `// to fill in\n${JSON.stringify({ plugins, ...config })}\n`
        await writeFile(at('kinds.mjs'), `export default ${JSON.stringify(KINDS)}\n`)
        await writeFile(at('all.jsonc'), text)
        const document = await host.uiSchema(config)
        const terminal = edit(['--config', 'all.jsonc'])
        for (const step of fillingSteps(provider)) await take(terminal, document, step)
        await save(terminal)
        const { plugins: _, ...written } = readConfigFile(at('all.jsonc')).config
        expect(written).to.deep.equal(configFilled(config, provider, shipped.names))
        expect(await readFile(at('all.jsonc'), 'utf8')).to.match(/^\/\/ to fill in\n/)
        expect(terminal.sent).not.to.include('sesame')
        expect(terminal.shown, 'what Node warns of').not.to.include('Warning')
      })
    }
  })
})

/** One step of a filling-in, from the menu of categories and back to it. */
async function take(
  terminal: Terminal,
  document: SettingsDocument,
  step: FillingStep,
): Promise<void> {
  const category = document.uischema.elements.find(({ options }) => options?.plugin === step.plugin)
  const unruled = JSON.parse(
    JSON.stringify(category?.elements, (key, value: unknown) =>
      key === 'rule' ? undefined : value,
    ),
  )
  const items = await itemsOf(document, unruled)
  const way = wayTo(items, step.keys)
  const field = fieldsIn(items).find(({ path }) => path.join() === step.keys.join())
  const isLookedAt = ['type', 'choose', 'check', 'add'].every((key) => !(key in step))
  if (isLookedAt || !field) return
  const menus = [category?.label ?? '', ...way]
  await terminal.choose('Settings', menus[0] ?? '')
  for (const [depth, label] of way.entries()) await terminal.choose(menus[depth] ?? '', label)
  await fill(terminal, field, step)
  for (const menu of menus.slice(0, -1).reverse()) await terminal.choose(menu, 'Back')
}

/** The labels that lead to a field. */
function wayTo(items: readonly Item[], keys: readonly string[]): readonly string[] {
  for (const item of items) {
    if (item.type === 'field' && item.path.join() === keys.join()) return [item.label]
    const inner = item.type === 'group' ? wayTo(item.items, keys) : []
    if (inner.length > 0) return [item.label, ...inner]
  }
  return []
}

async function fill(terminal: Terminal, field: Field, step: FillingStep): Promise<void> {
  const { label, kind } = field
  if (step.check !== undefined) return terminal.choose(label, step.check ? 'yes' : 'no')
  if (step.choose !== undefined) return terminal.choose(label, step.choose)
  if (kind === 'choice') return terminal.choose(label, String(step.type))
  if (step.add)
    return step.pick ? terminal.pick(label, step.add as string[]) : add(terminal, field, step.add)
  if (field.isSecret) {
    await terminal.choose(label, 'Type it in and store it in the file')
    await terminal.sees('(typing is hidden)')
    terminal.type(`${step.type}\r`)
    return
  }
  await terminal.sees(`◆  ${label}`)
  const text = String(step.type).replaceAll('\n', '\r')
  // In a text of several lines, Ctrl-U is nothing: what stands there is taken back.
  const clear = field.isLong ? `\u0015${'\u007f'.repeat(LONGEST_BEFORE)}` : '\u0015'
  terminal.type(`${clear}${text}${field.isLong ? '\r\r' : '\r'}`)
}

async function add(
  terminal: Terminal,
  { label, schema }: Field,
  rows: NonNullable<FillingStep['add']>,
): Promise<void> {
  for (const row of rows) {
    await terminal.choose(label, 'Add')
    if (typeof row === 'string') await terminal.answer(label, row)
    else {
      for (const cell of fieldsOfSchema(schema['items'] as Field['schema']))
        await terminal.answer(cell.label, row[cell.path[0] ?? ''] ?? '')
    }
  }
  await terminal.choose(label, 'Done')
}
