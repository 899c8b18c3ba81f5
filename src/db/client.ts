import type { Socket } from 'node:net'
import pg from 'pg'

/**
 * A client that closes a connection which cannot be used. The driver leaves one open if it gives up the sign-in itself, as
 * without a password, and a command would not end before the server ends the connection.
 */
export class EndingClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(done: (error: Error) => void): void
  override connect(done?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (done === undefined) return super.connect()
    super.connect((error: Error) => {
      if (error) socketOf(this)?.destroy()
      done(error)
    })
    return undefined
  }
}

/** The driver waits for answers before it ends a connection, and its types do not name the socket. */
export function socketOf(client: object): Socket | undefined {
  const { connection } = client as { readonly connection?: { readonly stream?: Socket } }
  return connection?.stream
}
