/** The symbols of `using`, which a test environment with a DOM lacks before Node 24. */
const { dispose, asyncDispose } = Symbol as Partial<
  Pick<SymbolConstructor, 'dispose' | 'asyncDispose'>
>

export const disposeSymbol = dispose ?? Symbol.for('Symbol.dispose')
export const asyncDisposeSymbol = asyncDispose ?? Symbol.for('Symbol.asyncDispose')
