import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openSlowLink } from '../../src/bench/slow-link.ts'

it('a slow link brings all bytes of several connections there and back, in their order', async () => {
  const echo = createServer((socket) => socket.pipe(socket))
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const { port } = echo.address() as AddressInfo
  const link = await openSlowLink(port, { round_trip_ms: 10, bits_per_s: 40_000_000 })
  const sent = [randomBytes(100_000), randomBytes(50_000), randomBytes(1)]
  const back = sent.map(async (bytes) => {
    const socket = connect(link.port, '127.0.0.1')
    socket.write(bytes)
    const chunks: Buffer[] = []
    for await (const chunk of socket) {
      chunks.push(chunk as Buffer)
      if (Buffer.concat(chunks).length === bytes.length) return Buffer.concat(chunks)
    }
    return Buffer.concat(chunks)
  })
  expect((await Promise.all(back)).map((bytes, index) => bytes.equals(sent[index] ?? bytes))).toEqual([
    true,
    true,
    true,
  ])
  link.close()
  echo.close()
})
