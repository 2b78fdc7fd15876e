/** What the other packages of Braidwork use beyond the public face; it changes with any version. */

export { LOOPBACK_HOSTS } from './guards.ts'
export { configFaults } from './published.ts'
export { optionsOf, readServerConfig, SERVER_SCHEMA, type ServerConfig } from './server-config.ts'
