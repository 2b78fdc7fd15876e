import { expect } from 'chai'
import { MessageReader } from '../../../src/page/site/message/index.ts'

describe('MessageReader', () => {
  it('takes a hundred thousand deltas, each with a look at the message', function () {
    this.timeout(5000)
    const reader = new MessageReader()
    for (const chunk of [
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'text-start', id: 't1' },
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'add', dynamic: true },
    ]) {
      reader.add(chunk)
    }
    for (let n = 0; n < 100_000; n++) {
      reader.add({ type: 'text-delta', id: 't1', delta: 'word ' })
      reader.add({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '}' })
      void reader.message
    }
    expect(reader.message?.parts[1]).to.have.property('text').with.length(500_000)
  })
})
