import { memory, sqlite } from './backends.ts'
import { eventsWithoutTimesSuite } from './suites/events-without-times.ts'

for (const backend of [memory, sqlite()]) eventsWithoutTimesSuite(backend)
