import type { Limits } from '@braidwork/plugin'
import type { REASONING_EFFORTS } from '@braidwork/plugin/internal'
import type { Rule } from '../resolve/index.ts'
import type { Unshown } from './fields.ts'
import { lookUp } from './locale.ts'

type Meanings<V extends string> = { readonly [value in V]: string }

/** The host's own texts in a form. */
export interface Words {
  readonly host: string
  readonly provider: string
  readonly model: string
  readonly temperature: string
  readonly top_p: string
  readonly max_output_tokens: string
  readonly stop: string
  readonly seed: string
  readonly tool_choice: string
  readonly parallel_tool_calls: string
  readonly reasoning_effort: string
  readonly response_format: string
  readonly response_kind: string
  readonly limits: string
  /** By the keys of `limits`. */
  readonly limit: { readonly [L in keyof Limits]: string }
  /** The titles of fixed values, by config key. */
  readonly values: {
    readonly tool_choice: Meanings<'auto' | 'none' | 'required'>
    readonly reasoning_effort: Meanings<(typeof REASONING_EFFORTS)[number]>
    readonly response_format: Meanings<'text' | 'json' | 'json-schema'>
  }
  readonly switches: string
  readonly nothing: string
  readonly elsewhere: string
  readonly broken: string
  /** The reasons why a plugin is on or off. */
  readonly rules: { readonly [R in Rule]: string }
  /** The reasons why a setting has no field. */
  readonly unshown: { readonly [U in Unshown]: string }
}

const ENGLISH: Words = {
  host: 'Model and answer',
  provider: 'Provider',
  model: 'Model',
  temperature: 'Temperature',
  top_p: 'Top P',
  max_output_tokens: 'Longest answer, in tokens',
  stop: 'Texts that end the answer',
  seed: 'Seed',
  tool_choice: 'Choice of tools',
  parallel_tool_calls: 'Several tool calls at once',
  reasoning_effort: 'Effort of reasoning',
  response_format: 'Format of the answer',
  response_kind: 'Kind',
  limits: 'Limits',
  limit: {
    hook: 'Seconds for a hook',
    process_chunk: 'Seconds for a hook on each chunk',
    execute_tool: 'Seconds for a tool',
    connect: 'Seconds until an answer begins',
    call: 'Seconds for an unstreamed answer',
    stream_idle: 'Seconds between two pieces of an answer',
    answer: 'Seconds for a whole answer',
    answer_bytes: 'Bytes of an answer',
    answer_events: 'Events of an answer',
    answer_parts: 'Parts of an answer',
    answer_calls: 'Tool calls of an answer',
    stream_bytes: 'Bytes of a streamed response',
    retry_after: 'Longest wait before a retry, in seconds',
    tool_result_bytes: 'Bytes of a tool result for the model',
    max_rounds: 'Steps of a run',
    approval: 'Seconds until an unanswered approval counts as refused',
  },
  values: {
    tool_choice: { auto: 'The model decides', none: 'No tool', required: 'At least one' },
    reasoning_effort: {
      none: 'No reasoning',
      minimal: 'Minimal',
      low: 'Low',
      medium: 'Medium',
      high: 'High',
      xhigh: 'Very high',
      max: 'Highest',
    },
    response_format: { text: 'Text', json: 'JSON', 'json-schema': 'JSON with a schema' },
  },
  switches: 'Plugins',
  nothing: 'Nothing to set.',
  elsewhere: 'Its settings have no field: set them in the config.',
  broken: 'Its settings cannot be shown.',
  rules: {
    provider: 'the chosen provider',
    forced: 'forced by the config',
    'own verdict': 'decided by itself',
    tags: 'all that it needs is there',
    'missing tags': 'something that it needs is missing',
    'forbidden tags': 'something that conflicts with it is on',
    'off by default': 'off until it is switched on',
    disabled: 'switched off',
    'other provider': 'belongs to another provider',
    threw: 'one of its hooks failed',
  },
  unshown: {
    map: 'freely chosen names: set it in the config',
    any: 'any value: set it in the config',
    union: 'a choice that no field can show: set it in the config',
    list: 'a list that no field can show: set it in the config',
    name: 'its name has a dot: set it in the config',
    recursion: 'it contains itself: set it in the config',
    tuple: 'a list with a schema for each item: set it in the config',
    secret: 'a secret that is more than a text: set it in the config',
    conflict: 'parts of its schema contradict each other: set it in the config',
  },
}

