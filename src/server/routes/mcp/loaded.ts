/** What needs the SDK of the protocol, which loads with the first client. */

export { McpEndpoint } from './endpoint.ts'
export { connectStdio } from './stdio.ts'
