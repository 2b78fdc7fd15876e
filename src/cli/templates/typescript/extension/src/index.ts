import { defineExtension } from '@braidwork/plugin'
import { straightened } from './straightened.js'

export default defineExtension({
  kind: 'extension',
  name: '{{name}}',
  // Off until a config enables it, since it changes answers.
  defaultEnabled: false,
  requiredTags: ['{{tags}}'],
  // The host makes a form of this schema, and gives its values, with the defaults, to the hooks.
  configSchema: {
    type: 'object',
    properties: {
      apostrophes: {
        type: 'boolean',
        title: 'Apostrophes',
        description: 'Whether apostrophes and single quotes are straightened too',
        default: true,
      },
    },
    additionalProperties: false,
  },

  // The host passes the events of a stream as they come, and the messages of each finished answer.
  fromNative: (_natives, core, { settings }) =>
    core.map((item) => straightened(item, settings.apostrophes)),
})