const GERMAN: Words = {
  host: 'Modell und Antwort',
  provider: 'Provider',
  model: 'Modell',
  temperature: 'Temperatur',
  top_p: 'Top P',
  max_output_tokens: 'Längste Antwort, in Tokens',
  stop: 'Texte, die die Antwort beenden',
  seed: 'Startwert',
  tool_choice: 'Wahl der Werkzeuge',
  parallel_tool_calls: 'Mehrere Werkzeugaufrufe zugleich',
  reasoning_effort: 'Aufwand beim Nachdenken',
  response_format: 'Format der Antwort',
  response_kind: 'Art',
  limits: 'Grenzen',
  limit: {
    hook: 'Sekunden für einen Hook',
    process_chunk: 'Sekunden für einen Hook an jedem Stück',
    execute_tool: 'Sekunden für ein Werkzeug',
    connect: 'Sekunden bis zum Beginn einer Antwort',
    call: 'Sekunden für eine Antwort am Stück',
    stream_idle: 'Sekunden zwischen zwei Stücken einer Antwort',
    answer: 'Sekunden für eine ganze Antwort',
    answer_bytes: 'Bytes, die eine Antwort enthalten darf',
    answer_events: 'Ereignisse einer Antwort',
    answer_parts: 'Teile einer Antwort',
    answer_calls: 'Werkzeugaufrufe einer Antwort',
    stream_bytes: 'Bytes, die für eine Antwort in Stücken gesendet werden dürfen',
    retry_after: 'Sekunden, die ein Provider bis zum nächsten Versuch verlangen darf',
    tool_result_bytes: 'Bytes eines Werkzeugergebnisses für das Modell',
    max_rounds: 'Schritte eines Laufs',
    approval: 'Sekunden, bis ein Aufruf als abgelehnt gilt, den niemand genehmigt',
  },
  values: {
    tool_choice: { auto: 'Wie das Modell mag', none: 'Kein Werkzeug', required: 'Mindestens eins' },
    reasoning_effort: {
      none: 'Kein Nachdenken',
      minimal: 'Minimal',
      low: 'Gering',
      medium: 'Mittel',
      high: 'Hoch',
      xhigh: 'Sehr hoch',
      max: 'Am höchsten',
    },
    response_format: { text: 'Text', json: 'JSON', 'json-schema': 'JSON nach einem Schema' },
  },
  switches: 'Plugins',
  nothing: 'Nichts einzustellen.',
  elsewhere: 'Seine Einstellungen haben kein Feld: in der Konfiguration setzen.',
  broken: 'Seine Einstellungen lassen sich nicht zeigen.',
  rules: {
    provider: 'der gewählte Provider',
    forced: 'von der Konfiguration erzwungen',
    'own verdict': 'selbst entschieden',
    tags: 'alles Nötige ist da',
    'missing tags': 'etwas Nötiges fehlt',
    'forbidden tags': 'etwas, das sich nicht mit ihm verträgt, ist an',
    'off by default': 'aus, bis es eingeschaltet wird',
    disabled: 'ausgeschaltet',
    'other provider': 'gehört zu einem anderen Provider',
    threw: 'ist gescheitert, als es gefragt wurde',
  },
  unshown: {
    map: 'frei gewählte Namen: in der Konfiguration setzen',
    any: 'beliebiger Wert: in der Konfiguration setzen',
    union: 'eine Auswahl, die kein Feld zeigt: in der Konfiguration setzen',
    list: 'eine Liste, die kein Feld zeigt: in der Konfiguration setzen',
    name: 'Punkt im Namen: in der Konfiguration setzen',
    recursion: 'in sich verschachtelt: in der Konfiguration setzen',
    tuple: 'eine Liste, deren Plätze verschieden sind: in der Konfiguration setzen',
    secret: 'ein Geheimnis, das mehr als ein Text ist: in der Konfiguration setzen',
    conflict: 'Teile des Schemas widersprechen sich: in der Konfiguration setzen',
  },
}

const LANGUAGES: ReadonlyMap<string, Words> = new Map([
  ['en', ENGLISH],
  ['de', GERMAN],
])

/** The host's texts in a locale, or in English if there is no translation. */
export function wordsFor(locale: string): Words {
  return lookUp(LANGUAGES, locale) ?? ENGLISH
}
