import type { Part, StreamResponse } from '@a2a-js/sdk'
import { expect } from 'chai'
import { RemoteAnswer } from '../../src/a2a/answer.ts'
import type { Mark } from '../../src/a2a/message.ts'
import { HostError, type PartialEvent } from '../../src/plugin/index.ts'

const ABOUT = { metadata: undefined, filename: '', mediaType: '' }
const text = (value: string): Part => ({ content: { $case: 'text', value }, ...ABOUT })
const PLACE = { taskId: 't', contextId: 'c', metadata: undefined }

function message(...parts: readonly Part[]) {
  const empty = { metadata: undefined, extensions: [], referenceTaskIds: [] }
  return { messageId: 'm', contextId: 'c', taskId: 't', role: 2, parts: [...parts], ...empty }
}
function status(state: number, ...parts: readonly Part[]): StreamResponse {
  const value = {
    ...PLACE,
    status: {
      state,
      message: parts.length > 0 ? message(...parts) : undefined,
      timestamp: undefined,
    },
  }
  return { payload: { $case: 'statusUpdate', value } }
}
function artifact(artifactId: string, append: boolean, ...parts: readonly Part[]): StreamResponse {
  const about = { name: '', description: '', metadata: undefined, extensions: [] }
  const own = { artifactId, parts: [...parts], ...about }
  const value = { ...PLACE, artifact: own, append, lastChunk: false }
  return { payload: { $case: 'artifactUpdate', value } }
}
function task(state: number, artifacts: readonly (readonly Part[])[] = []): StreamResponse {
  const about = { name: '', description: '', metadata: undefined, extensions: [] }
  const value = {
    id: 't',
    contextId: 'c',
    status: { state, message: undefined, timestamp: undefined },
    artifacts: artifacts.map((parts, at) => ({
      artifactId: `a${at}`,
      parts: [...parts],
      ...about,
    })),
    history: [],
    metadata: undefined,
  }
  return { payload: { $case: 'task', value } }
}

function eventsOf(...updates: readonly StreamResponse[]) {
  const answer = new RemoteAnswer()
  const events = updates.flatMap((update) => answer.take(update))
  return { answer, events: [...events, ...answer.end()] }
}

