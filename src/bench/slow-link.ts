import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A link to a port of this machine, as slow as a phone's. */
export interface SlowLink {
  readonly port: number
  close(): void
}

export interface LinkSpeed {
  /** There and back. */
  readonly round_trip_ms: number
  readonly bits_per_s: number
}

/** As much as a packet holds. */
const packet_bytes = 1_400

/**
 * Opens a port whose connections lead to another one, late and in small pieces. The connections share the speed, as they do on
 * a phone, and each takes one round trip to be made.
 */
export async function openSlowLink(to_port: number, speed: LinkSpeed): Promise<SlowLink> {
  const down = createDirection(speed)
  const up = createDirection(speed)
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port: to_port, noDelay: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    }
    near.on('close', () => far.destroy())
    far.on('data', (data) => down(data, near)).on('close', () => near.destroy())
    // The caller is connected at once; its first bytes wait for the round trip that connecting would have taken.
    setTimeout(() => near.on('data', (data) => up(data, far)), speed.round_trip_ms)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Deliver = (data: string | Buffer, to: Socket) => void

interface Packet {
  readonly data: Buffer
  readonly to: Socket
  readonly due_ms: number
}

/** One direction of the link: what is sent waits for what was sent before it, and arrives half a round trip later. */
function createDirection({ round_trip_ms, bits_per_s }: LinkSpeed): Deliver {
  const waiting: Packet[] = []
  let free_ms = 0
  // One timer at a time: two of different lengths can end in the wrong order.
  const wait = (): void => {
    const [next] = waiting
    if (next !== undefined) setTimeout(deliver, Math.max(1, next.due_ms - performance.now()))
  }
  const deliver = (): void => {
    for (let next = waiting[0]; next !== undefined && next.due_ms <= performance.now(); next = waiting[0]) {
      waiting.shift()
      if (next.to.writable) next.to.write(next.data)
    }
    wait()
  }
  return (data, to) => {
    const bytes = Buffer.from(data)
    const was_empty = waiting.length === 0
    for (let at = 0; at < bytes.length; at += packet_bytes) {
      const packet = bytes.subarray(at, at + packet_bytes)
      free_ms = Math.max(free_ms, performance.now()) + (packet.length * 8_000) / bits_per_s
      waiting.push({ data: packet, to, due_ms: free_ms + round_trip_ms / 2 })
    }
    if (was_empty) wait()
  }
}
