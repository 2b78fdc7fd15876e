import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { withInstructions } from '../../features/instructions/edit-messages.ts'
import instructions from '../../features/instructions/index.ts'
import { readSettings } from '../../features/instructions/settings.ts'
import { bindRequest, prepare } from '../../src/core/chain/index.ts'
import { resolve } from '../../src/core/resolve/resolve.ts'
import type { Config } from '../../src/plugin/config.ts'
import type { Message } from '../../src/plugin/events/index.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'
import { conversation } from '../helpers/arbitraries.ts'
import { errorOf, eventProvider } from '../helpers/plugins.ts'

const PLUGINS = [eventProvider([]), instructions as unknown as AnyPlugin]
const QUESTION: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] }

function configOf(settings: object): Config {
  return { enabled_plugins: ['instructions'], settings: { instructions: { ...settings } } }
}

/** The messages as the provider sees them. */
async function edited(settings: object, messages: readonly Message[] = [QUESTION]) {
  const { plugins, config } = await resolve(PLUGINS, configOf(settings))
  return (await prepare(bindRequest({ plugins, config, messages }))).native as readonly Message[]
}

function system(...texts: string[]): Message {
  return { role: 'system', parts: texts.map((text) => ({ type: 'text', text })) }
}

describe('instructions', () => {
  it('go into a system message before all others', async () => {
    expect(await edited({ text: ' Be brief. ' })).to.deep.equal([system('Be brief.'), QUESTION])
  })

  it('go to the head of the system message that is there', async () => {
    expect(await edited({ text: 'Be brief.' }, [system('You are Ada.'), QUESTION])).to.deep.equal([
      system('Be brief.\n\n', 'You are Ada.'),
      QUESTION,
    ])
  })

  it('are not put in twice', async () => {
    for (const messages of [
      [QUESTION],
      [system('You are Ada.'), QUESTION],
      [system('Be brief.'), QUESTION],
    ]) {
      const once = await edited({ text: 'Be brief.' }, messages)
      expect(await edited({ text: 'Be brief.' }, once)).to.deep.equal(once)
    }
  })

  it('are off until they are asked for, and on without a text, so that a form can ask for one', async () => {
    const ruleOf = async (config: Config) =>
      (await resolve(PLUGINS, config)).resolution.trace.find(
        ({ plugin }) => plugin === 'instructions',
      )?.rule
    expect(await ruleOf({ settings: { instructions: { text: 'Be brief.' } } })).to.equal(
      'off by default',
    )
    expect(await ruleOf(configOf({}))).to.equal('tags')
    expect(await edited({}, [QUESTION])).to.deep.equal([QUESTION])
    expect(await edited({ text: ' ', files: [] }, [QUESTION])).to.deep.equal([QUESTION])
  })

  it('keep any conversation behind them, and the second time change nothing', () => {
    fc.assert(
      fc.property(conversation, fc.string({ minLength: 1 }), (messages, text) => {
        const once = withInstructions(messages, text)
        expect(once).to.have.length(messages.length + 1)
        expect(once.slice(1)).to.deep.equal(messages)
        expect(withInstructions(once, text)).to.equal(once)
      }),
    )
  })

  describe('in files', () => {
    let folder: string
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'instructions-'))
    })
    afterEach(() => rm(folder, { recursive: true }))

    async function file(name: string, content: string | Buffer): Promise<string> {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    }

    it('come after the text, in their order', async () => {
      const files = [await file('b.md', '\uFEFF# House\n'), await file('a.txt', 'Say "you".\n')]
      const [message] = await edited({ text: 'Be brief.', files })
      expect(message).to.deep.equal(system('Be brief.\n\n# House\n\nSay "you".'))
    })

    it('have paths that start at the working directory', async () => {
      const path = relative(process.cwd(), await file('a.md', 'House'))
      expect((await edited({ files: [path] }))[0]).to.deep.equal(system('House'))
    })

    it('are read at each request', async () => {
      const files = [await file('a.md', 'Old')]
      await edited({ files })
      await file('a.md', 'New')
      expect((await edited({ files }))[0]).to.deep.equal(system('New'))
    })

    it('that are empty change nothing', async () => {
      expect(await edited({ files: [await file('a.md', '\n')] })).to.deep.equal([QUESTION])
    })

    it('that cannot be used are an error with a pointer', async () => {
      const faults: readonly [path: string, message: string][] = [
        [join(folder, 'none.md'), 'does not exist'],
        [folder, 'is not a file'],
        [await file('a.png', Buffer.from([0x89, 0x50, 0])), 'is not UTF-8 text'],
        [await file('b.md', Buffer.from([0xff, 0xfe, 0x41])), 'is not UTF-8 text'],
        [await file('c.md', 'a'.repeat(256 * 1024 + 1)), 'is larger than 256 KB'],
      ]
      for (const [path, message] of faults) {
        const error = await errorOf(edited({ files: [await file('good.md', 'a'), path] }))
        expect(error).to.include({
          code: 'SETTINGS_INVALID',
          pointer: '/settings/instructions/files/1',
          plugin: 'instructions',
        })
        expect(error.message).to.include(message)
      }
    })
  })

  it('that are no path are refused by their place, also without a host', async () => {
    for (const file of ['', 1, null]) {
      const settings = { instructions: { files: ['a.md', file] } }
      const error = await errorOf(async () => readSettings({ settings }))
      expect(error).to.include({ pointer: '/settings/instructions/files/1' })
    }
  })

  it('that are no text or no list are refused', async () => {
    const faults: readonly [settings: object, pointer: string][] = [
      [{ text: 1 }, '/text'],
      [{ files: 'a.md' }, '/files'],
      [{ files: [''] }, '/files/0'],
    ]
    for (const [settings, pointer] of faults) {
      const error = await errorOf(edited(settings))
      expect(error).to.include({
        code: 'SETTINGS_INVALID',
        pointer: `/settings/instructions${pointer}`,
      })
    }
  })
})
