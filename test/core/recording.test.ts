import { expect } from 'chai'
import { Recording, recordedView } from '../../src/core/recording.ts'

const CONFIG = { model: 'm', settings: { a: { x: 1, y: { z: [1, 2] } }, 'b/c': { q: null } } }

/** The pointers that reading a view notes. */
function readsOf(
  read: (view: typeof CONFIG & { [key: string]: unknown }) => unknown,
): readonly string[] {
  const recording = new Recording()
  read(recording.view(CONFIG) as typeof CONFIG & { [key: string]: unknown })
  return recording.pointers
}

describe('Recording', () => {
  it('notes the values that are read, and not the objects on the way there', () => {
    expect(readsOf((view) => view.settings.a.x)).to.deep.equal(['/settings/a/x'])
    expect(readsOf((view) => view.settings.a.y.z)).to.deep.equal(['/settings/a/y/z'])
    expect(readsOf((view) => view.settings['b/c'].q)).to.deep.equal(['/settings/b~1c/q'])
  })

  it('notes what was looked for and is not there', () => {
    expect(readsOf((view) => view['seed'])).to.deep.equal(['/seed'])
    expect(readsOf((view) => 'seed' in view)).to.deep.equal(['/seed'])
    expect(readsOf((view) => Object.hasOwn(view.settings, 'gone'))).to.deep.equal([
      '/settings/gone',
    ])
  })

  it('notes an object that was only reached as a whole', () => {
    expect(readsOf((view) => Boolean(view.settings.a))).to.deep.equal(['/settings/a'])
  })

  for (const [how, dump] of Object.entries({
    'a spread': (value: object) => ({ ...value }),
    'JSON.stringify': (value: object) => JSON.stringify(value),
    'Object.keys': (value: object) => Object.keys(value),
    'Object.entries': (value: object) => Object.entries(value),
    'for in': (value: object) => {
      for (const _ in value) return
    },
  })) {
    it(`counts ${how} for all that stands below`, () => {
      expect(readsOf((view) => dump(view.settings.a))).to.deep.equal(['/settings/a'])
      expect(readsOf((view) => [view.settings.a.x, dump(view)])).to.deep.equal([''])
    })
  }

  it('shows the values as they are', () => {
    const recording = new Recording()
    const view = recording.view(CONFIG)
    expect({ ...view }).to.deep.equal(CONFIG)
    expect(JSON.parse(JSON.stringify(view))).to.deep.equal(CONFIG)
    expect(view.settings).to.equal(view.settings)
    expect(view.toString()).to.equal('[object Object]')
    expect(Object.keys(view)).to.deep.equal(['model', 'settings'])
  })

  it('shows frozen values, and lets nothing be changed', () => {
    const frozen = Object.freeze({ a: Object.freeze({ b: 1 }) })
    const view = new Recording().view(frozen)
    expect(view.a.b).to.equal(1)
    expect(() => Object.assign(view, { c: 1 })).to.throw(TypeError)
    expect(() => Reflect.deleteProperty(view, 'a') || expect.fail('kept')).to.throw('kept')
  })

  it('says of a view what stands behind it, so that another reader may note its own reads', () => {
    const recording = new Recording()
    const behind = recordedView(recording.view(CONFIG).settings)
    expect(behind).to.include({ recording, value: CONFIG.settings, pointer: '/settings' })
    expect(recordedView(CONFIG)).to.equal(undefined)
  })
})
