import { execFileSync } from 'node:child_process'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { textOf } from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { type Changes, calling, callsIn, Example, endsIn } from './example.ts'

const write = (input: object) => ({ name: 'write_note', input })
const read = (title: string) => ({ name: 'read_note', input: { title } })
const search = (query: string) => ({ name: 'search_notes', input: { query } })

describe('the example notes-keeper', () => {
  const open: Example[] = []
  afterEach(async () => {
    for (const example of open.splice(0)) await example.close()
  })

  async function opened(changes: Changes = {}): Promise<Example> {
    const example = await Example.open('notes-keeper', changes)
    open.push(example)
    return example
  }

  it('keeps what it is told, and finds it again in a later run', async () => {
    const example = await opened()
    const kept = 'Please keep this: the spare key is in the blue vase.'
    const { events, result } = await example.stream({ messages: kept })
    expect(await example.text('notes', 'kept.md')).to.equal(`${kept}\n`)
    expect(endsIn(events)).to.deep.equal(callsIn(result))
    expect(textOf(result.messages.at(-1)!)).to.equal('It is in the note "kept".')
    const found = await example.result({ messages: 'Please find my notes.' })
    expect(callsIn(found).map(({ name }) => name)).to.deep.equal(['search_notes', 'read_note'])
    expect(textOf(found.messages.at(-1)!)).to.equal(`${kept}\n`)
  })

  it('replaces a note, or continues it, and says where it is', async () => {
    const script = calling(
      write({ title: 'Café 2', text: 'old' }),
      write({ title: 'Café 2', text: 'one' }),
      write({ title: 'Café 2', text: 'two', append: true }),
    )
    const example = await opened({ script })
    const { messages } = await example.result()
    expect(await example.text('notes', 'Café 2.md')).to.equal('one\ntwo\n')
    const artifacts = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? (part.artifacts ?? []) : [])),
    )
    expect(artifacts.map(({ title }) => title)).to.deep.equal(['Café 2', 'Café 2', 'Café 2'])
    expect(artifacts[0]?.uri).to.match(/^file:.*\/notes\/Caf%C3%A9%202\.md$/)
  })

  it('searches all notes in any case, line by line, up to a number of lines', async () => {
    const long = Array.from({ length: 30 }, (_, at) => `bread ${at}`).join('\n')
    const script = calling(
      write({ title: 'a', text: 'Milk\nBREAD' }),
      search('bread'),
      write({ title: 'b', text: long }),
      search('bread'),
      search('cheese'),
    )
    const example = await opened({ script })
    const [, few, , many, none] = callsIn(await example.result())
    expect(few?.output).to.deep.equal({ matches: [{ title: 'a', line: 2, text: 'BREAD' }] })
    expect(many?.output).to.have.property('more', true)
    expect(many?.output).to.have.property('matches').with.length(20)
    expect(none?.output).to.deep.equal({ matches: [] })
  })

  for (const title of [
    '../agents/new',
    '/etc/passwd',
    'a/b',
    '..',
    '.hidden',
    'a\0b',
    'x'.repeat(81),
  ]) {
    it(`writes and reads nothing under the title ${JSON.stringify(title).slice(0, 20)}`, async () => {
      const script = calling(write({ title, text: 'mine' }), read(title))
      const example = await opened({ script })
      const before = await readdir(example.folder, { recursive: true })
      const calls = callsIn(await example.result())
      expect(calls.map((call) => call.class)).to.deep.equal([
        'invalid_arguments',
        'invalid_arguments',
      ])
      expect(String(calls[0]?.output)).to.include('is not a title')
      expect(await readdir(example.folder, { recursive: true })).to.deep.equal(before)
    })
  }

  it('follows no link out of the folder, for reading, writing and searching', async () => {
    const script = calling(read('out'), write({ title: 'out', text: 'mine' }), search('secret'))
    const example = await opened({ script })
    await mkdir(example.at('notes'))
    await writeFile(example.at('private.txt'), 'secret')
    await symlink(example.at('private.txt'), example.at('notes', 'out.md'))
    const calls = callsIn(await example.result())
    expect(String(calls[0]?.output)).to.include('is a link')
    expect(String(calls[1]?.output)).to.include('is a link')
    expect(calls[2]?.output).to.deep.equal({ matches: [] })
    expect(await example.text('private.txt')).to.equal('secret')
  })

  it('does not wait for a pipe among the notes', async () => {
    const example = await opened({ script: calling(read('pipe'), search('x')) })
    await mkdir(example.at('notes'))
    execFileSync('mkfifo', [example.at('notes', 'pipe.md')])
    const [piped, found] = callsIn(await example.result())
    expect(String(piped?.output)).to.include('is not a regular file')
    expect(found?.output).to.deep.equal({ matches: [] })
  })

  it('says what is missing where a note or the folder is not there', async () => {
    const example = await opened({ script: calling(search('x'), read('none')) })
    const [found, none] = callsIn(await example.result())
    expect(found?.output).to.deep.equal({ matches: [] })
    expect(String(none?.output)).to.include('"none" does not exist')
  })

  it('offers the tools of its catalog only, and needs a folder', async () => {
    const example = await opened({ spec: { allowed_tools: ['notes.read_note'] } })
    const { tools } = await example.runtime.resolve('notes-keeper')
    const offered = tools.filter((tool) => tool.offered).map(({ tool_name: name }) => name)
    expect(offered).to.deep.equal(['read_note'])
    const [refused] = callsIn(await example.result({ messages: 'keep it' }))
    expect(refused?.class).to.equal('permission_denied')
    const error = await errorOf(example.host.send({ settings: { notes: { folder: '' } } }, 'keep'))
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/notes/folder' })
  })
})
