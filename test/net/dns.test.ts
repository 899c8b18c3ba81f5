import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createDnsResolve } from '../../src/net/dns.ts'
import { elapsedTime } from '../support/elapsed.ts'

const elapsed = elapsedTime()

function failing(code: string): () => Promise<never> {
  return async () => {
    throw Object.assign(new Error(code), { code })
  }
}

describe('looking up a receiver', () => {
  it('queries the DNS servers once for all requests while it caches the answer', async () => {
    const asked: string[] = []
    const query = async (name: string) => {
      asked.push(name)
      await nextTurn()
      return ['93.184.215.14', '2606:2800:21f::1']
    }
    const resolve = createDnsResolve({ query, keep_ms: 60_000, machine: failing('ENOTFOUND') })
    const [one, two] = await Promise.all([resolve('a.example'), resolve('a.example'), resolve('b.example')])
    expect(one).toEqual(['93.184.215.14', '2606:2800:21f::1'])
    expect(two).toEqual(one)
    await resolve('a.example')
    expect(asked).toEqual(['a.example', 'b.example'])
  })

  it('queries again when the cached answer expires', async () => {
    let asked = 0
    const query = async () => [`93.184.215.${++asked}`]
    const resolve = createDnsResolve({ query, keep_ms: 5_000, machine: failing('ENOTFOUND') })
    await resolve('a.example')
    expect(await resolve('a.example')).toEqual(['93.184.215.1'])
    elapsed.pass(5_000)
    expect(await resolve('a.example')).toEqual(['93.184.215.2'])
  })

  it('queries the operating system when the DNS servers do not know the name, or there are none', async () => {
    const machine = async () => ['10.0.0.7']
    for (const query of [failing('ENOTFOUND'), failing('ENODATA'), failing('ECONNREFUSED'), async () => []])
      expect(await createDnsResolve({ query, machine })('intranet')).toEqual(['10.0.0.7'])
  })

  it('does not query the operating system when the DNS servers are silent, since that would delay others', async () => {
    const asked: string[] = []
    const machine = async (name: string) => {
      asked.push(name)
      return []
    }
    const resolve = createDnsResolve({ query: failing('ETIMEOUT'), machine })
    expect(await resolve('silent.example')).toEqual([])
    expect(asked).toEqual([])
  })

  it('knows this machine without a query', async () => {
    const resolve = createDnsResolve({ query: failing('ETIMEOUT'), machine: failing('ENOTFOUND') })
    for (const name of ['localhost', 'localhost.', 'a.localhost'])
      expect(await resolve(name)).toEqual(['127.0.0.1', '::1'])
  })
})
