import { isObject, type JsonObject } from '@braidwork/plugin'

/** The titles and descriptions of providers' settings in German. */
const GERMAN: { readonly [english: string]: string } = {
  'API keys by preset': 'Schlüssel nach Voreinstellung',
  'Additional data to include in the answer': 'Weitere Daten in der Antwort',
  'Additional fields of the request body, sent unchanged':
    'Weitere Felder der Anfrage, unverändert gesendet',
  'Additional headers of each request': 'Weitere Header jeder Anfrage',
  'Allow several tool calls at once': 'Mehrere Werkzeugaufrufe zugleich',
  'Base URL': 'Adresse der API',
  'Base URL, instead of that of the package': 'Adresse der API, anstelle der des Pakets',
  'Base URL, instead of the preset’s': 'Adresse der API, anstelle der voreingestellten',
  'Beta features to enable, in addition to those that the request needs':
    'Beta-Funktionen, zusätzlich zu denen, die die Anfrage braucht',
  'Bias of tokens, by their ids': 'Gewichte von Tokens, nach ihren Ids',
  'By default the only export whose name begins with "create"':
    'Ohne Angabe der einzige Export, dessen Name mit „create“ beginnt',
  'By default the package reads its own environment variable':
    'Ohne Angabe liest das Paket seine eigene Umgebungsvariable',
  'By default what is known of the package': 'Ohne Angabe, was von dem Paket bekannt ist',
  'Cache the prompt': 'Den Prompt zwischenspeichern',
  'Cite the documents of the request': 'Die Dokumente der Anfrage als Quellen anführen',
  'Container for code execution, in the format of the API':
    'Container für ausgeführten Code, im Format der API',
  'Context management, in the format of the API': 'Verwaltung des Kontexts, im Format der API',
  'Export of the package that makes its provider': 'Export des Pakets, der seinen Provider macht',
  'Format of the answer': 'Format der Antwort',
  'HTTP proxy': 'HTTP-Proxy',
  'Id of the end user, for the API': 'Id des Menschen, für die API',
  Key: 'Schlüssel',
  Kind: 'Art',
  'Let the API store answers': 'Die API speichert Antworten',
  'MCP servers that the API connects to': 'MCP-Server, mit denen sich die API verbindet',
  'Make tool calls follow their schemas strictly': 'Werkzeugaufrufe folgen ihren Schemas streng',
  'Maximum length of the answer in tokens': 'Längste Antwort, in Tokens',
  'Metadata of stored answers': 'Metadaten gespeicherter Antworten',
  'Method of the provider that makes a model, such as chat or responses':
    'Methode des Providers, die ein Modell macht, etwa chat oder responses',
  'Models to offer': 'Angebotene Modelle',
  'Models to offer instead of the known ones': 'Angebotene Modelle, anstelle der bekannten',
  'Options of each request, by provider': 'Optionen jeder Anfrage, nach Provider',
  'Options of the factory that are secret, such as secretAccessKey':
    'Geheime Optionen des Exports, etwa secretAccessKey',
  'Other options of the factory': 'Weitere Optionen des Exports',
  'Overrides reasoning_effort; further fields are sent unchanged':
    'Geht reasoning_effort vor; weitere Felder werden unverändert gesendet',
  'Overrides the value that the config sets for all providers':
    'Geht dem Wert vor, den die Konfiguration für alle Provider setzt',
  Organization: 'Organisation',
  'Package of the AI SDK provider, such as @ai-sdk/openai':
    'Paket des Providers für das AI SDK, etwa @ai-sdk/openai',
  'Penalty for tokens that occurred': 'Abzug für Tokens, die vorkamen',
  'Penalty for tokens that occurred often': 'Abzug für Tokens, die oft vorkamen',
  Project: 'Projekt',
  'Reasoning effort': 'Aufwand beim Nachdenken',
  Retries: 'Wiederholungen',
  Seed: 'Startwert',
  'Service tier': 'Stufe des Dienstes',
  'Stop sequences: texts that end the answer': 'Texte, die die Antwort beenden',
  'Summary of the reasoning': 'Zusammenfassung des Nachdenkens',
  Temperature: 'Temperatur',
  Thinking: 'Nachdenken',
  'Thinking budget in tokens, if enabled': 'Tokens für das Nachdenken, wenn es an ist',
  'Tool choice': 'Wahl der Werkzeuge',
  'Tools that the API executes': 'Werkzeuge, die die API ausführt',
  Verbosity: 'Ausführlichkeit',
  'What the models are able to do': 'Was die Modelle können',
  'What the models take': 'Was die Modelle annehmen',
}

/**
 * The properties of a settings schema, with their titles and descriptions in German, also inside objects. Translations that
 * a schema has already take precedence.
 */
export function withGerman(properties: JsonObject): { readonly [name: string]: JsonObject } {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, translated(schema as JsonObject)]),
  )
}

function translated(schema: JsonObject): JsonObject {
  const texts = ['title', 'description'].flatMap((key) => {
    const text = germanOf(String(schema[key]))
    return text === undefined ? [] : [[key, text] as const]
  })
  const { properties, 'x-i18n': given } = schema
  const own = isObject(given) ? given : {}
  const de = { ...Object.fromEntries(texts), ...(isObject(own['de']) ? own['de'] : {}) }
  return {
    ...schema,
    ...(texts.length > 0 ? { 'x-i18n': { ...own, de } } : {}),
    ...(properties ? { properties: withGerman(properties as JsonObject) } : {}),
  }
}

function germanOf(english: string): string | undefined {
  const [, api] = /^Key of (.+)$/.exec(english) ?? []
  if (api !== undefined) return `Schlüssel für ${api}`
  return Object.hasOwn(GERMAN, english) ? GERMAN[english] : undefined
}
