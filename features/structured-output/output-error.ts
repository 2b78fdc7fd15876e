export const CODE = 'OUTPUT_INVALID'

/** What the model is told where it may answer once more. */
export const AGAIN = 'Answer again, with that JSON alone and nothing before or after it.'

/** No second answer would be longer. */
export const CUT =
  'The answer was cut off by the limit of output tokens before its JSON was whole; set a higher "max_output_tokens".'

export function faultMessage(faults: readonly string[], isRepair: boolean): string {
  const still = isRepair ? 'asked for once more, is still not' : 'is not'
  const list = faults.map((fault) => `\n- ${fault}`).join('')
  return `The answer${isRepair ? ', ' : ' '}${still} the JSON that response_format asks for:${list}`
}

export function outputError(message: string): Error {
  return Object.assign(new Error(message), { code: CODE })
}