const textOf = (events: readonly PartialEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')

describe('the answer of a remote agent', () => {
  it('masks the reason of a failure before it cuts it', () => {
    const answer = new RemoteAnswer(undefined, {
      mask: (words) => words.replaceAll('secret', '***'),
    })
    const failed = () => answer.take(status(4, text(`${'x'.repeat(497)}secret`)))
    expect(failed).to.throw(HostError, /: x{497}\*{3}$/)
  })

  it('has a text for each artifact, behind a blank line, and says in the last where the agent has the conversation', () => {
    const { events, answer } = eventsOf(
      task(1),
      status(2),
      artifact('a', false, text('He')),
      artifact('a', true, text('y')),
      artifact('a', true, text('')),
      artifact('b', false, text('Bye')),
      status(3),
    )
    const mark = { contextId: 'c' }
    expect(events).to.deep.equal([
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'He' },
      { type: 'text-delta', id: '1', delta: 'y' },
      { type: 'text-end', id: '1' },
      { type: 'text-start', id: '2' },
      { type: 'text-delta', id: '2', delta: '\n\nBye' },
      { type: 'text-end', id: '2', providerMetadata: { a2a: mark } },
    ])
    expect([answer.isOver, answer.taskId]).to.deep.equal([true, 't'])
  })

  it('is a whole task, or a message without one', () => {
    expect(textOf(eventsOf(task(3, [[text('One')], [text('Two')]])).events)).to.equal('One\n\nTwo')
    const { events, answer } = eventsOf({
      payload: { $case: 'message', value: message(text('Hi')) },
    })
    expect([textOf(events), answer.isOver]).to.deep.equal(['Hi', true])
  })

  it('may be in the status of a task that is done, but not what it says before', () => {
    expect(
      textOf(eventsOf(status(2, text('Looking…')), status(3, text('It is 4.'))).events),
    ).to.equal('It is 4.')
    const said = eventsOf(artifact('a', false, text('It is 4.')), status(3, text('Done.')))
    expect(textOf(said.events)).to.equal('It is 4.')
  })

  it('is a question where the task waits, and names the task', () => {
    for (const state of [6, 8]) {
      const { events, answer } = eventsOf(task(2), status(state, text('Which?')))
      expect(textOf(events)).to.equal('Which?')
      const providerMetadata = { a2a: { contextId: 'c', taskId: 't', asked: 'm' } }
      expect(events.at(-1)).to.deep.equal({ type: 'text-end', id: '1', providerMetadata })
      expect(answer.isOver).to.equal(true)
    }
  })

  describe('after an answer to its question', () => {
    const markOf = (...updates: readonly StreamResponse[]): Mark => {
      const { events } = eventsOf(...updates)
      const end = events.at(-1)
      return (end?.type === 'text-end' ? end.providerMetadata?.['a2a'] : undefined) as Mark
    }
    const asking = [task(2), artifact('a', false, text('I wipe.')), status(6, text('Really?'))]
    const taken = (mark: Mark, ...updates: readonly StreamResponse[]) => {
      const answer = new RemoteAnswer(JSON.parse(JSON.stringify(mark)) as Mark)
      const events = updates.flatMap((update) => answer.take(update))
      return { answer, text: textOf([...events, ...answer.end()]) }
    }

    it('repeats neither the question nor the artifacts before it', () => {
      const { payload } = artifact('a', false, text('I wipe.'))
      const asked = payload?.$case === 'artifactUpdate' ? payload.value.artifact : undefined
      const old = task(6)
      if (old.payload?.$case === 'task' && asked) {
        old.payload.value.artifacts.push(asked)
        old.payload.value.status = {
          state: 6,
          message: message(text('Really?')),
          timestamp: undefined,
        }
      }
      const { text: said, answer } = taken(
        markOf(...asking),
        old,
        status(2),
        artifact('a', false, text('I wipe.'), text(' Wiped.')),
        status(3),
      )
      expect([said, answer.hasReplaced]).to.deep.equal([' Wiped.', false])
    })

    it('has the whole text of an artifact that has another one now', () => {
      const { text: said, answer } = taken(
        markOf(...asking),
        artifact('a', false, text('Wiped it all.')),
        status(3),
      )
      expect([said, answer.hasReplaced]).to.deep.equal(['Wiped it all.', false])
    })

    it('asks again where the task still waits with the same question', () => {
      const { text: said, answer } = taken(markOf(...asking), status(6, text('Really?')))
      expect([said, answer.isOver, answer.isWaiting]).to.deep.equal(['Really?', false, true])
    })

    it('says where the agent has it, also where no task comes first', () => {
      const done = artifact('b', false, text('Done'))
      expect(markOf(status(2), done, status(3))).to.deep.equal({ contextId: 'c' })
    })
  })

  it('is not over before the task is', () => {
    for (const state of [0, 1, 2]) expect(eventsOf(task(state)).answer.isOver).to.equal(false)
    expect(eventsOf({ payload: undefined }).answer.isOver).to.equal(false)
  })

  it('has files and data, but no address of another kind', () => {
    const file = { metadata: undefined, filename: 'a.png', mediaType: 'image/png' }
    const url = (value: string): Part => ({ content: { $case: 'url', value }, ...file })
    const { events } = eventsOf(
      artifact(
        'a',
        false,
        { content: { $case: 'raw', value: Buffer.from('hi') }, ...file },
        url('https://a.test/a.png'),
        url('javascript:alert(1)'),
        url('file:///etc/passwd'),
        { content: { $case: 'data', value: { a: 1 } }, ...ABOUT },
        { content: undefined, ...ABOUT },
      ),
    )
    const shown = { type: 'file', mediaType: 'image/png', name: 'a.png' }
    expect(events.slice(0, 3)).to.deep.equal([
      { ...shown, data: 'aGk=' },
      { ...shown, url: 'https://a.test/a.png' },
      { type: 'data', name: 'a2a', data: { a: 1 } },
    ])
  })

  it('says where the agent has it in a text without words, where it ends with a file or only waits', () => {
    const data: Part = { content: { $case: 'data', value: 1 }, ...ABOUT }
    for (const [mark, ...updates] of [
      [{ contextId: 'c' }, artifact('a', false, data), task(3)],
      [{ contextId: 'c', taskId: 't' }, task(6)],
    ] as const) {
      const last = eventsOf(...updates).events.slice(-2)
      const end = { type: 'text-end', id: '1', providerMetadata: { a2a: mark } }
      expect(last).to.deep.equal([{ type: 'text-start', id: '1' }, end])
    }
    expect(eventsOf(task(3)).events).to.deep.equal([])
  })

  it('repeats nothing of an artifact that is sent again', () => {
    const again = eventsOf(artifact('a', false, text('One')), artifact('a', false, text('One')))
    expect(textOf(again.events)).to.equal('One')
  })

  it('goes on with an artifact that is sent anew with more text', () => {
    const { events, answer } = eventsOf(
      artifact('a', false, text('Hel')),
      artifact('a', false, text('Hello'), text(', wor')),
      artifact('a', false, text('Hello, world')),
      task(2, [[text('Other')]]),
      task(3, [[text('Other one')]]),
    )
    expect(textOf(events)).to.equal('Hello, world\n\nOther one')
    expect(events.filter(({ type }) => type === 'text-start')).to.have.length(2)
    expect(answer.hasReplaced).to.equal(false)
  })

  it('has the new text as a further one where an artifact is sent anew with another text', () => {
    const { events, answer } = eventsOf(
      artifact('a', false, text('Draft')),
      artifact('a', false, text('Final')),
      artifact('a', true, text(' text')),
      artifact('a', false, text('Final text.')),
    )
    expect(textOf(events)).to.equal('Draft\n\nFinal text.')
    expect(events.filter(({ type }) => type === 'text-start')).to.have.length(2)
    expect(answer.hasReplaced).to.equal(true)
  })

  it('has each file and each datum of an artifact that is sent anew once', () => {
    const data = (value: number): Part => ({ content: { $case: 'data', value }, ...ABOUT })
    const { events } = eventsOf(
      artifact('a', false, text('One'), data(1)),
      artifact('a', false, text('One'), data(1), data(2), text(' two')),
    )
    const shown = events.map((event) => (event.type === 'data' ? event.data : event.type))
    const opened = ['text-start', 'text-delta', 'text-end']
    expect(shown).to.deep.equal([...opened, 1, 2, ...opened])
  })

  it('fails with the task, in its words', () => {
    for (const [state, words] of [
      [4, 'failed: no'],
      [5, 'canceled the task: no'],
      [7, 'rejected the message: no'],
    ] as const) {
      const failing = () => eventsOf(status(state, text('no')))
      expect(failing).to.throw(HostError, words)
    }
    const long = () => eventsOf(status(4, text('x'.repeat(5000))))
    expect(long).to.throw(HostError).with.property('message').with.length.below(600)
  })
})
