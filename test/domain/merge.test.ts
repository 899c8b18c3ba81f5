import { expect, it } from 'vitest'
import type { Uuid } from '../../src/domain/ids.ts'
import { type MergedCustomer, refuseMerge } from '../../src/domain/merge.ts'
import { asPoints } from '../../src/domain/points.ts'

const [a, b] = ['0193e7a1-0000-7000-8000-00000000000a', '0193e7a1-0000-7000-8000-00000000000b'] as const
const most = 100_000_000_000_000

interface Row {
  readonly posted?: number
  readonly held?: number
  readonly waiting?: number
  readonly status?: 'invited' | 'active'
  readonly blocked?: boolean
  readonly id?: string
}

const customer = ({ posted = 0, held = 0, waiting = 0, status = 'active', blocked = false, id = a }: Row) =>
  ({
    ...{ customer_id: id as Uuid, status, blocked },
    ...{ posted: asPoints(posted), held: asPoints(held), waiting: asPoints(waiting) },
  }) satisfies MergedCustomer

it.each<[given_up: Row, stays: Row, refused: string | null]>([
  [{ posted: 5 }, {}, null],
  [{ posted: -5 }, { posted: 3 }, null],
  [{ status: 'invited', waiting: 7 }, {}, null],
  [{ posted: 5 }, { blocked: true }, null],
  [{ posted: 5 }, { held: 2, posted: 2 }, null],
  [{ posted: 5 }, { id: a }, 'same'],
  [{ posted: 5 }, { status: 'invited' }, 'not joined'],
  [{ posted: 5, blocked: true }, {}, 'blocked'],
  [{ posted: 5, held: 5 }, {}, 'held'],
  [{ posted: 5 }, { posted: most - 5 }, null],
  [{ posted: 5 }, { posted: most - 4 }, 'too many'],
  [{ posted: 4, waiting: 1 }, { posted: most - 4 }, 'too many'],
  [{ posted: -5, waiting: 1 }, { posted: most }, null],
  [{ posted: -5, waiting: 6 }, { posted: most }, 'too many'],
  [{ posted: -5 }, { posted: 5 - most }, null],
  [{ posted: -5 }, { posted: 4 - most }, 'too few'],
])('a number with %o goes into one with %o: %s', (from, into, refused) => {
  expect(refuseMerge(customer(from), customer({ id: b, ...into }))?.kind ?? null).toBe(refused)
})
