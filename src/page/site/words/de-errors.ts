import type { EN_ERRORS } from './en-errors.ts'

/** The words for codes of errors of the server in German. */
export const DE_ERRORS: { readonly [name in keyof typeof EN_ERRORS]: string } = {
  error_CIRCUIT_OPEN:
    'Die API des Modells ist wiederholt gescheitert. Versuchen Sie es {when} noch einmal.',
  error_CONTENT_FILTERED: 'Das Modell hat abgelehnt, oder seine Antwort wurde gefiltert.',
  error_CONTEXT_OVERFLOW: 'Diese Unterhaltung ist zu lang für das Modell.',
  error_HOST_CLOSED: 'Der Server wird angehalten. Versuchen Sie es {when} noch einmal.',
  error_OUTPUT_INVALID: 'Die Antwort des Modells hat nicht das verlangte Format.',
  error_OVERLOADED: 'Die API des Modells ist überlastet. Versuchen Sie es {when} noch einmal.',
  error_PROVIDER_FAILED:
    'Die API des Modells ist gescheitert. Versuchen Sie es {when} noch einmal.',
  error_PROVIDER_UNAUTHORIZED:
    'Die API des Modells nimmt die Zugangsdaten des Servers nicht an. Nur wer den Server betreibt, kann das ändern.',
  error_QUOTA_EXCEEDED:
    'Das Kontingent bei der API des Modells ist aufgebraucht. Nur wer den Server betreibt, kann das ändern.',
  error_RATE_LIMITED:
    'Die API des Modells begrenzt die Anfragen dieses Servers. Versuchen Sie es {when} noch einmal.',
  error_STORAGE_FAILED:
    'Der Speicher des Servers ist gescheitert. Versuchen Sie es {when} noch einmal.',
  error_STREAM_INTERRUPTED:
    'Die Verbindung zur API des Modells brach ab. Versuchen Sie es {when} noch einmal.',
  error_TIMEOUT: 'Die Antwort hat zu lange gedauert.',
  error_TOO_MANY_REQUESTS: 'Zu viele Anfragen. Versuchen Sie es {when} noch einmal.',
  error_MODEL_UNKNOWN:
    'Die API des Modells kennt dieses Modell nicht. Wählen Sie ein anderes Modell.',
  error_REMOTE_AGENT_FAILED: 'Der Agent auf dem anderen Server ist gescheitert.',
  error_RUN_INTERRUPTED: 'Der Server wurde während der Antwort unterbrochen.',
  error_STORAGE_QUOTA_EXCEEDED:
    'Der Speicherplatz, den der Server Ihnen gibt, ist voll. Löschen Sie Unterhaltungen, die Sie nicht mehr brauchen.',
  agentBroken: 'Der Agent kann nicht laufen: Seine Beschreibung ist fehlerhaft.',
  conversationFull:
    'Diese Unterhaltung ist so lang, wie sie sein darf. Machen Sie in einem neuen Chat weiter, oder zweigen Sie von einer früheren Nachricht ab.',
  largerThanModelTakes:
    'Diese Unterhaltung ist mit ihren Dateien größer, als die API des Modells annimmt. Senden Sie weniger oder kleinere Dateien, oder machen Sie in einem neuen Chat weiter.',
  refused: 'Die API des Modells hat die Anfrage abgelehnt.',
  serverFailed: 'Der Server konnte die Anfrage nicht bearbeiten. Sein Log nennt den Grund.',
  bytes: '{count} Bytes',
  soon: 'gleich',
  inSeconds: 'in {count} Sekunden',
  inMinutes: 'in {count} Minuten',
  inHours: 'in {count} Stunden',
}
