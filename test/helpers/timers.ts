/** How many timers are running. */
export function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}
