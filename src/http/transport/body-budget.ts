import type { Failure } from '../../domain/failures.ts'
import { homeOf } from '../../lib/client-network.ts'
import { mebibyte } from '../../lib/sizes.ts'

/** Bodies larger than this are counted while they are under way. Smaller ones cost less than their connection does. */
export const medium_bytes = 8_192
const large_bytes = 65_536
/** How many bodies over 64 KiB one address may have under way. */
const large_per_address = 4

interface CountedBody {
  readonly bytes: number
  readonly large: boolean
  readonly address: string
}

interface Bounds {
  /** For all bodies over 8 KiB together. */
  readonly together_bytes: number
  /** How many bodies between 8 KiB and 64 KiB one address may have under way; any number by default. */
  readonly medium_per_address?: number
}

/** The counted bodies of one kind of route: in all, and by size and address. */
class BodiesUnderWay {
  readonly #max_bytes: number
  readonly #large: CountByAddress
  readonly #medium: CountByAddress
  #bytes = 0

  constructor({ together_bytes, medium_per_address = Number.POSITIVE_INFINITY }: Bounds) {
    this.#max_bytes = together_bytes
    this.#large = new CountByAddress(large_per_address)
    this.#medium = new CountByAddress(medium_per_address)
  }

  get bytes(): number {
    return this.#bytes
  }

  add(body: CountedBody): Failure | undefined {
    const count = this.#countOf(body)
    if (count.isFull(body.address)) return { kind: 'too_many_bodies' }
    if (this.#bytes + body.bytes > this.#max_bytes) return { kind: 'bodies_exhausted' }
    count.add(body.address)
    this.#bytes += body.bytes
    return undefined
  }

  remove(body: CountedBody): void {
    this.#countOf(body).remove(body.address)
    this.#bytes -= body.bytes
  }

  #countOf({ large }: CountedBody): CountByAddress {
    return large ? this.#large : this.#medium
  }
}

class CountByAddress {
  readonly #max: number
  readonly #counts = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  isFull(address: string): boolean {
    return (this.#counts.get(address) ?? 0) >= this.#max
  }

  add(address: string): void {
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
  }

  remove(address: string): void {
    const count = this.#counts.get(address) ?? 0
    if (count > 1) this.#counts.set(address, count - 1)
    else this.#counts.delete(address)
  }
}

/** How much of this process's memory the bodies of one kind of route may take, each and all together. */
export class BodyBudget {
  /** Of one body. */
  readonly max_bytes: number
  readonly #under_way: BodiesUnderWay

  constructor({ max_bytes, ...bounds }: Bounds & { readonly max_bytes: number }) {
    this.max_bytes = max_bytes
    this.#under_way = new BodiesUnderWay(bounds)
  }

  /** Bytes counted for all bodies under way. */
  get held_bytes(): number {
    return this.#under_way.bytes
  }

  /** Begins to account for one body, at 0 bytes. */
  hold(client_address: () => string): BodyHold {
    return new BodyHold(this.#under_way, client_address)
  }
}

/** What one body takes of a budget, from the moment its size is known until its request is done. */
export class BodyHold {
  readonly #under_way: BodiesUnderWay
  readonly #address: () => string
  #counted: CountedBody | undefined

  constructor(under_way: BodiesUnderWay, client_address: () => string) {
    this.#under_way = under_way
    this.#address = client_address
  }

  /** Whether anything is counted for the body. */
  get counts(): boolean {
    return this.#counted !== undefined
  }

  /**
   * Counts a body of `bytes`; gives the failure when there is no room. A body of unknown size calls this again as it
   * grows, and is counted with the most that it can become: `most_bytes`.
   */
  reserve(bytes: number, most_bytes: number): Failure | undefined {
    if (bytes <= medium_bytes || bytes <= (this.#counted?.bytes ?? 0)) return undefined
    const large = bytes > large_bytes
    this.release()
    const body = {
      bytes: large ? most_bytes : Math.min(large_bytes, most_bytes),
      large,
      address: homeOf(this.#address()),
    }
    const failure = this.#under_way.add(body)
    if (failure === undefined) this.#counted = body
    return failure
  }

  /** Gives back what is counted. A second call does nothing. */
  release(): void {
    const counted = this.#counted
    this.#counted = undefined
    if (counted !== undefined) this.#under_way.remove(counted)
  }
}

export interface BodyBudgets {
  /** For routes that ask for a private key. */
  readonly private: BodyBudget
  /** For everything that anybody can call: the route of the public key, and pages. */
  readonly public: BodyBudget
}

/** The budgets of one server. They are apart so that strangers take nothing from merchants. */
export function createBodyBudgets(): BodyBudgets {
  return {
    private: new BodyBudget({ max_bytes: mebibyte, together_bytes: 32 * mebibyte }),
    public: new BodyBudget({ max_bytes: 131_072, together_bytes: 16 * mebibyte, medium_per_address: 64 }),
  }
}
