import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { agentsIn, readAgentFiles } from '../../../src/agent/specs/index.ts'

describe('agents in files', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-agents-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

  /** The code and the reason why a file holds no agent. */
  async function faultOf(name: string, text: string): Promise<string> {
    write(name, text)
    const { agents, faults } = await readAgentFiles(folder)
    expect(agents).to.deep.equal([])
    expect(faults).to.have.length(1)
    expect(faults[0]?.code).to.equal('SPEC_INVALID')
    expect(faults[0]?.message).to.include(join(folder, name))
    return faults[0]?.message ?? ''
  }

  it('have the front matter as their spec and the text as their prompt', async () => {
    write(
      'researcher.md',
      '---\nmodel_id: fast\nmax_rounds: 3 # few\n---\n\nYou *search*.\n\n---\nMore.\n',
    )
    write('plain.md', 'You help.\n')
    write('empty.md', '')
    write('bare.md', '---\n---\n')
    write('windows.md', '\uFEFF---\r\nallowed_tools: null\r\n---\r\nHello.\r\n')
    write('coder.json', '{"description": "Writes code.", "plugin_ids": []}')
    write('edited.json', '{"$schema": "../agent.schema.json", "max_rounds": 2}')
    write('notes.txt', 'not an agent')
    mkdirSync(join(folder, 'more'))
    const { agents, faults } = await readAgentFiles(folder)
    expect(faults).to.deep.equal([])
    expect(agents).to.deep.equal([
      { id: 'bare' },
      { id: 'coder', description: 'Writes code.', plugin_ids: [] },
      { id: 'edited', max_rounds: 2 },
      { id: 'empty' },
      { id: 'plain', system_prompt: 'You help.' },
      {
        id: 'researcher',
        model_id: 'fast',
        max_rounds: 3,
        system_prompt: 'You *search*.\n\n---\nMore.',
      },
      { id: 'windows', allowed_tools: null, system_prompt: 'Hello.' },
    ])
  })

  it('are told of where two have the same id, and neither is used', async () => {
    write('both.json', '{"description": "In JSON."}')
    write('both.md', 'In Markdown.')
    write('other.md', '')
    const { agents, faults } = await readAgentFiles(folder)
    expect(agents).to.deep.equal([{ id: 'other' }])
    expect(faults.map(({ code }) => code)).to.deep.equal(['SPEC_INVALID'])
    expect(faults[0]?.message).to.equal(
      `${join(folder, 'both.md')}: "both.json" declares an agent of the same id; remove one of them.`,
    )
    write('both.json', '{')
    expect((await readAgentFiles(folder)).agents).to.deep.equal([{ id: 'other' }])
    write('both.json', '{}')
    write('both.md', '---\nmax_round: 1\n---\n')
    expect((await readAgentFiles(folder)).agents).to.deep.equal([{ id: 'other' }])
  })

  it('may have the id of one in another folder', async () => {
    const texts = ['own', 'project'].map((name) => ({ path: `${name}/writer.md`, text: name }))
    const { agents, faults } = await agentsIn(texts)
    expect(agents.map(({ system_prompt: prompt }) => prompt)).to.deep.equal(['own', 'project'])
    expect(faults).to.deep.equal([])
  })

  it('are none, with a fault, where there is no folder', async () => {
    const { agents, faults } = await readAgentFiles(join(folder, 'none'))
    expect(agents).to.deep.equal([])
    expect(faults.map(({ message }) => message)).to.deep.equal([
      `${join(folder, 'none')}: there is no such folder.`,
    ])
  })

  it('do not keep the others from being read', async () => {
    write('bad.json', '{')
    write('good.json', '{}')
    const { agents, faults } = await readAgentFiles(folder)
    expect(agents).to.deep.equal([{ id: 'good' }])
    expect(faults).to.have.length(1)
  })

  it('may have comments and trailing commas in JSON, as config files may', async () => {
    write('noted.json', '// Writes.\n{"description": "Writes code.", /* all */ "plugin_ids": [],}')
    const { agents, faults } = await readAgentFiles(folder)
    expect(faults).to.deep.equal([])
    expect(agents.find(({ id }) => id === 'noted')).to.deep.equal({
      id: 'noted',
      description: 'Writes code.',
      plugin_ids: [],
    })
  })

  it('have faults with the file and the reason', async () => {
    expect(await faultOf('a.md', '---\nmodel_id: [fast\n---\n')).to.include('not YAML')
    const open = await faultOf('a.md', '---\nid: a\nmodel_id: [fast\n---\n')
    expect(open).to.match(/a\.md:3:\d+: its front matter is not YAML: [^\n]* end with a \]\.$/)
    expect(await faultOf('a.md', '---\nmodel_id: fast\n')).to.include('has no end')
    expect(await faultOf('a.md', '---\n- a\n---\n')).to.include('keys and values')
    expect(await faultOf('a.md', '---\nsystem_prompt: x\n---\ny')).to.include('keep one of them')
    expect(await faultOf('a.md', '---\nid: b\n---\n')).to.include('the name of the file says "a"')
    expect(await faultOf('a.md', '---\nmodelid: fast\n---\n')).to.include(
      'Did you mean "model_id"?',
    )
    rmSync(join(folder, 'a.md'))
    expect(await faultOf('b.json', '[]')).to.include('must be an object')
    expect(await faultOf('b.json', '{"max_rounds": 3,\n "max_rounds": 9}')).to.include(
      'b.json:2:2: "/max_rounds" is there twice, the first time in line 1',
    )
    expect(await faultOf('b.json', '{\n  "modelid": "fast"\n}')).to.match(
      /b\.json:2:3 is not valid at \/modelid: .*Did you mean "model_id"\?/,
    )
    expect(await faultOf('b.json', '{\n  "id": "a"\n}')).to.include('b.json:2:3: its id is "a"')
    expect(await faultOf('b.json', '{\n  "id" "b"\n}')).to.include('b.json:2:8: it is not JSON: ')
    const deep = `{"config": ${'['.repeat(1 << 18)}${']'.repeat(1 << 18)}}`
    expect(await faultOf('b.json', deep)).to.include('nested too deep')
    rmSync(join(folder, 'b.json'))
    expect(await faultOf('c d.md', '')).to.include('/id')
  })

  it('have a fault where they are too large, or grow without end', async () => {
    expect(await faultOf('a.md', 'x'.repeat(10 << 20))).to.include('more than 1048576 characters')
    const grow = ['a: &a [x, x]']
    for (let level = 0; level < 20; level++) {
      const name = String.fromCharCode(98 + level)
      const from = `*${String.fromCharCode(97 + level)}`
      grow.push(`${name}: &${name} [${Array.from({ length: 9 }, () => from).join(', ')}]`)
    }
    expect(await faultOf('a.md', `---\n${grow.join('\n')}\n---\n`)).to.include('not YAML')
  })

  it('may have blank lines above the front matter', async () => {
    write('a.md', '\n \t\r\n---\nallowed_tools: []\n---\nGreet.\n')
    expect((await readAgentFiles(folder)).agents).to.deep.equal([
      { id: 'a', allowed_tools: [], system_prompt: 'Greet.' },
    ])
    expect(await faultOf('a.md', '\n\n---\nid: a\nmodel_id: [fast\n---\n')).to.match(
      /a\.md:5:\d+: /,
    )
    expect(await faultOf('a.md', '\n---\nmodel_id: fast\n')).to.match(/a\.md:2: .* has no end/)
  })

  const SPEC = 'max_rounds: 2\nallowed_tools: []\n'
  const misplaced: readonly (readonly [title: string, text: string, line: number])[] = [
    ['a space', ` ---\n${SPEC}---\nGreet.`, 1],
    ['a second byte order mark', `\uFEFF\uFEFF---\n${SPEC}---\nGreet.`, 1],
    ['a character without width', `\u200B---\n${SPEC}---\nGreet.`, 1],
    ['a comment', `<!-- Mine.\nAll. -->\n\n---\n${SPEC}---\nGreet.`, 4],
    ['a comment, and a misspelled key', '<!-- Mine. -->\n---\nallowed_tool: []\n---\nGreet.', 2],
    ['the beginning of a block of code', `\`\`\`yaml\n---\n${SPEC}---\n\`\`\`\nGreet.`, 2],
    ['a heading', `# Greeter\r\n\r\n---\r\n# Few.\r\n${SPEC}---\r\nGreet.`, 3],
    ['a sentence after a block of code', `\`\`\`\nx\n\`\`\`\nSo:\n---\n${SPEC}---\nGreet.`, 5],
  ]
  for (const [title, text, line] of misplaced) {
    it(`are refused with ${title} above the front matter`, async () => {
      expect(await faultOf('a.md', text)).to.include(
        `a.md:${line}: its front matter must be at the beginning`,
      )
    })
  }

  it('are refused with front matter without the line above it', async () => {
    expect(await faultOf('a.md', `${SPEC}---\nGreet.`)).to.include('a.md:1: its front matter')
    const fenced = `\`\`\`yaml\n${SPEC}\`\`\`\nGreet.`
    expect(await faultOf('a.md', fenced)).to.include('a.md:2: its front matter')
  })

  it('may have lines and keys in their prompts, and whole specs in blocks of code', async () => {
    const prompts = [
      'You write minutes.\n\n---\nDate: today\n---\nMore.',
      `You write agents:\n\`\`\`md\n---\n${SPEC}---\nGreet.\n\`\`\``,
      '<!-- Mine. -->\nGreet.\n---\nMore.',
      '<!-- Greet.',
      'description: of a thing is your work.\n```\nx\n```',
    ]
    for (const prompt of prompts) {
      write('a.md', prompt)
      expect(await readAgentFiles(folder)).to.deep.equal({
        agents: [{ id: 'a', system_prompt: prompt }],
        faults: [],
      })
    }
    const text = `So:\n---\n${SPEC}---`
    write('a.md', `---\n---\n${text}`)
    expect((await readAgentFiles(folder)).agents).to.deep.equal([{ id: 'a', system_prompt: text }])
  })

  it('are refused if they are not text in UTF-8, with the line', async () => {
    const text = `---\n${SPEC}---\nGrüße.\n`
    const wide = Buffer.from(`\uFEFF${text}`, 'utf16le')
    const odd: readonly (readonly [bytes: Buffer, line: number])[] = [
      [Buffer.from(text, 'latin1'), 5],
      [wide, 1],
      [Buffer.from(wide).swap16(), 1],
      [wide.subarray(2), 1],
      [Buffer.from(`${text}a\0b\n`), 6],
    ]
    for (const [bytes, line] of odd) {
      writeFileSync(join(folder, 'a.md'), bytes)
      const { agents, faults } = await readAgentFiles(folder)
      expect(agents).to.deep.equal([])
      expect(faults.map(({ code, message }) => [code, message])).to.deep.equal([
        [
          'SPEC_INVALID',
          `${join(folder, 'a.md')}: it cannot be read: it is not text in UTF-8 (line ${line}).`,
        ],
      ])
    }
  })

  it('have no types beside those of JSON', async () => {
    write('a.md', '---\ndescription: 2026-01-01\n---\n')
    expect((await readAgentFiles(folder)).agents).to.deep.equal([
      { id: 'a', description: '2026-01-01' },
    ])
    expect(await faultOf('a.md', '---\ndescription: !!js/function x\n---\n')).to.be.a('string')
  })
})
