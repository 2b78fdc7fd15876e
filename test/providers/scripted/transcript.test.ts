import { expect } from 'chai'
import { ask, assistant, configOf, user } from './ask.ts'

const SYSTEM = {
  role: 'system' as const,
  parts: [{ type: 'text' as const, text: 'The office is in Berlin.' }],
}
const CONVERSATION = [
  SYSTEM,
  user('Hello, my name is Ada. My dogs are Rex and Bo'),
  assistant('Noted.'),
  user('My name is Grace.'),
  assistant('Noted.'),
]

describe('the transcript, asked by the scripted provider', () => {
  const lookUps: readonly [question: string, answer: string][] = [
    ['What is my name?', 'Your name is Grace.'],
    ["What's my name", 'Your name is Grace.'],
    ['And who are my dogs?', 'Your dogs are Rex and Bo.'],
    ['Where is the office?', 'The office is in Berlin.'],
    [
      'What was my first message?',
      'Your first message was "Hello, my name is Ada. My dogs are Rex and Bo".',
    ],
    ['What did I just say?', 'Your last message was "My name is Grace.".'],
    ['How many messages are there?', 'This conversation has 6 messages so far.'],
  ]
  for (const [question, answer] of lookUps) {
    it(`answers "${question}"`, async () => {
      expect((await ask([...CONVERSATION, user(question)])).text).to.equal(answer)
    })
  }

  const told: readonly [told: string, answer: string][] = [
    ['My name is Ada and I live in Paris.', 'Noted. Your name is Ada.'],
    ['My dog is Rex and my cat is Tom.', 'Noted. Your dog is Rex. Your cat is Tom.'],
    ['My dogs are Rex, Bo, and Max.', 'Noted. Your dogs are Rex, Bo, and Max.'],
    ['My pets are Rex and my old cat.', 'Noted. Your pets are Rex and your old cat.'],
    ['I was born in Paris.', 'Noted. You were born in Paris.'],
    ['You are late.', 'Noted. I am late.'],
    ['Thanks!', 'You are welcome.'],
    ['Thank you very much.', 'You are welcome.'],
    ['Bye', 'Goodbye.'],
  ]
  for (const [text, answer] of told) {
    it(`answers "${text}"`, async () => {
      expect((await ask(text)).text).to.equal(answer)
    })
  }

  for (const text of ['Say thanks to Ada for me.', 'Tell me how the French say goodbye']) {
    it(`takes no leave where it is asked "${text}"`, async () => {
      expect((await ask(text)).text).to.match(/^I cannot answer/)
    })
  }

  it('takes no note of a sentence that nobody would write', async () => {
    const text = `${'please '.repeat(45)}my name is Ada`
    expect((await ask(text)).text).to.match(/^I cannot answer/)
    expect((await ask(text.slice('please '.length * 5))).text).to.equal('Noted. Your name is Ada.')
  })

  it('finds a fact from its other end', async () => {
    const messages = [user('Bob is my brother.'), assistant('Noted.'), user('Who is my brother?')]
    expect((await ask(messages)).text).to.equal('Bob is your brother.')
  })

  for (const question of ['Who are you?', 'What can you do?', 'Which tools do you have?']) {
    it(`says what it is where it is asked "${question}"`, async () => {
      expect((await ask(question)).text).to.match(/^There is no model behind me; I am the scripted/)
    })
  }

  it('gives no fact that nobody stated', async () => {
    const { text } = await ask([...CONVERSATION, user('What is my age?')])
    expect(text).to.match(/^I cannot answer "What is my age\?": there is no model behind me; /)
    expect(text).to.match(/I see 6 messages with 4 facts to look up\.$/)
  })

  it('says what it is, and which tools it can call', async () => {
    const { text } = await ask('Hello')
    expect(text).to.equal(
      'Hello! There is no model behind me; I am the scripted provider, and answer by a script or from this conversation. I can call calculate, current_time.',
    )
  })

  it('counts files', async () => {
    const file = { type: 'file' as const, mediaType: 'image/png', url: 'https://example.com/a.png' }
    const { text } = await ask([{ role: 'user', parts: [{ type: 'text', text: 'Look!' }, file] }])
    expect(text).to.include('I see 1 message and 1 file.')
  })

  it('thinks aloud about every answer where an effort is asked for, and never with none', async () => {
    const types = async (effort: 'low' | 'none', text: string) => {
      const { message } = await ask(text, configOf({}, { reasoning_effort: effort }))
      return message.parts.map(({ type }) => type)
    }
    expect(await types('low', 'Hello')).to.deep.equal(['reasoning', 'text'])
    expect(await types('none', '2 + 2')).to.deep.equal(['tool-call'])
  })

  it('says which question it cannot answer, without the word that joins it to the last', async () => {
    for (const [question, named] of [
      ['It rained. And who won the match?', 'who won the match?'],
      ['Where do swallows nest?', 'Where do swallows nest?'],
    ] as const) {
      expect((await ask(question)).text).to.include(`I cannot answer "${named}"`)
    }
  })

  it('thinks at most as many tokens as the effort allows', async () => {
    const thought = async (effort: number) => {
      const { message } = await ask('Hello', configOf({}, { reasoning_effort: effort }))
      return message.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join()
    }
    const whole = await thought(1000)
    const short = await thought(2)
    expect(whole.split(' ').length).to.be.above(3)
    expect(whole.startsWith(short)).to.equal(true)
    expect(short.trim().split(/\s+/).length).to.be.within(1, 2)
  })
})
