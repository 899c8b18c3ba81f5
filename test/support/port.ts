import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A port that nobody else takes before the test uses it. It lies below the range of ephemeral ports, because the system
 * can give an ephemeral port to another process meanwhile, even to the client that wants to reach it.
 */
export function freePort(): Promise<number> {
  return findFree(20_000, 32_000)
}

/** A port on which another program listens until the end of the test. */
export async function takenPort(): Promise<number> {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return port
}

let port_of_pages: number | undefined

/**
 * A port for a server whose pages are opened in Chromium: the same for all files of a worker, so that the browser finds the scripts
 * of pages in its cache. No other test takes it meanwhile.
 */
export async function portOfPages(): Promise<number> {
  if (port_of_pages === undefined || !(await isFree(port_of_pages))) port_of_pages = await findFree(18_000, 20_000)
  return port_of_pages
}

async function findFree(from: number, to: number): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(from, to)
    if (await isFree(port)) return port
  }
  throw new Error('there is no free port')
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
