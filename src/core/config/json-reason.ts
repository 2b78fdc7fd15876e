import type { JsonFault } from '@braidwork/plugin'
import { valueAt } from './secret-marks.ts'

/** Why a value is not JSON, with advice where it is a schema of a library such as zod, which is easily given for its JSON. */
export function jsonReason(root: unknown, { pointer, reason }: JsonFault): string {
  if (!('~standard' in Object(valueAt(root, pointer)))) return reason
  return 'a schema of a library is not JSON; give its JSON Schema, of zod `z.toJSONSchema(schema)`'
}
