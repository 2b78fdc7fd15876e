/** Serves recorded answers of model APIs to the providers, and prints what they read from them, one line per file. */
import { recordingsBelow } from './replay/recording.ts'
import { Replayer } from './replay/replayer.ts'

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined) throw new Error('Name the folder: npm run --silent replay -- DIR')
  const files = recordingsBelow(folder)
  const replayer = await Replayer.start()
  for (const file of files) {
    const answers = await replayer.replay(file)
    process.stdout.write(`${JSON.stringify({ file: file.path, answers })}\n`)
    if (file.fault === undefined) continue
    process.stderr.write(`${file.path} cannot be read as a recording: ${file.fault}\n`)
    process.exitCode = 1
  }
  await replayer.close()
}

try {
  await main(process.argv[2])
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
