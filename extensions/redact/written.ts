import type { Config } from '@braidwork/plugin'

/** How a value is written where it goes. */
export type Written = (value: string) => string

/** As part of a JSON text. */
export const inJson: Written = (value) => JSON.stringify(value).slice(1, -1)

const asItIs: Written = (value) => value

/** How values are written into the text of an answer: where JSON was asked for, it is the text of JSON. */
export function writtenInText({ response_format: format }: Config): Written {
  return format === undefined || format.type === 'text' ? asItIs : inJson
}
