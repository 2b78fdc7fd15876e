/** A fault in an expression. Its message becomes the tool's result. */
export class CalculatorError extends Error {
  override readonly name = 'CalculatorError'
}
