export { readBytes, readJson } from './body.ts'
export { setIncoming } from './body-pieces.ts'
export { peeked } from './peeked-body.ts'
export { discardBody } from './refused-body.ts'
