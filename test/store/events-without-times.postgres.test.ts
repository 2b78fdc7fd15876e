import { postgres } from './backends.ts'
import { eventsWithoutTimesSuite } from './suites/events-without-times.ts'

eventsWithoutTimesSuite(postgres())
