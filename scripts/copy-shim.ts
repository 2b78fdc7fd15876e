/** A part of the build: what runs on Python's side goes beside what `tsc` wrote, as it is. */
import { cp, rm } from 'node:fs/promises'

const FROM = 'src/python/shim'
const TO = 'dist/python/shim'

await rm(TO, { recursive: true, force: true })
await cp(FROM, TO, { recursive: true, filter: (path) => !path.includes('__pycache__') })
