import { createInterface } from 'node:readline'
import { lockDataDirectory, openDataDirectory } from '../../src/config/data-directory.ts'
import { readPidFile } from '../../src/db/embedded/running.ts'
import { attachEmbedded, startEmbedded } from '../../src/db/embedded.ts'

// A separate process that holds a database: node holder.ts serve|attach|lock DATA_DIR.
// It prints one line of JSON when it holds the database, stops it cleanly at the end of its stdin, and ignores Ctrl-C.
const [mode, path = ''] = process.argv.slice(2)
process.on('SIGINT', () => process.stdout.write('{"interrupted":true}\n'))

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

async function hold(): Promise<() => Promise<unknown>> {
  const dir = await openDataDirectory(path)
  if (mode === 'attach') {
    const database = await attachEmbedded(dir)
    say({ connection: database?.connection('owner') ?? null })
    return async () => database?.stop()
  }
  const lock = await lockDataDirectory(dir)
  if (lock === null || mode === 'lock') {
    say({ locked: lock !== null })
    return async () => lock?.release()
  }
  const database = await startEmbedded(dir, { fsync: false })
  say({ connection: database.connection('owner'), postmaster: (await readPidFile(dir.cluster))?.pid })
  return () => database.stop().finally(() => lock.release())
}

try {
  const release = await hold()
  const input = createInterface(process.stdin)
  input.on('close', () => void release().then(() => say({ released: true })))
} catch (error) {
  say({ error: error instanceof Error ? error.message : String(error), name: error instanceof Error ? error.name : '' })
}
