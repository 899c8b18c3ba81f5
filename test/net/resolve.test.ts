import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createResolve, reachOfUrl } from '../../src/net/resolve.ts'

describe('a name is resolved', () => {
  it('to all its addresses', async () => {
    const resolve = createResolve({ lookUp: async () => ['8.8.8.8', '10.0.0.1'] })
    expect(await resolve('shop.example')).toEqual(['8.8.8.8', '10.0.0.1'])
  })

  it('by the operating system, with /etc/hosts', async () => {
    const found = await createResolve()('localhost')
    expect(found.length).toBeGreaterThan(0)
    for (const address of found) expect(['127.0.0.1', '::1']).toContain(address)
  })

  it('to no address when nobody knows it', async () => {
    const resolve = createResolve({
      lookUp: async () => {
        throw new Error('ENOTFOUND')
      },
    })
    expect(await resolve('no.example')).toEqual([])
  })

  it('to no address when the look-up takes too long', async () => {
    const resolve = createResolve({ timeout_ms: 50, lookUp: () => sleep(5_000, ['10.0.0.1'], { ref: false }) })
    const began_ms = performance.now()
    expect(await resolve('slow.example')).toEqual([])
    expect(performance.now() - began_ms).toBeLessThan(1_000)
  })

  // Each look-up occupies one of the four threads of the process.
  it('a few at a time, and the others wait', async () => {
    let running = 0
    let most = 0
    const lookUp = async () => {
      running += 1
      most = Math.max(most, running)
      await sleep(20)
      running -= 1
      return ['8.8.8.8']
    }
    const resolve = createResolve({ concurrency: 2, timeout_ms: 2_000, lookUp })
    const all = await Promise.all(Array.from({ length: 10 }, () => resolve('shop.example')))
    expect(all).toEqual(Array.from({ length: 10 }, () => ['8.8.8.8']))
    expect(most).toBe(2)
  })

  it('again once look-ups that took too long have ended', async () => {
    let slow = true
    const lookUp = async () => (slow ? sleep(120, ['10.0.0.1']) : ['8.8.8.8'])
    const resolve = createResolve({ concurrency: 1, timeout_ms: 40, lookUp })
    expect(await Promise.all([resolve('a.example'), resolve('b.example'), resolve('c.example')])).toEqual([[], [], []])
    slow = false
    await sleep(150)
    expect(await resolve('d.example')).toEqual(['8.8.8.8'])
  })
})

describe('a URL leads', () => {
  const resolve = async (name: string) =>
    ({ 'in.example': ['10.0.0.1'], 'self.example': ['127.0.0.1', '8.8.8.8'] })[name] ?? []

  it.each([
    ['https://8.8.8.8/hook', 'public'],
    ['https://in.example/hook', 'reserved'],
    ['https://self.example:8443/hook', 'loopback'],
    ['https://later.example/hook', 'public'],
    ['https://localhost/hook', 'loopback'],
    ['https://10.0.0.1/hook', 'reserved'],
  ])('%s: %s', async (url, reach) => {
    expect(await reachOfUrl(new URL(url), resolve)).toBe(reach)
  })

  it('without a look-up when its host is an address or loopback', async () => {
    const never = async () => {
      throw new Error('asked')
    }
    expect(await reachOfUrl(new URL('https://[::1]/'), never)).toBe('loopback')
  })
})
