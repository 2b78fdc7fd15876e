import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { ACTIVE_IN_PAGES, switchText } from '../../../scripts/mutants/switch.ts'

interface Switch {
  stryMutAct_9fa48(number: string): boolean
  stryCov_9fa48(...numbers: string[]): void
}

describe('the switch of mutants in a page', () => {
  /** The switch as a browser sees it: without a process, and with the state that the built page has. */
  function inPage(active = ACTIVE_IN_PAGES) {
    const lines: string[] = []
    const text = switchText('state.json', 'reached').replaceAll(ACTIVE_IN_PAGES, active)
    const script = `${text.replaceAll('export ', '')}\n;({ stryMutAct_9fa48, stryCov_9fa48 })`
    const console = { debug: (line: string) => lines.push(line) }
    const made = runInNewContext(script, { console }) as Switch
    return { made, lines }
  }

  it('tells on the console which mutants were reached, each once, while none is on', () => {
    const { made, lines } = inPage()
    made.stryCov_9fa48('3', '12')
    made.stryCov_9fa48('3')
    expect(made.stryMutAct_9fa48('3')).to.equal(false)
    expect(lines).to.deep.equal(['braidwork-reached-mutant 3', 'braidwork-reached-mutant 12'])
  })

  it('turns on the mutant that the built page names, and tells nothing', () => {
    const { made, lines } = inPage('12')
    made.stryCov_9fa48('3')
    expect([made.stryMutAct_9fa48('12'), made.stryMutAct_9fa48('3')]).to.deep.equal([true, false])
    expect(lines).to.deep.equal([])
  })
})
