/** The parts of Temml that the page uses. Its own types are not found by bundlers. */
declare module 'temml' {
  /** An element, a text, or what holds others together and is none. */
  export interface Node {
    readonly type?: string
    readonly text?: string
    readonly attributes?: { readonly [name: string]: unknown }
    readonly classes?: readonly string[]
    readonly style?: { readonly [name: string]: unknown }
    readonly children?: readonly Node[]
  }

  const temml: {
    __renderToMathMLTree(
      tex: string,
      options: {
        readonly displayMode: boolean
        readonly throwOnError: boolean
        readonly trust: boolean
        readonly maxExpand: number
        readonly maxSize: readonly [number, number]
      },
    ): Node
  }

  export { temml as default }
}
