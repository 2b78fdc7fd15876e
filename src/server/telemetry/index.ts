export { telemetryFaults } from './open-telemetry.ts'
export { Telemetry } from './telemetry.ts'
