import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { escapedJson, jsonText, visible, visibleLine } from '../../src/cli/characters.ts'
import { table } from '../../src/cli/terminal.ts'
import { propertyTimeout } from '../helpers/cases.ts'
import { type CommandFolder, oneCommandFolder } from '../helpers/command-folder.ts'
import { sourceFiles } from '../helpers/source-files.ts'
import { sharedCommand } from './shared-command.ts'

/** One of each kind: C0, DEL, C1, separators, direction, no width, fillers, a tag. */
const HOSTILE = [
  '\u0000',
  '\u0007',
  '\u001b',
  '\r',
  '\u007f',
  '\u0080',
  '\u009b',
  '\u00ad',
  '\u061c',
  '\u180e',
  '\u200b',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u2060',
  '\u2066',
  '\u2069',
  '\u3164',
  '\ufeff',
  '\ufff9',
  '\u{e0041}',
  '\u{e007f}',
] as const
const ALL = HOSTILE.join('')
const ANY = new RegExp(`[${ALL}\\u200c\\u200d]`, 'u')

describe('what the command prints', function () {
  this.timeout(propertyTimeout(30_000))

  it('has no character in JSON that steers a terminal or is not seen, and means the same', () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...HOSTILE, '\u200c', '\u200d'), fc.string()))
    fc.assert(
      fc.property(
        fc.dictionary(
          text.map((all) => all.join('')),
          text,
        ),
        (value) => {
          for (const indent of [undefined, 2]) {
            const json = jsonText(value, indent)
            expect(JSON.parse(json)).to.deep.equal(JSON.parse(JSON.stringify(value)))
            expect(json).not.to.match(ANY)
          }
        },
      ),
    )
    expect(jsonText(['\u009b', '\u{e0041}'])).to.equal('["\\u009b","\\udb40\\udc41"]')
    expect(escapedJson('{\n"a": 1}\n')).to.equal('{\n"a": 1}\n')
  })

  it('shows each of them in text, and leaves words of all scripts and emoji as they are', () => {
    for (const one of HOSTILE) expect(visible(`a${one}b`), JSON.stringify(one)).not.to.match(ANY)
    for (const text of ['日本語', 'می‌خواهم', '👩‍👩‍👧', 'naïve', 'שלום', 'क्‍ष'])
      expect(visible(text)).to.equal(text)
    expect(visible('pay\u200dpal')).to.equal('pay<U+200D>pal')
    expect([visible('a\n\tb'), visibleLine('a\n\tb')]).to.deep.equal(['a\n\tb', 'a␊␉b'])
  })

  it('keeps a cell of a table in its line and in its column', () => {
    const printed = table(
      [
        ['A', 'B'],
        ['x\nerror CODE: y\u001b[2J', 'z'],
        ['long', 'w'],
      ],
      (line) => line,
    )
    expect(printed.split('\n')).to.have.length(4)
    expect(
      new Set(
        printed
          .trimEnd()
          .split('\n')
          .map((line) => [...line].length),
      ).size,
    ).to.equal(1)
  })

  it('goes through one of these two wherever JSON is printed', () => {
    const bare = sourceFiles('src/cli')
      .filter(({ text }) => /write\(\s*`?\$?\{?JSON\.stringify/.test(text))
      .map(({ path }) => path)
    expect(bare).to.deep.equal([])
  })

  describe('of a plugin with such names', () => {
    let made: CommandFolder
    const command = sharedCommand()
    oneCommandFolder((folder) => {
      made = folder
    })
    before(async () => {
      const text = `x${ALL}y`
      const code = `const text = ${JSON.stringify(text)}
        const input_schema = { type: 'object', properties: { [text]: { type: 'string', description: text } } }
        export default { kind: 'tool', name: 'loud', title: text, description: text,
          configSchema: { type: 'object', properties: { a: { type: 'string', title: text, description: text, default: text } } },
          getToolSchemas: () => [{ name: 'loud', description: text, input_schema }],
          executeTool: () => ({ output: text }) }`
      const plugins = [
        { kind: 'tool', name: 'loud', entry: './index.mjs', title: text, description: text },
      ]
      const manifest = {
        name: `pkg${ALL}`,
        version: `1${ALL}`,
        braidwork: { apiVersion: 1, plugins },
      }
      await mkdir(join(made.folder, 'loud'))
      await writeFile(join(made.folder, 'loud/index.mjs'), code)
      await writeFile(join(made.folder, 'loud/package.json'), JSON.stringify(manifest))
      await made.run(['plugins', 'add', './loud'])
    })

    const SCRIPT = JSON.stringify([
      { when: { tool: 'loud' }, then: { text: `{{result.loud}} ${ALL}` } },
      { then: { tool_calls: [{ name: 'loud', input: {} }] } },
    ])
    const COMMANDS = [
      ['plugins'],
      ['plugins', '--json'],
      ['tools'],
      ['tools', '--json'],
      ['settings'],
      ['settings', '--json'],
      ['settings', '--format', 'vscode'],
      ['config', 'schema'],
      ['config', 'show', '--set', `x${ALL}=1`],
      ['config', 'show', '--explain', '--set', `x${ALL}=1`],
      ['config', 'check', '--set', `x${ALL}=1`],
      ['explain', '--json', '--set', `x${ALL}=1`],
      ['models', '--model', `m${ALL}`],
      ['models', '--json', '--model', `m${ALL}`],
      ['chat', 'hi', '--set', `settings.scripted.script=${SCRIPT}`],
      ['chat', 'hi', '--json', '--set', `settings.scripted.script=${SCRIPT}`],
    ].map((args) => args.map((arg) => arg.replaceAll('\u0000', '')))
    for (const args of COMMANDS) {
      it(`is plain by "${args
        .filter((arg) => !ANY.test(arg))
        .slice(0, 3)
        .join(' ')}"`, async () => {
        const { out, err } = await command(args, { cwd: made.folder, env: made.env })
        expect(out + err).not.to.match(ANY)
        if (args.includes('--json') && args[0] !== 'models') expect(out).to.include('\\u')
      })
    }
  })
})
