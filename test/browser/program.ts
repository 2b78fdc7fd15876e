import { existsSync } from 'node:fs'

const PEERS = new URL('../peers/', import.meta.url)

/** A browser without a window: each page costs it a fifth of what it costs the whole one. */
const SHELL = '/usr/bin/chromium-headless-shell'
const BROWSERS = [SHELL, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** The browser of the machine. */
const BROWSER = BROWSERS.find((path) => existsSync(path))

/** Why there is no browser to use pages in; nothing where there is one. */
export const BROWSER_IS_MISSING =
  BROWSER === undefined
    ? 'there is no chromium: apt-get install chromium-headless-shell'
    : existsSync(new URL('node_modules/playwright-core', PEERS))
      ? undefined
      : 'the renderers are missing: npm ci --prefix test/peers'

/** What a browser needs on a machine without a network, as root. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The page forbids others to open it. A new tab would therefore change from the process of its empty page to another
  // one, if there were no limit. Each context has processes of its own all the same.
  '--renderer-process-limit=1',
]

/**
 * Two pages that a whole browser draws in each of its windows, for what may be typed into its own bar. Of options with
 * this name the last counts, so what playwright-core turns off for pages is turned off here too.
 */
const FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'ThirdPartyStoragePartitioning',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'PaintHolding',
  'MediaRouter',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** How playwright-core starts the browser. */
export const LAUNCH = {
  executablePath: BROWSER,
  args: BROWSER === SHELL ? ARGUMENTS : [...ARGUMENTS, `--disable-features=${FEATURES_OFF}`],
}
