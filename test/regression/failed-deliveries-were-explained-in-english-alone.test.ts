import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { explainedError } from '../../dashboard/src/pages/delivery/error-texts.ts'
import { createPoster } from '../../src/net/post.ts'
import { startRaw } from '../support/receiver.ts'
import { root } from '../support/tree.ts'

async function errorOf(url: string, addresses: string[], allow_loopback = true): Promise<string> {
  const options = { timeout_ms: 300, ca: [], response_limit_bytes: 16_384 }
  const poster = createPoster({ ...options, allow_loopback, resolve: async () => addresses })
  onTestFinished(() => poster.close())
  const { error } = await poster.post({ url, headers: {}, body: '{}' })
  return error ?? ''
}

// A name without an address and a server that is too slow, the most frequent mistakes, have no code.
it('errors without a code have texts in both languages', async () => {
  const silent = await startRaw(() => undefined)
  onTestFinished(() => silent.stop())
  const errors = [
    await errorOf('https://nowhere.example/', []),
    await errorOf(`https://127.0.0.1:${silent.port}/`, []),
    await errorOf('https://inside.example/', ['10.0.0.1'], false),
  ]
  const attempt = readFileSync(`${root}src/features/webhooks/attempt.ts`, 'utf8')
  errors.push(...Array.from(attempt.matchAll(/'((?:not sent|interrupted): [^']+)'/g), ([, text = '']) => text))
  expect(errors).toHaveLength(6)
  expect(errors.filter((error) => explainedError(error) === undefined)).toEqual([])
})
