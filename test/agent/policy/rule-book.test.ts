import { expect } from 'chai'
import fc from 'fast-check'
import { narrowed, RuleBook, type RunRules, run } from '../../../src/agent/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { errorOf, schema, tool } from '../../helpers/plugins.ts'

const NAMES = ['a', 'b', 'c', 'd'] as const

const rules: fc.Arbitrary<RunRules> = fc.record(
  {
    max_iterations: fc.integer({ min: 1, max: 9 }),
    allowed_tools: fc.uniqueArray(fc.constantFrom(...NAMES)),
    forbidden_patterns: fc.uniqueArray(fc.constantFrom('x', '^y', 'z$')),
  },
  { requiredKeys: [] },
)

describe('the rules of a run', () => {
  let ran: unknown[]
  beforeEach(() => {
    ran = []
  })

  async function runWith(book: RuleBook, { during = () => Promise.resolve(), policy = {} } = {}) {
    const shell = tool('shell', {
      getToolSchemas: () => [schema('exec'), schema('look')],
      executeTool: async (call: { readonly name: string; readonly input: unknown }) => {
        ran.push(call.name)
        await during()
        return 'ok'
      },
    })
    await using host = await scriptedHost([shell])
    const calls = [{ name: 'look' }, { name: 'exec', input: { args: [{ line: 'rm -rf /' }] } }]
    const script = [{ then: { tool_calls: calls } }]
    const config = { settings: { scripted: { script } }, ...policy }
    const { messages, ...result } = await run(host, {
      config,
      messages: 'go',
      rules: book,
      maxSteps: 3,
    }).result
    const errors = messages
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool-result' && part.error ? [part.error.class] : []))
    return { ...result, errors }
  }

  it('AL-16 block a call whose arguments have a forbidden text at any depth', async () => {
    const { errors } = await runWith(await RuleBook.of({ forbidden_patterns: ['rm -\\w+'] }))
    expect(ran).to.deep.equal(['look', 'look', 'look'])
    expect(errors).to.deep.equal(Array(3).fill('policy_blocked'))
  })

  it('AL-16 let only the allowed tools run, and as many steps as they say', async () => {
    const book = await RuleBook.of({ allowed_tools: ['exec'], max_iterations: 2 })
    const { steps, termination } = await runWith(book)
    expect(ran).to.deep.equal(['exec', 'exec'])
    expect(steps).to.equal(2)
    expect(termination).to.deep.include({ reason: 'stopped', code: 'max_rounds' })
  })

  it('AL-16 change while the run goes on, from the next check on', async () => {
    const book = await RuleBook.of()
    const during = () => book.change({ allowed_tools: ['look'], max_iterations: 2 })
    const { steps } = await runWith(book, { during })
    expect(steps).to.equal(2)
    expect(ran).to.deep.equal(['look', 'exec', 'look'])
  })

  it('AL-16 hold for a call that a person has approved', async () => {
    const book = await RuleBook.of()
    const shell = tool('shell', {
      getToolSchemas: () => [schema('exec')],
      executeTool: () => ran.push('exec'),
    })
    await using host = await scriptedHost([shell])
    const script = [
      { when: { step: 1 }, then: { tool_calls: [{ name: 'exec' }] } },
      { then: { text: 'Done.' } },
    ]
    const config = { settings: { scripted: { script } }, tool_policy: { exec: 'ask' as const } }
    const asked = await run(host, { config, messages: 'go', rules: book }).result
    const { suspension } = asked
    if (!suspension) return expect.fail('the run does not wait')
    await book.change({ allowed_tools: [] })
    const verdicts = suspension.approvals.map(({ approvalId }) => ({ approvalId, approved: true }))
    const user = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    const messages = [user, ...asked.messages]
    await run(host, { config, messages, rules: book, resume: { ...suspension, verdicts } }).result
    expect(ran).to.deep.equal([])
  })

  it('AL-16 refuse what is no pattern and no number of steps, and stay as they were', async () => {
    const book = await RuleBook.of({ max_iterations: 5 })
    const cases: readonly [RunRules, string][] = [
      [{ forbidden_patterns: ['ok', '(?<=a)b'] }, '/forbidden_patterns/1'],
      [{ max_iterations: 0 }, '/max_iterations'],
    ]
    for (const [wrong, pointer] of cases) {
      const error = await book.change(wrong).catch((thrown: unknown) => thrown)
      expect(HostError.is(error) && [error.code, error.pointer]).to.deep.equal([
        'OPTION_INVALID',
        pointer,
      ])
    }
    expect(book.rules).to.deep.equal({ max_iterations: 5 })
  })

  it('are refused where they would restrict nothing: unknown ones, and wrong values', async () => {
    const faults: readonly (readonly [object, string])[] = [
      [{ forbiden_patterns: ['.*'] }, '/forbiden_patterns'],
      [{ tools: ['a'] }, '/tools'],
      [{ allowed_tools: 'a' }, '/allowed_tools'],
      [{ allowed_tools: [1] }, '/allowed_tools'],
      [{ forbidden_patterns: '.*' }, '/forbidden_patterns'],
      [{ max_iterations: 0 }, '/max_iterations'],
    ]
    const book = await RuleBook.of({ allowed_tools: ['a'] })
    for (const [wrong, pointer] of faults) {
      const tries = [
        () => RuleBook.of(wrong),
        () => book.change(wrong),
        () => book.narrowedBy(wrong),
      ]
      for (const one of tries)
        expect(await errorOf(one)).to.include({ code: 'OPTION_INVALID', pointer })
    }
    expect(book.rules).to.deep.equal({ allowed_tools: ['a'] })
    const { message } = await errorOf(() => RuleBook.of({ forbiden_patterns: [] } as object))
    expect(message).to.include('Did you mean "forbidden_patterns"?')
  })

  it('AL-17 are the least steps, the common tools and all forbidden patterns', () => {
    expect(narrowed({}, {})).to.deep.equal({})
    expect(narrowed({ allowed_tools: ['a'] }, { max_iterations: 2 })).to.deep.equal({
      allowed_tools: ['a'],
      max_iterations: 2,
    })
    fc.assert(
      fc.property(rules, rules, (parent, child) => {
        const both = narrowed(parent, child)
        for (const one of [parent, child]) {
          expect(both.max_iterations ?? Infinity).to.be.at.most(one.max_iterations ?? Infinity)
          expect(both.forbidden_patterns ?? []).to.include.members([
            ...(one.forbidden_patterns ?? []),
          ])
          if (one.allowed_tools)
            expect(one.allowed_tools).to.include.members([...(both.allowed_tools ?? [])])
        }
        const common = NAMES.filter((name) =>
          [parent, child].every(({ allowed_tools: allowed }) => allowed?.includes(name) ?? true),
        )
        expect([...(both.allowed_tools ?? NAMES)].sort()).to.deep.equal(common)
      }),
    )
  })

  it('AL-17 let a narrowed book follow its parent, and never allow more', async () => {
    const root = await RuleBook.of({ allowed_tools: ['a', 'b'] })
    const child = await root.narrowedBy({ allowed_tools: ['a', 'c'], forbidden_patterns: ['x'] })
    expect(child.brokenBy('a', {})).to.equal(undefined)
    expect(child.brokenBy('c', {})).to.include({ rule: 'allowed_tools' })
    await child.change({})
    expect(child.brokenBy('c', {})).to.include({ rule: 'allowed_tools' })
    await root.change({ forbidden_patterns: ['y'] })
    expect(child.brokenBy('c', {})).to.equal(undefined)
    expect(child.brokenBy('c', { y: 1 })).to.include({ rule: 'forbidden_patterns' })
  })
})
