import type { EN_CALLS } from './en-calls.ts'

/** The words about calls of tools in German. */
export const DE_CALLS: { readonly [name in keyof typeof EN_CALLS]: string } = {
  input: 'Eingabe',
  output: 'Ergebnis',
  error: 'Fehler',
  progress: 'Fortschritt',
  wholeResult: 'Das ganze Ergebnis speichern ({size} kB)',
  toolPrepares: 'wird vorbereitet',
  toolRuns: 'läuft',
  toolWaits: 'wartet auf Sie',
  toolAllowed: 'erlaubt, wartet auf die anderen Antworten',
  toolDone: 'fertig',
  toolFailed: 'gescheitert',
  toolUnanswered: 'nicht beantwortet',
  toolDenied: 'nicht erlaubt',
  allow: 'Erlauben',
  deny: 'Ablehnen',
  mayRun: 'Darf {tool} laufen?',
  mayRunFor: 'Darf {tool} für den Agenten {agent} laufen?',
  answerField: 'Antwort',
  answerHint: 'Antwort schreiben',
  decline: 'Nicht antworten',
  denyReason: 'Grund (freiwillig)',
  childThread: 'Fragte {agent}',
}
