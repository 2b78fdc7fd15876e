import { join } from 'node:path'
import { agUiEncoder } from '../src/server/wire/ag-ui/index.ts'
import { SDK_VERSIONS, uiMessageEncoder } from '../src/server/wire/ui-message-stream/index.ts'
import { A2A_INTRO, A2A_LOSSES, a2aWritten } from './wire-a2a-page.ts'
import { AG_UI_INTRO, AG_UI_LOSSES } from './wire-ag-ui-page.ts'
import { writtenBy } from './wire-samples.ts'
import { UI_INTRO, UI_LOSSES } from './wire-ui-page.ts'

/** A page of docs/ about a protocol. */
export interface WirePage {
  readonly path: string
  readonly text: string
}

type Rows = readonly (readonly [what: string, instead: string])[]

const MADE = '<!-- Made by "npm run docs" from the encoders; do not edit by hand. -->'

/** The generated pages about protocols. */
export function wirePages(): readonly WirePage[] {
  const versions = SDK_VERSIONS.map((sdk) => writtenBy((facts) => uiMessageEncoder(facts, { sdk })))
  const ui = [writtenBy((facts) => uiMessageEncoder(facts)), ...versions]
  const columns = ['without `sdk`', ...SDK_VERSIONS.map((sdk) => `\`sdk=${sdk}\``)]
  const agUi = [writtenBy((facts) => agUiEncoder(facts))]
  return [
    pageOf('wire-ui-message-stream', [
      MADE,
      UI_INTRO,
      ...tableOf(columns, ui),
      ...lossesOf(UI_LOSSES),
    ]),
    pageOf('wire-ag-ui', [
      MADE,
      AG_UI_INTRO,
      ...tableOf(['AG-UI events'], agUi),
      ...lossesOf(AG_UI_LOSSES),
    ]),
    pageOf('wire-a2a', [
      MADE,
      A2A_INTRO,
      ...tableOf(['A2A updates'], [a2aWritten()]),
      ...lossesOf(A2A_LOSSES),
    ]),
  ]
}

function pageOf(name: string, lines: readonly string[]): WirePage {
  const path = join(import.meta.dirname, '..', 'docs', `${name}.md`)
  return { path, text: `${lines.join('\n')}\n` }
}

/** The table of what is sent for each event. Identical columns are merged. */
function tableOf(
  columns: readonly string[],
  written: readonly ReadonlyMap<string, readonly string[]>[],
): readonly string[] {
  const [first = new Map<string, readonly string[]>(), ...others] = written
  const rows = [...first.keys()].map((type) => {
    const cells = written.map((one) => cellOf(one.get(type)))
    const isSame = others.length > 0 && cells.every((cell) => cell === cells[0])
    return rowOf([`\`${type}\``, ...cells.map((cell, at) => (isSame && at > 0 ? '' : cell))])
  })
  return [
    rowOf(['event of a run', ...columns]),
    rowOf(['event of a run', ...columns].map(() => '---')),
    ...rows,
  ]
}

function lossesOf(rows: Rows): readonly string[] {
  const heading = '\n## Differences'
  return [heading, rowOf(['of a run', 'on the wire']), rowOf(['---', '---']), ...rows.map(rowOf)]
}

function cellOf(types: readonly string[] = []): string {
  return types.length > 0 ? types.map((type) => `\`${type}\``).join(' ') : 'nothing'
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
