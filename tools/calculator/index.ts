import type { Tool, ToolResult, ToolSchema } from '@braidwork/plugin'
import { CalculatorError } from './calculator-error.ts'
import { evaluate, LONGEST_EXPRESSION } from './evaluate.ts'
import { show } from './format.ts'
import { FUNCTION_NAMES } from './functions.ts'
import { counted } from './work.ts'

const CALCULATE: ToolSchema = {
  name: 'calculate',
  description: `Computes an arithmetic expression exactly. Operators: + - * / % (remainder) ^ (power); functions: ${FUNCTION_NAMES.join(', ')}; constants: pi, e.`,
  input_schema: {
    type: 'object',
    properties: {
      expression: {
        type: 'string',
        description: 'The expression, for example "12 * (3 + 4.5)" or "sqrt(2)"',
        maxLength: LONGEST_EXPRESSION,
      },
    },
    required: ['expression'],
    additionalProperties: false,
  },
  output_schema: {
    type: 'object',
    properties: {
      expression: { type: 'string' },
      result: { type: 'string', description: 'Decimal digits' },
      exact: { type: 'boolean', description: 'False if the digits are rounded' },
      fraction: { type: 'string', description: 'The exact value, if its digits never end' },
    },
    required: ['expression', 'result', 'exact'],
    additionalProperties: false,
  },
  safety: { is_read_only: true, is_concurrency_safe: true, is_destructive: false },
}

function calculate(input: unknown): ToolResult {
  const expression = expressionOf(input)
  if (expression === undefined) {
    return {
      output: 'The calculator needs {"expression": "…"}; the expression is a text.',
      isError: true,
    }
  }
  try {
    const { value } = counted(() => show(evaluate(expression)))
    return { output: { expression, ...value } }
  } catch (error) {
    if (!(error instanceof CalculatorError)) throw error
    return {
      output: `"${shorten(expression)}" cannot be computed: ${error.message}.`,
      isError: true,
    }
  }
}

function expressionOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('expression' in input)) return undefined
  return typeof input.expression === 'string' ? input.expression : undefined
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

export default {
  kind: 'tool',
  name: 'calculator',
  requiredTags: ['tools'],
  configSchema: { type: 'object', properties: {}, additionalProperties: false },
  getToolSchemas: () => [CALCULATE],
  executeTool: ({ input }) => calculate(input),
} satisfies Tool
