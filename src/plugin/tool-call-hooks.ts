/** The hooks by which features see, judge and change the tool calls of a run. They are part of HOOKS. */
export const TOOL_CALL_HOOKS = {
  editToolCall: {
    kinds: ['feature'],
    python: ['edit_tool_call'],
    args: 'call',
    answer: 'any',
    limit: 'hook',
    flow: 'fold',
    about:
      'Changes the arguments of a call before the policy decides about it: `{input, reason}`. The call in the history stays as the model wrote it.',
  },
  toolGate: {
    kinds: ['feature'],
    python: ['tool_gate'],
    args: 'call',
    answer: 'any',
    limit: 'hook',
    flow: 'each',
    about:
      'Judges a call before it runs: `{block: reason}`, `{suspend: reason}`, `{result, reason}`, or nothing. The strictest of all gates and the policy decides.',
  },
  editToolResult: {
    kinds: ['feature'],
    python: ['edit_tool_result'],
    args: 'call, result',
    answer: 'any',
    limit: 'hook',
    flow: 'fold',
    about: 'Changes what the model is told of a call that has run: `{output, reason}`.',
  },
} as const
