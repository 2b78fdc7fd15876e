export const CODE = 'OUTPUT_INVALID'

/** Added to the retry message, which the model reads. */
export const AGAIN = 'Answer again, with that JSON alone and nothing before or after it.'

/** The fault of a truncated answer. It is not retried, since a second answer would not be shorter. */
export const CUT =
  'The answer was cut off by the limit of output tokens before its JSON was complete; set a higher "max_output_tokens".'

export function faultMessage(faults: readonly string[], isRepair: boolean): string {
  const still = isRepair ? 'asked for once more, is still not' : 'is not'
  const list = faults.map((fault) => `\n- ${fault}`).join('')
  return `The answer${isRepair ? ', ' : ' '}${still} the JSON that response_format asks for:${list}`
}

export function outputError(message: string): Error {
  return Object.assign(new Error(message), { code: CODE })
}
