import type { BeforeCommit } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import { newUuid } from '../../lib/ids.ts'

/** How a handler makes its effect happen once, however often its request is executed. */
export interface Once {
  /**
   * The identifier of what the request makes: the same when it is executed again under its Idempotency-Key, so that what
   * an earlier execution has committed is found by it.
   */
  readonly uuid: Uuid
  /**
   * Takes what shapes the answer; gives what the story is to call before its commit, so that effect and answer are
   * committed together. Undefined for a request without a key.
   */
  keeping<Result>(view: (result: Result) => object): BeforeCommit<Result> | undefined
}

/** For requests without a key. */
export class EveryTime implements Once {
  #uuid: Uuid | undefined

  get uuid(): Uuid {
    this.#uuid ??= newUuid()
    return this.#uuid
  }

  keeping(): undefined {
    return undefined
  }
}
