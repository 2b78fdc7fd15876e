import { expect } from 'chai'
import fc from 'fast-check'
import { checkPlugin } from '../../../src/core/load/check-plugin.ts'
import type { AnyPlugin } from '../../../src/plugin/plugin.ts'
import { caller, extension, feature, provider, tool } from '../../helpers/plugins.ts'

/** The messages of a check that refused, or of its notes. */
function messagesOf(value: unknown): string {
  return checkPlugin(value)
    .diagnostics.map(({ message }) => message)
    .join('\n')
}

/** Functions of their own, near to the names of hooks. */
const WORDS = [
  'calc',
  'small',
  'cells',
  'clone',
  'closed',
  'lose',
  'unit',
  'steam',
  'scream',
  'initDb',
  'getTag',
].concat([
  'finalized',
  'getModel',
  'getModes',
  'setModels',
  'getTabs',
  'editMessage',
  'runSend',
  'toolDate',
  'START',
])
const OWN_VALUES = { provider: 'x', action: {}, affects: ['x'], provides: ['x'], STATE_KEYS: ['x'] }

const run = (): unknown[] => []

describe('checkPlugin', () => {
  it('takes plugins of the four kinds, as they are', () => {
    for (const plugin of [provider(), caller('c', []), extension('e'), feature('f'), tool('t')]) {
      expect(checkPlugin(plugin)).to.deep.equal({ plugin, diagnostics: [] })
    }
  })

  it('takes an instance of a class, hooks of its parents included', () => {
    class Parent {
      kind = 'extension'
      fromNative(_natives: unknown, core: unknown) {
        return core
      }
    }
    class Child extends Parent {
      name = 'child'
      init(_config: unknown, state: unknown) {
        return state
      }
    }
    const plugin = new Child()
    expect(checkPlugin(plugin).plugin).to.equal(plugin)
    class Wrong extends Child {
      proccessChunk() {
        return []
      }
    }
    expect(messagesOf(new Wrong())).to.match(/Did you mean "processChunk"\?$/)
  })

  const FAULTS: readonly [what: string, value: unknown, message: string][] = [
    ['nothing', null, 'Null in the list of plugins is not a plugin'],
    ['text', 'openai', 'A value of type string'],
    [
      'a function',
      () => feature('f'),
      'A function in the list of plugins is not a plugin; give the',
    ],
    ['a list', [feature('f')], 'A list in the list of plugins is not a plugin; give its plugins'],
    [
      'a promise',
      Promise.resolve({}),
      'A promise in the list of plugins is not a plugin; write "await"',
    ],
    [
      'a module',
      { default: feature('f') },
      'A module in the list of plugins is not a plugin; give its default',
    ],
    ['an object without a name', { kind: 'tool' }, 'no usable "name"'],
    ['a name with a space', { kind: 'tool', name: 'a b' }, 'no usable "name"'],
    ['an unknown kind', { kind: 'plugin', name: 'a' }, 'has the kind "plugin"'],
    ['a misspelled kind', { kind: 'extention', name: 'a' }, 'Did you mean "extension"?'],
    [
      'a provider without call and stream',
      { kind: 'provider', name: 'p' },
      'neither "call" nor "stream"',
    ],
    [
      'a format of tool schemas that there is not',
      caller('c', [], { toolSchemaFormat: 'openai' }),
      'has a "toolSchemaFormat" that is "openai", and none of json-schema, openai-strict, anthropic, google.',
    ],
    [
      'a misspelled format of tool schemas',
      caller('c', [], { toolSchemaFormat: 'json_shema' }),
      'Did you mean "json-schema"?',
    ],
    [
      'a format of tool schemas that is no text',
      caller('c', [], { toolSchemaFormat: { name: 'google' } }),
      'that is of type object',
    ],
    ['a misspelled hook', extension('e', { fromnative: () => [] }), 'Did you mean "fromNative"?'],
    [
      'a hook of the Python spelling',
      extension('e', { from_native: () => [] }),
      'Did you mean "fromNative"?',
    ],
    [
      'a hook that is no function',
      feature('f', { init: {} }),
      'has a hook "init" that is not a function',
    ],
    ['tags that are text', feature('f', { requiredTags: 'a' }), 'is not an array of strings'],
    ['a default that is text', feature('f', { defaultEnabled: 'no' }), 'is not of type boolean'],
    ['a misspelled value', feature('f', { requiredTag: ['a'] }), 'Did you mean "requiredTags"?'],
    ['a hook with one wrong letter', feature('f', { editMesages: run }), '"editMessages"?'],
    ['a hook with two letters swapped', extension('e', { fianlize: run }), '"finalize"?'],
    ['a hook in British spelling', extension('e', { finalise: run }), '"finalize"?'],
    ['a value with two letters swapped', extension('e', { porviders: ['a'] }), '"providers"?'],
  ]
  for (const [what, value, message] of FAULTS) {
    it(`refuses ${what}, and says what is wrong`, () => {
      const { plugin, diagnostics } = checkPlugin(value)
      expect(plugin).to.equal(undefined)
      expect(diagnostics[0]).to.include({ code: 'PLUGIN_INVALID', level: 'error' })
      expect(diagnostics[0]?.message).to.include(message)
    })
  }

  it('names all faults at once', () => {
    expect(messagesOf(feature('f', { init: 1, requiredTags: 2 })))
      .to.include('"init"')
      .and.include('"requiredTags"')
  })

  it('notes a hook that the kind does not have, and keeps the plugin', () => {
    const plugin: AnyPlugin = feature('f', { processChunk: () => [] })
    expect(checkPlugin(plugin)).to.deep.equal({
      plugin,
      diagnostics: [
        {
          code: 'HOOK_IGNORED',
          level: 'warning',
          plugin: 'f',
          message: '"processChunk" of feature "f" never runs: a feature has no such hook.',
        },
      ],
    })
  })

  it('names a kind with its article', () => {
    const [diagnostic] = checkPlugin(extension('e', { toolGate: () => undefined })).diagnostics
    expect(diagnostic?.message).to.include('an extension has no such hook')
  })

  it('lets a plugin have members of its own', () => {
    expect(checkPlugin(tool('t', { cache: new Map(), helper: () => 1 })).diagnostics).to.deep.equal(
      [],
    )
  })

  it('takes members whose names are words of their own, however near to that of a hook or value', () => {
    for (const name of WORDS) {
      const plugin = feature('f', { [name]: run })
      expect(checkPlugin(plugin), name).to.deep.equal({ plugin, diagnostics: [] })
    }
    for (const [name, value] of Object.entries(OWN_VALUES)) {
      const plugin = extension('e', { [name]: value })
      expect(checkPlugin(plugin), name).to.deep.equal({ plugin, diagnostics: [] })
    }
  })

  it('takes a member beside the hook that it is near to', () => {
    const plugin = feature('f', { editMessages: run, editMesages: run })
    expect(checkPlugin(plugin)).to.deep.equal({ plugin, diagnostics: [] })
  })

  it('takes what would be the hook of another kind', () => {
    const plugin = tool('t', { proccessChunk: run })
    expect(checkPlugin(plugin)).to.deep.equal({ plugin, diagnostics: [] })
  })

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => void checkPlugin(value)),
    )
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap')
        },
      },
    )
    expect(checkPlugin(trap).diagnostics[0]?.message).to.include('cannot be read: trap')
  })
})
