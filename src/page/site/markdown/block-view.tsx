import { Component, type ComponentChildren } from 'preact'
import { t } from '../words/index.ts'
import { CodeView } from './code-view.tsx'
import { FormulaView } from './formula-view.tsx'
import { Inlines } from './inline-view.tsx'
import type { Block, ListItem, ListNode, TableNode } from './nodes.ts'
import { scrolled } from './scrolled.ts'

/** The levels above are those of the page. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const

interface BlockProps {
  readonly block: Block
}

/** A block, which is drawn again only when it is another. */
export class BlockView extends Component<BlockProps> {
  override shouldComponentUpdate({ block }: BlockProps): boolean {
    return block !== this.props.block
  }

  override render({ block }: BlockProps): ComponentChildren {
    return blockOf(block)
  }
}

function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return <>{blocks.map(blockOf)}</>
}

function blockOf(block: Block): ComponentChildren {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Inlines nodes={block.children} />
        </p>
      )
    case 'line':
      return <Inlines nodes={block.children} />
    case 'heading': {
      const Heading = HEADINGS[block.depth - 1] ?? 'h6'
      return (
        <Heading>
          <Inlines nodes={block.children} />
        </Heading>
      )
    }
    case 'quote':
      return (
        <blockquote dir="auto">
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'rule':
      return <hr />
    case 'plain':
      return <div class="markdown-plain">{block.text}</div>
    case 'math':
      return <FormulaView math={block} />
    case 'code':
      return <CodeView code={block} />
    case 'list':
      return <List list={block} />
    case 'table':
      return <Table table={block} />
  }
}

function List({ list: { start, items } }: { readonly list: ListNode }) {
  const children = items.map((item) => <Item item={item} />)
  // The marks stand where the lines begin, in the direction of the first letters.
  if (start === undefined) return <ul dir="auto">{children}</ul>
  return (
    <ol start={start} dir="auto">
      {children}
    </ol>
  )
}

function Item({ item: { isDone, blocks } }: { readonly item: ListItem }) {
  if (isDone === undefined) {
    return (
      <li>
        <Blocks blocks={blocks} />
      </li>
    )
  }
  return (
    <li class="markdown-task">
      <span role="img" aria-label={t(isDone ? 'taskDone' : 'taskOpen')}>
        {isDone ? '☑' : '☐'}
      </span>{' '}
      <Blocks blocks={blocks} />
    </li>
  )
}

function Table({ table: { aligns, header, rows } }: { readonly table: TableNode }) {
  const classOf = (column: number) => {
    const align = aligns[column]
    return align ? `markdown-${align}` : undefined
  }
  return (
    // The first column, and the bar of a quote, stand where the lines begin.
    <div class="markdown-table" {...scrolled(t('table'))} dir="auto">
      <table>
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th scope="col" class={classOf(column)}>
                <Inlines nodes={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell, column) => (
                <td class={classOf(column)}>
                  <Inlines nodes={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
