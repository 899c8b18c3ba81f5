import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../../domain/failures.ts'
import { normalPassword } from '../../domain/password.ts'

/** The parameters of scrypt: it takes 128 · N · r bytes, `p` times. */
export interface PasswordCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** 32 MiB three times: what OWASP recommends where two run at once. */
const standard_cost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }

/** Hashes and compares passwords, few at a time: each takes memory and a core. docs/staff.md */
export interface Passwords {
  /** @throws DomainError `sign_in_busy` when too many others wait */
  hash(password: string): Promise<string>
  /**
   * Compares a password with a stored hash, and takes the same time where there is none. `outdated`: it is right, and the
   * hash was made with other parameters than today's.
   * @throws DomainError `sign_in_busy` when too many others wait
   */
  verify(password: string, stored: string | null): Promise<{ readonly right: boolean; readonly outdated: boolean }>
}

interface Stored extends PasswordCost {
  readonly salt: Buffer
  readonly key: Buffer
}

const key_bytes = 32
const salt_bytes = 16
const shape = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/

const max_at_once = 2
const max_waiting = 40

export function createPasswords(cost: PasswordCost = standard_cost): Passwords {
  const alone = createGate(max_at_once, max_waiting)
  // Compared with where there is no hash, so that an unknown address takes as long as a known one.
  const nobody: Stored = { ...cost, salt: randomBytes(salt_bytes), key: randomBytes(key_bytes) }
  return {
    async hash(password) {
      const salt = randomBytes(salt_bytes)
      const key = await alone(() => derive(password, salt, cost))
      const parameters = `ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}`
      return `$scrypt$${parameters}$${salt.toString('base64url')}$${key.toString('base64url')}`
    },
    async verify(password, stored) {
      const known = stored === null ? null : read(stored)
      const { key, salt, ...used } = known ?? nobody
      const equal = timingSafeEqual(await alone(() => derive(password, salt, used)), key)
      const right = equal && known !== null
      return { right, outdated: right && (used.N !== cost.N || used.r !== cost.r || used.p !== cost.p) }
    },
  }
}

function derive(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  // Twice what the parameters take, and a little: the bound includes the library's own blocks.
  const maxmem = 256 * N * r + 1_048_576
  scrypt(normalPassword(password), salt, key_bytes, { N, r, p, maxmem }, (error, key) =>
    error === null ? resolve(key) : reject(error),
  )
  return promise
}

function read(stored: string): Stored {
  const [, ln = '', r = '', p = '', salt = '', key = ''] = shape.exec(stored) ?? []
  if (key === '') throw new Error('a stored password is not one of ours')
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return { N: 2 ** Number(ln), r: Number(r), p: Number(p), salt: bytes(salt), key: bytes(key) }
}

/** Runs up to `at_once` pieces of work, lets `waiting` more wait in order, and refuses the rest. */
function createGate(at_once: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (running < at_once) running += 1
    else {
      if (queue.length >= waiting) throw new DomainError({ kind: 'sign_in_busy' })
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    try {
      return await work()
    } finally {
      // A place passes on to the next in the queue, or becomes free.
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
