/** Conversations in which a user tells ten facts, made from a number. */
import type { Message } from '@braidwork/plugin'

/** Something that a user tells once, and the word of it by which one finds it again. */
export interface ToldFact {
  readonly sentence: string
  readonly word: string
}

export interface FactConversation {
  readonly messages: readonly Message[]
  readonly facts: readonly ToldFact[]
}

const CITIES = ['Lisbon', 'Oslo', 'Krakow', 'Turin', 'Ghent', 'Malmo', 'Porto', 'Graz']
const ANIMALS = ['parrot', 'goat', 'tortoise', 'pony', 'ferret', 'heron', 'donkey', 'spaniel']
const COLORS = ['green', 'purple', 'orange', 'silver', 'yellow', 'brown', 'turquoise', 'crimson']
const FOODS = ['almonds', 'lentils', 'mangoes', 'radishes', 'olives', 'walnuts', 'plums', 'barley']
const SMALL_TALK = [
  ['How are you today?', 'I am doing well, thank you. What would you like to talk about?'],
  ['Tell me something about the sea.', 'The sea covers most of the Earth and is salty.'],
  ['Is it better to walk or to ride?', 'Both are good. Walking takes longer and costs nothing.'],
  ['What do you think of rain?', 'Rain is good for gardens, and less good for picnics.'],
  ['I slept badly.', 'I am sorry to hear that. A short walk in the evening may help.'],
] as const

/** Numbers that a seed decides (mulberry32), from 0 up to a limit. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A conversation of 40 exchanges, in ten of which the user tells a fact. The last exchange tells none. */
export function conversationOf(seed: number): FactConversation {
  const next = numbersOf(seed)
  const facts = factsOf(next)
  const messages = facts.flatMap((fact) => {
    const told = [say('user', fact.sentence), say('assistant', 'Thank you, I will remember that.')]
    const talk = Array.from({ length: 3 }, () => SMALL_TALK[next(SMALL_TALK.length)] ?? [])
    return [
      ...told,
      ...talk.flatMap(([asked = '', answered = '']) => [
        say('user', asked),
        say('assistant', answered),
      ]),
    ]
  })
  return { messages, facts }
}

function factsOf(next: (below: number) => number): readonly ToldFact[] {
  const of = (words: readonly string[]) => words[next(words.length)] ?? ''
  const number = (least: number, below: number) => String(least + next(below - least))
  const [city, animal, color, food] = [of(CITIES), of(ANIMALS), of(COLORS), of(FOODS)]
  const [code, age, budget, room] = [
    number(1000, 9999),
    number(21, 90),
    number(200, 900),
    number(101, 499),
  ]
  const [train, days] = [number(1100, 1999), number(11, 29)]
  return [
    { sentence: `I live in ${city}.`, word: city },
    { sentence: `I have a ${animal} at home.`, word: animal },
    { sentence: `The code of my front door is ${code}.`, word: code },
    { sentence: `I must never eat ${food}.`, word: food },
    { sentence: `My mother is ${age} years old.`, word: age },
    { sentence: `Please paint the kitchen ${color}.`, word: color },
    { sentence: `I can spend ${budget} euros on the journey.`, word: budget },
    { sentence: `The meeting is in room ${room}.`, word: room },
    { sentence: `My train has the number ${train}.`, word: train },
    { sentence: `We stay for ${days} days.`, word: days },
  ]
}

function say(role: 'user' | 'assistant', text: string): Message {
  return { role, parts: [{ type: 'text', text }] }
}
