import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { findFreePort, isFree } from '../../src/lib/listen.ts'

const host = '127.0.0.1'

/** A port that nothing listens on. */
export const freePort = (): Promise<number> => findFreePort(host)

/** A port on which another program listens until the end of the test. */
export async function takenPort(): Promise<number> {
  const port = await freePort()
  const other = createServer().listen(port, host)
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return port
}

let port_of_pages: number | undefined

/**
 * A port for a server whose pages are opened in Chromium: the same for all files of a worker, so that the browser finds the
 * scripts of pages in its cache. No other test takes it meanwhile.
 */
export async function portOfPages(): Promise<number> {
  if (port_of_pages === undefined || !(await isFree(port_of_pages, host)))
    port_of_pages = await findFreePort(host, { from: 18_000, to: 20_000 })
  return port_of_pages
}
