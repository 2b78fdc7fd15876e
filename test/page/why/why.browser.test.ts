import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Host } from '../../../src/core/index.ts'
import { createServer, type Listening, LOCAL, listen } from '../../../src/server/index.ts'
import { BROWSER_IS_MISSING } from '../../browser/program.ts'
import { CONFIGS, shippedHost } from './explained.ts'
import { type Job, type Step, type Used, useDrawer } from './in-browser.ts'

/** Plugins that a tag keeps off. */
const BLOCKED = [
  {
    kind: 'feature',
    name: 'describe-images',
    requiredTags: ['vision'],
    prepareMessages: (messages: unknown) => messages,
  },
  { kind: 'feature', name: 'odd', requiredTags: ['unheard-of'] },
  {
    kind: 'extension',
    name: 'shout',
    forbiddenTags: ['tools'],
    fromNative: (_natives: unknown, core: unknown) => core,
  },
]

const OPEN: readonly Step[] = [{ click: ['button', 'Why'] }, { waitFor: 'Choose a plugin' }]
const LOOKS: readonly Step[] = [{ read: 'contrast' }, { read: 'overflow' }]
const press = (...keys: readonly string[]): readonly Step[] => keys.map((key) => ({ press: key }))
const focusAfter = (...keys: readonly string[]): readonly Step[] => [
  ...press(...keys),
  { read: 'focus' },
]

function picture(name: string): readonly Step[] {
  const folder = process.env['SCREENSHOTS']
  return folder === undefined ? [] : [{ picture: `${folder}/why-${name}.png` }]
}

/** All that there is to see, in one size and one scheme. */
function tour(name: string, more: Partial<Job>): Job {
  const at = (place: string): readonly Step[] => [...picture(`${name}-${place}`), ...LOOKS]
  return {
    name,
    ...more,
    steps: [
      ...OPEN,
      { click: ['button', 'Picture'] },
      ...at('picture'),
      { click: ['button', 'List'] },
      ...at('list'),
      { click: ['button', 'describe-images'] },
      ...at('plugin'),
      { click: ['tab', 'Tools'] },
      ...at('tools'),
    ],
  }
}

const JOBS: readonly Job[] = [
  tour('wide', {}),
  tour('dark', { dark: true }),
  tour('narrow', { width: 360 }),
  tour('narrow and dark', { width: 360, dark: true }),
  { name: 'names', steps: [...OPEN, { read: 'aria' }] },
  { name: 'narrow names', width: 360, steps: [...OPEN, { read: 'aria' }] },
  {
    name: 'keys',
    steps: [
      ...OPEN,
      { read: 'focus' },
      ...focusAfter('Tab'),
      ...focusAfter('Tab'),
      ...focusAfter('Tab', 'Tab', 'Tab', 'Tab'),
      ...focusAfter('ArrowDown'),
      ...focusAfter('ArrowUp', 'ArrowRight', 'ArrowRight'),
      ...focusAfter('End'),
      ...focusAfter('Home'),
      ...focusAfter('Enter'),
      { read: '.why-reason' },
      ...focusAfter('Shift+Tab', 'Enter'),
      ...focusAfter('Escape'),
      { read: 'aria' },
    ],
  },
  {
    name: 'tab keys',
    steps: [
      ...OPEN,
      ...focusAfter('Tab', 'Tab', 'ArrowRight'),
      { read: '.drawer-panel h3' },
      ...focusAfter('ArrowRight'),
    ],
  },
  {
    name: 'plugin',
    steps: [
      ...OPEN,
      { click: ['button', 'prompt-cache, Extension, does not fit'] },
      { read: '.why-detail' },
      { click: ['button', 'Copy'] },
      { waitFor: 'Copied' },
      { read: 'clipboard' },
      { click: ['button', 'All plugins'] },
      { click: ['button', 'shout, Extension, does not fit'] },
      { read: '.why-tags' },
      { click: ['button', 'scripted'] },
      { read: '.why-detail' },
      { click: ['button', 'All plugins'] },
      { click: ['button', 'odd, Feature, does not fit'] },
      { read: '.why-detail' },
    ],
  },
  {
    name: 'tools',
    steps: [
      ...OPEN,
      { click: ['tab', 'Tools'] },
      { read: '.drawer-panel' },
      { click: ['button', 'calculator'] },
      { read: 'focus' },
    ],
  },
  {
    name: 'German tools',
    locale: 'de-DE',
    steps: [
      { click: ['button', 'Why'] },
      { click: ['tab', 'Werkzeuge'] },
      { waitFor: 'Nicht angeboten' },
      { read: '.drawer-panel' },
      ...picture('german-tools'),
    ],
  },
  {
    name: 'errors',
    steps: [
      { fail: 0 },
      { click: ['button', 'Why'] },
      { waitFor: 'Try again' },
      { read: '.drawer-error' },
      ...picture('error'),
      { fail: 401 },
      { click: ['button', 'Try again'] },
      { read: 'focus' },
      { waitFor: 'asks for a token' },
      { fail: 500 },
      { click: ['button', 'Try again'] },
      { waitFor: 'the reason' },
      { fail: null },
      { click: ['button', 'Try again'] },
      { waitFor: 'Choose a plugin' },
    ],
  },
  {
    name: 'rounds',
    steps: [
      ...OPEN,
      { read: '.why-rounds' },
      { click: ['button', 'before round 1'] },
      { waitFor: 'before round 1' },
      { read: 'aria' },
      ...LOOKS,
      { click: ['button', 'after round 1'] },
      { read: 'aria' },
    ],
  },
  {
    name: 'agent',
    agent: 'nobody',
    steps: [{ click: ['button', 'Why'] }, { waitFor: 'Try again' }, { read: '.drawer' }],
  },
]

