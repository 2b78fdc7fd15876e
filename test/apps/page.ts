import { join } from 'node:path'
import { ROOT } from '../helpers/source-files.ts'
import { AG_UI_PAGES } from './ag-ui-pages.ts'
import { APPS, type App, NOT_RUN } from './apps.ts'
import { CLAUDE_CODE } from './claude-code.ts'
import { OTHER_LANGUAGES } from './other-languages.ts'
import { type AppResult, CASES, type Line, type Results } from './results.ts'

export const CLIENTS_PATH = join(ROOT, 'docs', 'clients.md')

const INTRO = `<!-- Made by "npm run apps" from what the applications did; do not edit by hand. -->
# Clients
These published applications were run against a server, unmodified. Each was told an address and a token, as its users do
it. \`npm run apps\` installs them, runs them and writes this page. Behind the server stood a model API that answers by rules,
so that each answer could be checked.

The table says **yes** where a case worked, **no** where it failed, and **–** where the application or the protocol has no
word for it. The numbers refer to the reasons below the table.

| case | what was checked |
| --- | --- |
| plain | the answer is that to the question |
| streamed | the answer came in pieces |
| client tool | the application ran its own tool, and the model saw the result |
| host tool | the server ran the tool \`calculate\`, and the application showed the answer |
| structured | the answer follows a schema of the application |
| turns | the model saw the earlier messages; with Responses also by \`previous_response_id\` where the client has it |
| image | the model saw the bytes of an image |
| stop | the application stopped in the middle of a stream, and the request to the model API ended |
| errors | an unknown model and a wrong token give the application's own errors |

The server had \`keep_responses\`, because some clients of Responses expect it to store their responses
([server.md](server.md#runs-and-readers)), and \`tokens\`. A client that sends no token can call a server without \`tokens\`.
`

/** The page about clients, from the results of a run. */
export function clientsPage(results: Results): string {
  const reasons = new Reasons()
  const rows = APPS.flatMap((app) => rowsOf(app, results[app.name], reasons))
  const notRun = [...Object.entries(NOT_RUN), ...APPS.flatMap((app) => notRunOf(app, results))]
  return [
    INTRO,
    '## What works',
    rowOf(['application', 'API', ...CASES]),
    rowOf(['---', '---', ...CASES.map(() => ':-:')]),
    ...rows,
    '',
    ...reasons.lines(),
    '',
    '## How to connect',
    'The address of the server is here `http://127.0.0.1:8787`. The key is a token of the server, or any text if it has no',
    'tokens. The model is a published one.',
    '',
    rowOf(['application', 'setting']),
    rowOf(['---', '---']),
    ...APPS.map((app) => rowOf([nameOf(app), app.connect])),
    '',
    CLAUDE_CODE,
    '',
    AG_UI_PAGES,
    '',
    OTHER_LANGUAGES,
    '',
    '## Versions',
    rowOf(['application', 'versions']),
    rowOf(['---', '---']),
    ...APPS.map((app) => rowOf([nameOf(app), versionsIn(results[app.name])])),
    ...(notRun.length > 0
      ? ['', '## Not run', ...notRun.map(([name, why]) => `- ${name}: ${why}.`)]
      : []),
    '',
  ].join('\n')
}

function rowsOf(app: App, result: AppResult | undefined, reasons: Reasons): readonly string[] {
  const apis = [...new Set(result?.lines.map(({ api }) => api))]
  return apis.map((api, at) => {
    const lines = result?.lines.filter((line) => line.api === api) ?? []
    const cells = CASES.map((name) => {
      const line = lines.find((one) => one.case === name)
      return line
        ? cellOf(line, reasons)
        : `no ${reasons.mark('the program ended before this case')}`
    })
    return rowOf([at === 0 ? nameOf(app) : '', api, ...cells])
  })
}

function cellOf({ outcome, why = '' }: Line, reasons: Reasons): string {
  if (outcome === 'works') return 'yes'
  return `${outcome === 'fails' ? 'no' : '–'} ${reasons.mark(why)}`
}

/** Reasons in the order of their first mention; equal ones have one number. */
class Reasons {
  readonly #all: string[] = []

  mark(why: string): string {
    const reason = why.replaceAll(/\s+/g, ' ').slice(0, 300)
    if (!this.#all.includes(reason)) this.#all.push(reason)
    return `<sup>${this.#all.indexOf(reason) + 1}</sup>`
  }

  lines(): readonly string[] {
    return this.#all.map((reason, at) => `${at + 1}. ${sentence(reason)}`)
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function notRunOf(app: App, results: Results): readonly (readonly [string, string])[] {
  const result = results[app.name]
  return result && result.notRun === undefined
    ? []
    : [[nameOf(app), result?.notRun ?? 'not tried yet']]
}

function nameOf({ title, name, language }: App): string {
  return `${title ?? name} (${language === 'python' ? 'Python' : 'Node'})`
}

function versionsIn(result: AppResult | undefined): string {
  return Object.entries(result?.versions ?? {})
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
