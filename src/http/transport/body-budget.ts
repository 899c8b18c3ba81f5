import type { Failure } from '../../domain/failures.ts'
import { homeOf } from '../../net/client-network.ts'

/** Bodies larger than this are counted while they are under way. Smaller ones cost less than their connection does. */
const medium_bytes = 8_192
const large_bytes = 65_536
/** What one address may have under way of bodies over 64 KiB. */
const large_per_address = 4

const mebibyte = 1_048_576

/** A body that is counted. */
interface Counted {
  readonly bytes: number
  readonly large: boolean
  readonly address: string
}

/** Bodies that are under way on one kind of route: all together, and by size and address. */
class UnderWay {
  readonly #max_bytes: number
  readonly #tiers: { readonly large: ByAddress; readonly medium: ByAddress }
  #bytes = 0

  constructor({ together_bytes, medium_per_address = Number.POSITIVE_INFINITY }: Bounds) {
    this.#max_bytes = together_bytes
    this.#tiers = { large: new ByAddress(large_per_address), medium: new ByAddress(medium_per_address) }
  }

  get bytes(): number {
    return this.#bytes
  }

  take(body: Counted): Failure | undefined {
    const tier = this.#tierOf(body)
    if (tier.isFull(body.address)) return { kind: 'too_many_bodies' }
    if (this.#bytes + body.bytes > this.#max_bytes) return { kind: 'bodies_exhausted' }
    tier.add(body.address)
    this.#bytes += body.bytes
    return undefined
  }

  giveBack(body: Counted): void {
    this.#tierOf(body).remove(body.address)
    this.#bytes -= body.bytes
  }

  #tierOf({ large }: Counted): ByAddress {
    return large ? this.#tiers.large : this.#tiers.medium
  }
}

/** How many bodies of one size each address has under way. */
class ByAddress {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  isFull(address: string): boolean {
    return (this.#counts.get(address) ?? 0) >= this.#most
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

interface Bounds {
  /** What bodies over 8 KiB take together. */
  readonly together_bytes: number
  /** How many between 8 KiB and 64 KiB one address may have under way; without it any number. */
  readonly medium_per_address?: number
}

/** What the bodies of one kind of route may take of this process's memory, each and all together. */
export class BodyBudget {
  /** Of one body. */
  readonly max_bytes: number
  readonly #under_way: UnderWay

  constructor({ max_bytes, ...bounds }: Bounds & { readonly max_bytes: number }) {
    this.max_bytes = max_bytes
    this.#under_way = new UnderWay(bounds)
  }

  /** Bytes that bodies under way are counted with. */
  get held_bytes(): number {
    return this.#under_way.bytes
  }

  /** Begins to account for one body, with nothing. */
  hold(client_address: () => string): BodyHold {
    return new BodyHold(this.#under_way, client_address)
  }
}

/** The part of a budget that one body has, from the moment its size is known until its request is done with it. */
export class BodyHold {
  readonly #under_way: UnderWay
  readonly #address: () => string
  #taken: Counted | undefined

  constructor(under_way: UnderWay, client_address: () => string) {
    this.#under_way = under_way
    this.#address = client_address
  }

  /** Whether anything is counted for the body. */
  get counts(): boolean {
    return this.#taken !== undefined
  }

  /**
   * Counts a body with `bytes`; gives what it is refused with when there is no room. A body whose size was not announced
   * asks again as it grows, and is counted with the most that it can become: `most_bytes`.
   */
  cover(bytes: number, most_bytes: number): Failure | undefined {
    if (bytes <= medium_bytes || bytes <= (this.#taken?.bytes ?? 0)) return undefined
    const large = bytes > large_bytes
    this.release()
    const counted = {
      bytes: large ? most_bytes : Math.min(large_bytes, most_bytes),
      large,
      address: homeOf(this.#address()),
    }
    const failure = this.#under_way.take(counted)
    if (failure === undefined) this.#taken = counted
    return failure
  }

  /** Gives back what is held; nothing the second time. */
  release(): void {
    const taken = this.#taken
    this.#taken = undefined
    if (taken !== undefined) this.#under_way.giveBack(taken)
  }
}

export interface BodyBudgets {
  /** For routes that ask for a private key. */
  readonly private: BodyBudget
  /** For what a stranger reaches: the route of the public key, and pages. */
  readonly public: BodyBudget
}

/** The budgets of one server. They are apart, so that strangers take nothing from merchants. */
export function createBodyBudgets(): BodyBudgets {
  return {
    private: new BodyBudget({ max_bytes: mebibyte, together_bytes: 32 * mebibyte }),
    public: new BodyBudget({ max_bytes: 131_072, together_bytes: 16 * mebibyte, medium_per_address: 64 }),
  }
}
