/** What is wrong with an expression; its message is the tool's result. */
export class CalculatorError extends Error {
  override readonly name = 'CalculatorError'
}
