import { APPS } from '../apps/apps.ts'
import { install } from '../apps/install.ts'
import { pythonOf } from './python.ts'

/** The interpreter that has Python's a2a-sdk, installed from its lockfile. Without Python, the suite is skipped. */
export async function a2aPython(suite: Mocha.Context): Promise<string> {
  await pythonOf(suite)
  const app = APPS.find(({ name }) => name === 'a2a-sdk')
  if (!app) throw new Error('test/apps has no a2a-sdk.')
  return (await install(app)).command
}
