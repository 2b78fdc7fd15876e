/** What the other packages of Braidwork use beyond the public face; it changes with any version. */

export { RecordReader } from './record-reader.ts'
