import type { Log } from '@braidwork/plugin'
import { EXIT } from './exit.ts'
import { hasLostTerminal } from './hang-up.ts'

/** How often to look for the parent, in milliseconds. */
const LOOK = 500

/**
 * Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. A command that `npx` runs also stops
 * when its shell has ended: npm passes a SIGTERM on to the shell only. SIGHUP calls `reload`, if given, unless a
 * closed terminal sent it; without `reload` it stops the command too.
 */
export function stopSignal(reload?: () => void): Promise<void> {
  return new Promise((resolve) => {
    let watch: NodeJS.Timeout | undefined
    const stop = () => {
      clearInterval(watch)
      process.on('SIGINT', () => process.exit(EXIT.interrupted))
      resolve()
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    process.on('SIGHUP', () => (reload && !hasLostTerminal() ? reload() : stop()))
    watch = isOfNpx() ? watchParent(stop) : undefined
  })
}

/**
 * Keeps a SIGHUP from ending a process that is about to have something to reload, unless a closed terminal sent it.
 * @returns ends this, and says whether one came
 */
export function holdReload(): () => boolean {
  let came = false
  const end = () => {
    process.off('SIGHUP', note)
    return came
  }
  const note = () => {
    came = true
    if (!hasLostTerminal()) return
    end()
    process.kill(process.pid, 'SIGHUP')
  }
  process.on('SIGHUP', note)
  return end
}

/** Signals that programs often handle to open their log files again. Node would open its debugger at SIGUSR1. */
const WITHOUT_EFFECT = ['SIGUSR1', 'SIGUSR2'] as const

/** Keeps signals that have no meaning here from ending the process or opening Node's debugger. */
export function ignoreUserSignals(log: Log): void {
  for (const signal of WITHOUT_EFFECT) {
    process.on(signal, () => {
      const message = `${signal} has no effect here. SIGHUP reloads the config, and the log goes to standard error.`
      log({ level: 'warn', message })
    })
  }
}

/** https://docs.npmjs.com/cli/v11/using-npm/scripts#environment */
function isOfNpx(): boolean {
  return process.env['npm_command'] === 'exec'
}

function watchParent(stop: () => void): NodeJS.Timeout {
  const { ppid } = process
  const look = () => {
    if (process.ppid !== ppid) stop()
  }
  return setInterval(look, LOOK).unref()
}
