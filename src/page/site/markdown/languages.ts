/** The names of languages that are highlighted, and other words for them. */
const LANGUAGES: { readonly [name: string]: readonly string[] } = {
  bash: ['sh', 'shell', 'zsh', 'console'],
  cpp: ['c', 'c++', 'cc', 'h', 'hpp'],
  csharp: ['cs', 'c#'],
  css: [],
  diff: ['patch'],
  go: ['golang'],
  java: [],
  javascript: ['js', 'jsx', 'mjs', 'cjs'],
  json: ['jsonc', 'json5'],
  python: ['py', 'python3'],
  rust: ['rs'],
  sql: ['postgresql', 'sqlite', 'mysql'],
  typescript: ['ts', 'tsx', 'mts'],
  xml: ['html', 'svg', 'xhtml', 'vue'],
  yaml: ['yml'],
}

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(LANGUAGES).flatMap(([name, words]) =>
    [name, ...words].map((word) => [word, name]),
  ),
)

/** Code longer than this is not highlighted. */
const MAX_CODE = 50_000

/** The language in which a code is highlighted. Undefined where it is not known, or the code is too long. */
export function languageOf({
  language,
  text,
}: {
  readonly language: string
  readonly text: string
}): string | undefined {
  return text.length > MAX_CODE ? undefined : NAMES.get(language.toLowerCase())
}
