import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSystemResolve, reachOfUrl } from '../../src/net/resolve.ts'

describe('a name is resolved', () => {
  it('to all its addresses', async () => {
    const resolve = createSystemResolve({ lookUp: async () => ['8.8.8.8', '10.0.0.1'] })
    expect(await resolve('shop.example')).toEqual(['8.8.8.8', '10.0.0.1'])
  })

  it('by the operating system, with /etc/hosts', async () => {
    const found = await createSystemResolve()('localhost')
    expect(found.length).toBeGreaterThan(0)
    for (const address of found) expect(['127.0.0.1', '::1']).toContain(address)
  })

  it('to no address when it is unknown', async () => {
    const resolve = createSystemResolve({
      lookUp: async () => {
        throw new Error('ENOTFOUND')
      },
    })
    expect(await resolve('no.example')).toEqual([])
  })

  it('to nothing when that takes too long', async () => {
    const resolve = createSystemResolve({ timeout_ms: 50, lookUp: () => new Promise(() => undefined) })
    expect(await resolve('slow.example')).toEqual([])
  })

  // Look-ups occupy threads of the process, of which there are four.
  it('a few at once; each other waits no longer than its own limit', async () => {
    const running: (() => void)[] = []
    const lookUp = () =>
      new Promise<string[]>((answer) => {
        running.push(() => answer(['8.8.8.8']))
      })
    const resolve = createSystemResolve({ concurrency: 2, timeout_ms: 60_000, lookUp })
    const all = Promise.all(Array.from({ length: 10 }, () => resolve('shop.example')))
    for (let answered = 0; answered < 10; answered += 2) {
      await nextTurn()
      expect(running).toHaveLength(2)
      for (const answer of running.splice(0)) answer()
    }
    expect(await all).toEqual(Array.from({ length: 10 }, () => ['8.8.8.8']))
  })

  it('again once slow look-ups have ended', async () => {
    const slow = Promise.withResolvers<string[]>()
    const lookUp = (name: string) => (name === 'd.example' ? Promise.resolve(['8.8.8.8']) : slow.promise)
    const resolve = createSystemResolve({ concurrency: 1, timeout_ms: 40, lookUp })
    expect(await Promise.all([resolve('a.example'), resolve('b.example'), resolve('c.example')])).toEqual([[], [], []])
    slow.resolve(['10.0.0.1'])
    await nextTurn()
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
