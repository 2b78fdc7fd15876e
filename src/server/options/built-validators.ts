/**
 * Gives schemas the validators that the build compiled from them, so that a start loads no ajv. Here there are none: where
 * the host runs from source, ajv compiles a schema on first use. The build replaces this module
 * (scripts/build/declared-validators.ts).
 */
export function registerBuiltValidators(): void {}
