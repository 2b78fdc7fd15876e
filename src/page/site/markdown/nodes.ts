/** A part of a text that stands in a line. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly children: readonly Inline[] }
  | { readonly kind: 'break' }
  | MathNode
  | LinkNode
  | ImageNode
  | RemoteImageNode

export interface MathNode {
  readonly kind: 'math'
  readonly tex: string
  /** The formula as it is written, with its delimiters. */
  readonly raw: string
  /** Whether it is shown on a line of its own. */
  readonly isDisplay: boolean
}

export interface LinkNode {
  readonly kind: 'link'
  readonly address: string
  readonly title?: string
  readonly children: readonly Inline[]
}

export interface ImageNode {
  readonly kind: 'image'
  readonly address: string
  readonly alt: string
}

/** An image of another host, which is loaded only where the reader opens it. */
export interface RemoteImageNode {
  readonly kind: 'remote-image'
  readonly address: string
  readonly host: string
  readonly alt: string
}

/** A part of a text that stands by itself. */
export type Block =
  | { readonly kind: 'paragraph' | 'line'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly depth: number; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'rule' }
  /** Text that is shown as it is written. */
  | { readonly kind: 'plain'; readonly text: string }
  | MathNode
  | CodeNode
  | ListNode
  | TableNode

export interface CodeNode {
  readonly kind: 'code'
  /** The first word after the fence, or nothing. */
  readonly language: string
  readonly text: string
  /** Whether its fence is not closed yet. */
  readonly isOpen: boolean
}

export interface ListNode {
  readonly kind: 'list'
  /** The first number. Absent where the items have none. */
  readonly start?: number
  readonly items: readonly ListItem[]
}

export interface ListItem {
  /** Whether a task is done. Absent where it is none. */
  readonly isDone?: boolean
  readonly blocks: readonly Block[]
}

export type Align = 'left' | 'center' | 'right' | null

export interface TableNode {
  readonly kind: 'table'
  readonly aligns: readonly Align[]
  readonly header: readonly (readonly Inline[])[]
  readonly rows: readonly (readonly (readonly Inline[])[])[]
}
