import { describe, expect, it } from 'vitest'
import { createPasswords } from '../../../src/features/staff/passwords.ts'

const cheap = { N: 2 ** 4, r: 8, p: 1 }

describe('passwords', () => {
  it('are compared with their hashes, however their characters are composed', async () => {
    const passwords = createPasswords(cheap)
    const hash = await passwords.hash('cafe\u0301 kettle grants')
    expect(hash).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await passwords.verify('caf\u00e9 kettle grants', hash)).toEqual({ right: true, outdated: false })
    expect(await passwords.verify('cafe kettle grants', hash)).toEqual({ right: false, outdated: false })
    expect(await createPasswords({ ...cheap, p: 2 }).verify('caf\u00e9 kettle grants', hash)).toEqual({
      right: true,
      outdated: true,
    })
  })

  it('of an unknown person are wrong', async () => {
    expect(await createPasswords(cheap).verify('anything', null)).toEqual({ right: false, outdated: false })
  })

  it('are hashed two at a time; forty more wait, and others are refused, so that strangers cannot take all memory', async () => {
    const passwords = createPasswords({ N: 2 ** 10, r: 8, p: 1 })
    const asked = Array.from({ length: 50 }, () => passwords.verify('x', null))
    const ended = await Promise.allSettled(asked)
    const refused = ended.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(8)
    expect(refused[0]).toMatchObject({ reason: { failure: { kind: 'sign_in_busy' } } })
    expect(await passwords.verify('x', null)).toMatchObject({ right: false })
  })
})
