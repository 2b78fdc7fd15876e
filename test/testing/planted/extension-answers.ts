import type { Message, PartialEvent } from '../../../src/plugin/events/index.ts'
import type { Context, State } from '../../../src/plugin/index.ts'
import { type EXTENSION, isEvent } from './correct-extension.ts'
import type { Planted } from './planted.ts'

type Core = readonly (Message | PartialEvent)[]

const color = (text: string): string => text.replaceAll('COLOUR', 'COLOR')

const colorEvent = (event: PartialEvent): PartialEvent =>
  event.type === 'text-delta' ? { ...event, delta: color(event.delta) } : event

const colorMessage = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) =>
    part.type === 'text' ? { ...part, text: color(part.text) } : part,
  ),
})

const BROKEN = {
  kind: 'provider',
  name: 'broken',
  stream: () => {
    throw new TypeError('Cannot add property stream, object is not extensible')
  },
}

/** Extensions with one bug each that only another provider, or an answer with their own words, shows. */
export const EXTENSION_ANSWERS: readonly Planted<typeof EXTENSION>[] = [
  {
    bug: 'a provider beside it that fails as if it changed an argument',
    caught: ['takes part in a whole answer', 'takes part in a stream'],
    options: { beside: [BROKEN] },
    plant: (correct) => correct,
  },
  {
    bug: 'words of an own answer that are only found whole in a piece',
    caught: ['streams the same text wherever its own answers are split'],
    options: { answers: 'The COLOUR is hot.' },
    plant: (correct) => ({
      ...correct,
      fromNative: (_natives: unknown, core: Core) =>
        core.map((item) => (isEvent(item) ? colorEvent(item) : colorMessage(item))),
    }),
  },
  {
    bug: 'words of an own answer that only a whole answer loses',
    caught: ['streams the same text wherever its own answers are split'],
    options: { answers: ['Nothing here.', 'The COLOUR is hot.'] },
    plant: (correct) => ({
      ...correct,
      fromNative: (_natives: unknown, core: Core) =>
        core.map((item) => (isEvent(item) ? item : colorMessage(item))),
    }),
  },
  {
    bug: 'finals of an own answer that only a stream changes',
    caught: ['gives the same messages wherever its own answers are split'],
    options: { answers: 'The COLOUR is hot.' },
    plant: (correct) => ({
      ...correct,
      processChunk(
        _chunk: unknown,
        partials: readonly PartialEvent[],
        ...rest: [readonly Message[], unknown, State, Context]
      ) {
        const [finals, native, state, { local }] = rest
        for (const event of partials)
          if ('delta' in event) local.set('said', `${local.get('said') ?? ''}${event.delta}`)
        return [partials, finals, native, state]
      },
      fromNative: (_natives: unknown, core: Core, { local }: Context) =>
        core.map((item) =>
          isEvent(item) || local.get('said') !== 'The COLOUR is hot.'
            ? item
            : { ...item, metadata: { ...item.metadata, found: true } },
        ),
    }),
  },
]
