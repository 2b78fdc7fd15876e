import { describeShipped } from './shipped-checks.ts'

/** The model of smollm takes many times as long as all others together; the others need packages of the user. */
const ELSEWHERE = ['smollm', 'llm', 'llm-tools']
describeShipped('every shipped plugin', (name) => !ELSEWHERE.includes(name))
