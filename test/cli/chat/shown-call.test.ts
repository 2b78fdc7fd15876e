import { expect } from 'chai'
import { askApprovals } from '../../../src/cli/chat/ask-approvals.ts'
import { shownCall, wholeCall } from '../../../src/cli/chat/shown-call.ts'

describe('a call that a person is to approve in the terminal', () => {
  it('is one line where it is short', () => {
    expect(shownCall('calculate', { expression: '12 * 34' })).to.deep.equal({
      text: 'calculate({"expression":"12 * 34"})',
      isWhole: true,
    })
  })

  it('shows every argument where it is long, the short ones first, and how much of a long one is left out', () => {
    const content = `# Notes\n${'Thank you. '.repeat(60)}\nrm -rf ~`
    const { text, isWhole } = shownCall('write_file', { content, path: 'deploy.sh' })
    expect(isWhole).to.equal(false)
    const [head, path, long] = text.split('\n')
    expect(head).to.equal('write_file with')
    expect(path).to.equal('  path: "deploy.sh"')
    expect(long).to.match(/^ {2}content: "# Notes.* … \d+ more characters … .*rm -rf ~"$/)
    expect(wholeCall({ content })).to.include(JSON.stringify(content))
  })

  it('shows many short arguments whole', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key${at}`, at]))
    const { text, isWhole } = shownCall('set', many)
    expect(isWhole).to.equal(true)
    expect(text).to.include('  key99: 99')
  })

  it('makes hidden characters visible, in names, keys and values', () => {
    const { text } = shownCall('a\u202eb', { 'k\u200b': `\u202e${'x'.repeat(600)}` })
    expect(text).to.include('a<U+202E>b').and.to.include('k<U+200B>: "<U+202E>x')
  })

  it('is shown whole on demand, and asked about again', async () => {
    const asked: string[] = []
    const answers = ['v', 'y']
    const approval = {
      approvalId: 'a',
      callId: 'c',
      name: 'write_file',
      input: { content: 'x'.repeat(600) },
      binding: '',
      expiresAt: 0,
    }
    const ask = (prompt: string) => {
      asked.push(prompt)
      return Promise.resolve(answers.shift() ?? '')
    }
    const verdicts = await askApprovals([approval], ask, new AbortController().signal)
    expect(verdicts).to.deep.equal([{ approvalId: 'a', approved: true }])
    expect(asked).to.have.length(2)
    expect(asked[0]).to.match(/\? \[y\/N, or v to view all\] $/)
  })
})
