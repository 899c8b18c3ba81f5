/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state: number

  constructor(seed: string) {
    let hash = 0x811c9dc5
    for (const byte of Buffer.from(seed)) hash = Math.imul(hash ^ byte, 0x01000193)
    this.#state = hash >>> 0
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** A whole number; both ends can come. */
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(all: readonly [T, ...T[]]): T {
    return all[this.whole(0, all.length - 1)] ?? all[0]
  }

  /** The place of one of these weights: a heavier one comes more often. */
  place(weights: readonly number[]): number {
    let left = this.next() * weights.reduce((sum, weight) => sum + weight, 0)
    const place = weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
    return place === -1 ? weights.length - 1 : place
  }
}
