import { expect } from 'chai'
import { schema, tool } from '../../helpers/plugins.ts'
import { saidOf } from './one-check.ts'

describe('the checks of tools', () => {
  const offering = (more: object) =>
    tool('t', { getToolSchemas: () => [schema('look')], executeTool: () => 'seen', ...more })

  it('find a state that is no JSON', async () => {
    const check = 'has a state that is JSON'
    const plugin = (plus: unknown) => offering({ init: () => ({ plus }) })
    expect(await saidOf(check, { kind: 'tool', plugin: plugin(1) })).to.equal(undefined)
    expect(await saidOf(check, { kind: 'tool', plugin: plugin(new Date(0)) })).to.match(
      /^"init" answers with a state that is no JSON: /,
    )
  })

  it('find tools that are gone when their schemas are to be converted', async () => {
    const said: (string | undefined)[] = []
    for (let last = 1; last <= 6; last++) {
      let asked = 0
      const plugin = offering({
        getToolSchemas: () => {
          if (asked++ >= last) throw new Error('the tools are gone')
          return [schema('look')]
        },
      })
      said.push(
        await saidOf('has tools that the format google can express', { kind: 'tool', plugin }),
      )
    }
    expect(said.join('\n')).to.match(/^A schema cannot be converted: .*the tools are gone/m)
  })
})
