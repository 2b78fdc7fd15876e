import type { EXTENSION } from './correct-extension.ts'
import type { Planted } from './planted.ts'

type Correct = typeof EXTENSION

const withSettings = (properties: object) => (correct: Correct) => ({
  ...correct,
  configSchema: { type: 'object', properties },
})

let asked = 0

/** Extensions with one bug each in what they say of themselves: tags, settings and forms. */
export const EXTENSION_VALUES: readonly Planted<Correct>[] = [
  {
    bug: 'tags that change',
    caught: ['gives the same tags each time it is asked'],
    plant: (correct) => ({ ...correct, getTags: () => [`tag-${asked++}`] }),
  },
  {
    bug: 'tags that need a setting',
    caught: ['resolves without an error', 'resolves without its settings'],
    plant: (correct) => ({
      ...correct,
      getTags: (config: { readonly settings: { readonly loud: { readonly volume: number } } }) => [
        `volume-${config.settings.loud.volume}`,
      ],
    }),
  },
  {
    bug: 'a required tag that nobody has',
    caught: ['is on for its config'],
    plant: ({ isEnabled: _, ...correct }) => ({ ...correct, requiredTags: ['none-has-it'] }),
  },
  {
    bug: 'a default that its schema refuses',
    caught: ['has defaults that its schema accepts', 'has settings that a form can show'],
    plant: withSettings({ volume: { type: 'integer', title: 'Volume', default: 'high' } }),
  },
  {
    bug: 'a setting without words',
    caught: ['says what each setting is for'],
    plant: withSettings({ volume: { type: 'integer' } }),
  },
  {
    bug: 'a secret that is not marked',
    caught: ['marks its secrets'],
    plant: withSettings({ api_key: { type: 'string', title: 'Key' } }),
  },
  {
    bug: 'a secret with a default',
    caught: ['has no default for a secret'],
    plant: withSettings({
      api_key: { type: 'string', title: 'Key', writeOnly: true, default: 'sk-1' },
    }),
  },
  {
    bug: 'an action that nobody runs',
    caught: ['can run the actions that it lists'],
    plant: ({ runAction: _, ...correct }) => correct,
  },
  {
    bug: 'a form that changes',
    caught: ['has the same form each time it is shown'],
    plant: ({ configSchema: _, ...correct }) => ({
      ...correct,
      getUiElements: () => [
        {
          id: 'voice',
          kind: 'setting',
          title: 'Voice',
          schema: { type: 'string', description: `Voice ${asked++}` },
        },
      ],
    }),
  },
]
