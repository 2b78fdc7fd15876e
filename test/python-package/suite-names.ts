import type { Kind } from '../../src/plugin/kinds.ts'

/** Why the suite in Python lacks a check of the suite in TypeScript. */
const REASONS = {
  forms: 'a host makes the forms',
  manifest: 'a host reads manifests',
  formats: 'a host converts the schemas of tools',
  selection: 'a host calls the hooks while it selects plugins, and leaves a disabled one alone',
  refusal: 'a host refuses the call before the plugin sees it',
  run: 'a host runs agents',
  begin: 'a host ends the request before any plugin sees it',
} as const

const FORMS = [
  'has settings that a form can show',
  'fills its form with values that the form accepts',
  ...['jsonforms', 'rjsf', 'valves', 'mcp', 'vscode'].map(
    (format) => `has settings that ${format} can show`,
  ),
]
const OF_HOST = [
  ...FORMS.map((name) => [name, REASONS.forms] as const),
  ['runs no hook of a request while plugins are selected', REASONS.selection],
  ['is what its manifest says', REASONS.manifest],
  ['prepares a request without sending it', REASONS.begin],
  ['answers nothing when it is cancelled before it begins', REASONS.begin],
] as const
const DISABLED = ['runs no hook of a request while it is disabled', REASONS.selection] as const

/** The checks that only the suite in TypeScript has, with the reason, for each kind. */
export const ONLY_IN_HOST: { readonly [K in Kind]: { readonly [name: string]: string } } = {
  provider: Object.fromEntries(OF_HOST),
  extension: Object.fromEntries([...OF_HOST, DISABLED]),
  feature: Object.fromEntries([
    ...OF_HOST,
    DISABLED,
    ['takes part in a run of an agent', REASONS.run],
    ['leaves the arguments of the hooks of a run as they are', REASONS.run],
  ]),
  tool: Object.fromEntries([
    ...OF_HOST,
    DISABLED,
    ...['json-schema', 'openai-strict', 'anthropic', 'google'].map(
      (format) => [`has tools that the format ${format} can express`, REASONS.formats] as const,
    ),
    ['answers a call that does not fit with an error', REASONS.refusal],
  ]),
}
