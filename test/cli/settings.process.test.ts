import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { SettingsDocument } from '../../src/core/index.ts'
import { type CommandFolder, eachCommandFolder } from '../helpers/command-folder.ts'
import { ROOT } from '../helpers/source-files.ts'
import { sharedCommand } from './shared-command.ts'

const NOTES = `export default {
  kind: 'extension', name: 'notes',
  configSchema: { type: 'object', title: 'Notes \\u001b[31m', properties: {
    size: { type: 'integer', minimum: 1, maximum: 9, default: 3, title: 'Size', 'x-i18n': { de: { title: 'Größe' } } },
    key: { type: 'string', writeOnly: true, title: 'Key' },
    other: { type: 'string', writeOnly: true, title: 'Other' },
    kind: { enum: ['a', 'b'], title: 'Kind', description: 'What notes are for.\\nOf two kinds.' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    mode: { enum: ['near', 'far'], default: 'near', title: 'Mode' },
  }, if: { properties: { mode: { const: 'far' } } }, then: { properties: { url: { type: 'string', title: 'Address' } } } },
}
`

describe('braidwork settings', function () {
  this.timeout(30_000)
  let made: CommandFolder
  eachCommandFolder((folder) => {
    made = folder
  })
  beforeEach(async () => {
    await writeFile(join(made.folder, 'notes.mjs'), NOTES)
    const config = {
      plugins: ['./notes.mjs'],
      settings: { notes: { key: 'open-sesame', kind: 'b' } },
    }
    await writeFile(join(made.folder, 'braidwork.json'), JSON.stringify(config))
  })

  const command = sharedCommand()
  const settings = (...args: string[]) => {
    const { folder: cwd, env } = made
    return command(['settings', '--config', 'braidwork.json', ...args], { cwd, env })
  }

  it('ends with an error where a value is wrong, after it has shown the others', async () => {
    for (const [key, ...more] of [
      ['notes.size=big'],
      ['notes.size=99', '--json'],
      ['notes.size=99', '--format', 'rjsf'],
      ['scripted.none_such=1'],
      ['notes.kind=c', '--plugin', 'notes'],
    ] as const) {
      const { status, out, err } = await settings('--set', `settings.${key}`, ...more)
      expect(status, `${key} ${more}`).to.equal(2)
      expect(err.match(/^error /gm), `${key} ${err}`).to.have.length(1)
      expect(out).not.to.equal('')
    }
    expect((await settings('--set', 'settings.notes.size=4')).status).to.equal(0)
  })

  it('shows each plugin, on or off and why, and each field with what it has and may have', async () => {
    const { status, out } = await settings()
    expect(status).to.equal(0)
    expect(out).to.include('Provider /provider: Scripted')
    expect(out).to.match(/^Clock \(tool clock\) on: all that it needs is there$/m)
    expect(out).to.match(/^Think tags \(extension think-tags\) off: off until it is switched on$/m)
    const notes = out
      .slice(out.indexOf('\nNotes ') + 1)
      .split('\n\n')[0]
      ?.trimEnd()
      .split('\n')
    expect(notes).to.deep.equal([
      'Notes ␛[31m (extension notes) on: all that it needs is there',
      '  Size /settings/notes/size: 3 (at least 1; at most 9; default 3)',
      '  Key /settings/notes/key: set',
      '  Other /settings/notes/other: not set',
      '  Kind /settings/notes/kind: b (a | b)',
      '    What notes are for.',
      '    Of two kinds.',
      '  Mode /settings/notes/mode: near (near | far; default near)',
      '  /settings/notes/headers: freely chosen names: set it in the config',
    ])
  })

  it('says of a wrong value that it is not valid, and shows no secret that is', async () => {
    const { out } = await settings('--plugin', 'notes', '--set', 'settings.notes.size=99')
    expect(out).to.include(
      'Size /settings/notes/size: not valid (at least 1; at most 9; default 3)',
    )
    const { out: secret } = await settings('--plugin', 'notes', '--set', 'settings.notes.key=[7]')
    expect(secret).to.match(/Key \/settings\/notes\/key: (?:set|not valid)\n/)
  })

  it('shows what a rule shows for the values at hand', async () => {
    const { out } = await settings('--plugin', 'notes', '--set', 'settings.notes.mode=far')
    expect(out).to.include('  Address /settings/notes/url: not set\n')
  })

  it('prints one section alone, in a language', async () => {
    const { out } = await settings('--plugin', 'notes', '--locale', 'de-AT')
    expect(out.split('\n')[0]).to.include('alles Nötige ist da')
    expect(out).to.include('Größe /settings/notes/size: 3')
    expect(out).not.to.include('Clock')
  })

  it('prints the document as JSON, whole or for one plugin', async () => {
    const { out } = await settings('--json')
    const whole = JSON.parse(out) as SettingsDocument
    expect(whole.sections.find(({ plugin }) => plugin === 'notes')?.secretsSet).to.deep.equal([
      '/settings/notes/key',
    ])
    const one = JSON.parse((await settings('--json', '--plugin', 'notes')).out) as SettingsDocument
    expect(one.sections.map(({ plugin, category }) => [plugin, category])).to.deep.equal([
      ['notes', '/elements/0'],
    ])
    expect(one.uischema.elements.map(({ options }) => options?.plugin)).to.deep.equal(['notes'])
    expect(one.schema).to.deep.equal(whole.schema)
  })

  for (const [format, key] of [
    ['jsonforms', 'uischema'],
    ['rjsf', 'uiSchema'],
    ['vscode', 'contributes'],
  ] as const) {
    it(`prints it for other forms: ${format}`, async () => {
      const { status, out } = await settings('--format', format)
      expect(status).to.equal(0)
      expect(JSON.parse(out)).to.have.property(key)
    })
  }

  it('prints what its guide says', async () => {
    const guide = await readFile(join(ROOT, 'docs', 'settings.md'), 'utf8')
    const [, args = '', text] =
      /^npx braidwork (settings [^\n]*)\n```\n```text\n(.*?)^```$/ms.exec(guide) ?? []
    expect((await made.run(args.split(' '))).out).to.equal(text)
  })

  it('says what is wrong with its options', async () => {
    const faults = [
      [
        ['--plugin', 'notess'],
        'PLUGIN_UNKNOWN: There is no plugin "notess". Did you mean "notes"?',
      ],
      [['--format', 'rjfs'], 'OPTION_INVALID: "format" must be one of'],
      [['--locale', 'not a tag'], 'OPTION_INVALID: "locale" is not a language tag'],
    ] as const
    for (const [args, message] of faults) {
      const { status, err } = await settings(...args)
      expect(status).to.equal(2)
      expect(err).to.include(message)
    }
  })
})
