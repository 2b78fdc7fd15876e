import { expect } from 'chai'
import { findJson } from '../../../features/structured-output/find-json.ts'

describe('JSON in a text', () => {
  const valuesIn = (text: string) => {
    const finding = findJson(text)
    return 'found' in finding ? finding.found.map(({ value }) => value) : finding.fault
  }

  it('is what stands in code fences, also in those that are indented, not what stands beside them', () => {
    for (const [begin, end] of [
      ['```json', '```'],
      ['  ```', '  ```'],
      ['\t~~~json', '\t~~~'],
    ]) {
      const text = `Not {"a": 0} but:\n${begin}\n{"a": 1}\n${end}\nand not [2].`
      expect(valuesIn(text), begin).to.deep.equal([{ a: 1 }])
    }
  })

  it('is every object and list where there is no fence', () => {
    expect(valuesIn('Either {"a": [0]} or [2].')).to.deep.equal([{ a: [0] }, [2]])
    expect(valuesIn('None of them.')).to.equal('none')
  })
})
