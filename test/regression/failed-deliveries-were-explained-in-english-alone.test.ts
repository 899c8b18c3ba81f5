import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { explainedError } from '../../dashboard/src/pages/delivery/error-texts.ts'
import { createPoster } from '../../src/net/post.ts'
import { startRaw } from '../support/receiver.ts'
import { root } from '../support/tree.ts'

async function codeOf(url: string, addresses: string[], allow_loopback = true): Promise<string | null> {
  const options = { timeout_ms: 300, ca: [], response_limit_bytes: 16_384 }
  const poster = createPoster({ ...options, allow_loopback, resolve: async () => addresses })
  onTestFinished(() => poster.close())
  return (await poster.post({ url, headers: {}, body: '{}' })).error_code
}

// A name without an address and a server that is too slow, the most frequent mistakes, have no code of Node.
it('errors that Node knows no code of have texts in both languages', async () => {
  const silent = await startRaw(() => undefined)
  onTestFinished(() => silent.stop())
  const codes = [
    await codeOf('https://nowhere.example/', []),
    await codeOf(`https://127.0.0.1:${silent.port}/`, []),
    await codeOf('https://inside.example/', ['10.0.0.1'], false),
  ]
  const attempt = readFileSync(`${root}src/features/webhooks/attempt.ts`, 'utf8')
  codes.push(...Array.from(attempt.matchAll(/error_code: '(\w+)'/g), ([, code = '']) => code))
  expect(codes).toHaveLength(7)
  // What keeps a secret from being opened is said in the sentence.
  expect(codes.filter((code) => explainedError(code) === undefined)).toEqual(['unreadable_secret'])
})