describe('the drawer that explains, in a browser', function () {
  this.timeout(120_000)
  let host: Host
  let listening: Listening
  let all: ReadonlyMap<string, Used>

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`"${this.test?.parent?.title}" is skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    host = await shippedHost(BLOCKED, CONFIGS[1])
    const server = await createServer({ host, storage: memoryStorage(), anonymous: LOCAL })
    listening = await listen(server, { port: 0 })
    all = await useDrawer(listening.url, JOBS)
  })
  after(async () => {
    await listening?.close()
    await host?.close()
  })

  /** What a job read on a page where nothing was thrown. */
  function readBy(name: string): readonly string[] {
    const used = all.get(name) ?? expect.fail(`no job ${name}`)
    expect({ thrown: used.thrown, said: used.said }).to.deep.equal({ thrown: undefined, said: [] })
    return used.read as readonly string[]
  }

  for (const name of ['wide', 'dark', 'narrow', 'narrow and dark']) {
    it(`can be read and fits, ${name}`, () => {
      expect(readBy(name)).to.deep.equal(Array.from({ length: 8 }, () => []))
    })
  }

  it('has names for everything: the dialog, its tabs, and a button for each plugin', () => {
    const [aria = ''] = readBy('names')
    expect(aria).to.include('dialog "Why this answer: plugins and tools"')
    expect(aria).to.match(/tab "Plugins \d+ of \d+" \[selected\]/)
    expect(aria).to.include('tabpanel "Plugins').and.include('button "Close"')
    expect(aria).to.include('group "The plugins and their tags"')
    for (const name of ['scripted, Provider, on', 'guard, Extension, off']) {
      expect(aria).to.include(`button "${name}"`)
    }
    expect(aria).not.to.match(/button\s*$/m)
  })

  it('has a list first where there is little room', () => {
    const [aria = ''] = readBy('narrow names')
    expect(aria).to.include('heading "Providers" [level=3]').and.include('button "scripted on')
    expect(aria).not.to.include('group "The plugins')
  })

  it('takes the focus, is used by keys alone, and gives the focus back', () => {
    const read = readBy('keys')
    expect(read.slice(0, 3)).to.deep.equal(['Why this answer: plugins and tools', 'Close', read[2]])
    expect(read[2]).to.match(/^Plugins \d/)
    expect(read.slice(3, 9)).to.deep.equal([
      'scripted, Provider, on',
      'ai-sdk, Provider, off',
      'citations, Extension, on',
      'usage-cost, Extension, off',
      'citations, Extension, on',
      'citations',
    ])
    expect(read[9]).to.include('Every tag that it requires is there')
    expect(read.slice(10, 12)).to.deep.equal(['citations, Extension, on', 'Why'])
    expect(read[12]).not.to.include('dialog')
  })

  it('has tabs that arrow keys choose, around both ends', () => {
    const [tools, heading, plugins] = readBy('tab keys')
    expect(tools).to.match(/^Tools/)
    expect(heading).to.equal('Offered to the model')
    expect(plugins).to.match(/^Plugins/)
  })

  it('says of a plugin why it is off, and what turns it on, in words and as config to copy', () => {
    const [cache = '', copied = '', tags = '', scripted = '', odd = ''] = readBy('plugin')
    expect(cache).to.include('Required tags are missing: “prompt-caching”, “messages”.')
    expect(cache).to.include('Decided in round 1')
    expect(cache).to.match(/set provider to “anthropic” and model to “claude-[^”]+”/)
    expect(JSON.parse(copied)).to.include({ provider: 'anthropic' }).and.have.property('model')
    expect(tags.split(/\s+/)).to.include.members(['tools', 'forbidden', 'present', 'scripted'])
    expect(scripted).to.include('It is the provider of this config')
    expect(odd).to.include('No change of the config turns it on.')
    expect(odd).to.include('No plugin provides the tag “unheard-of”')
  })

  it('shows the tools that are offered, and why the others are not, and leads to their plugins', () => {
    const [panel = '', focus] = readBy('tools')
    const [offered = '', others = ''] = panel.split('Not offered')
    expect(offered).to.include('calculate').and.include('read-only').and.include('runs without')
    expect(others).to.include('ask-user').and.include('It is off by default')
    expect(others).to.include('There is no large result to read.')
    expect(focus).to.equal('calculator')
  })

  it('says in German why tools are not offered', () => {
    const [, others = ''] = (readBy('German tools')[0] ?? '').split('Nicht angeboten')
    expect(others).to.include('Es gibt kein großes Ergebnis zu lesen.')
    expect(others).to.include('Es ist nur an, wenn die Konfiguration')
    expect(others).not.to.include('There is').and.not.to.include('off by default')
  })

  it('shows the plugins as they were before a round took some out', () => {
    const [rounds, before, , , after] = readBy('rounds')
    expect(rounds).to.match(/^The plugins as they were\s+before round 1\s+after round 1$/)
    expect(before).to.include('shout, Extension, on').and.include('odd, Feature, on')
    expect(after).to.include('shout, Extension, does not fit')
  })

  it('shows errors, and asks again', () => {
    const [error, focus] = readBy('errors')
    expect(error).to.include('The server cannot be reached.')
    expect(focus).to.equal('Plugins')
  })

  it('shows what the server says of an agent that it does not know', () => {
    expect(readBy('agent')[0]).to.include('For nobody').and.include('That did not work: ')
  })
})
