import type { Config } from '@braidwork/plugin'

/** Converts a value to its spelling at the place where it is inserted. */
export type Written = (value: string) => string

/** The spelling inside a JSON string. */
export const inJson: Written = (value) => JSON.stringify(value).slice(1, -1)

const asItIs: Written = (value) => value

/** The spelling in the answer's text: JSON if the config asks for a JSON answer, else plain. */
export function writtenInText({ response_format: format }: Config): Written {
  return format === undefined || format.type === 'text' ? asItIs : inJson
}
