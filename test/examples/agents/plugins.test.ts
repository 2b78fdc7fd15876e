import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pluginChecks, type TrialOptions } from '../../../src/testing/index.ts'
import { EXAMPLES } from './example.ts'

/** Where the plugins may write; the first that does makes the folder. */
const FOLDER = join(tmpdir(), `braidwork-plugins-${process.pid}`)
const documents = join(EXAMPLES, 'researcher', 'documents')
const work = join(EXAMPLES, 'careful-shell', 'work')

const PLUGINS: readonly (readonly [module: string, options: TrialOptions])[] = [
  [
    'notes-keeper/notes.mjs',
    {
      config: { settings: { notes: { folder: FOLDER } } },
      calls: [
        { name: 'write_note', input: { title: 'a', text: 'b' } },
        { name: 'read_note', input: { title: 'a' } },
        { name: 'search_notes', input: { query: 'B' } },
      ],
    },
  ],
  [
    'researcher/library.mjs',
    {
      config: { settings: { library: { folder: documents } } },
      calls: [{ name: 'search', input: { words: 'moon' } }],
    },
  ],
  ['researcher/budget.mjs', {}],
  [
    'careful-shell/shell.mjs',
    {
      config: { settings: { shell: { folder: work, inspect: { ls: ['-l'] } } } },
      calls: [{ name: 'inspect', input: { program: 'ls', arguments: ['-l'] } }],
    },
  ],
  [
    'review/measure.mjs',
    {
      config: { settings: { measure: { most_words: 12 } } },
      calls: [{ name: 'measure', input: { text: 'One two.' } }],
    },
  ],
  ['review/rounds.mjs', {}],
  ['interviewer/interview.mjs', { config: { settings: { interview: { folder: FOLDER } } } }],
]

describe('the plugins of the examples of agents', () => {
  after(() => rm(FOLDER, { recursive: true, force: true }))

  for (const [module, options] of PLUGINS) {
    describe(module, () => {
      for (const { name, run } of pluginChecks(join(EXAMPLES, module), options)) it(name, run)
    })
  }
})
