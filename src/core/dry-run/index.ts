/** What the hooks of a request do before the model is asked, step by step. */
export { type DryRunStep, Watch } from './watch.ts'
