import { expect, test } from 'vitest'
import { type Uuid, uuidV7 } from '../../src/domain/ids.ts'
import {
  applyEntries,
  availablePoints,
  type Entry,
  type LedgerFact,
  transferOf,
  type Wallet,
} from '../../src/domain/ledger.ts'
import { asPoints } from '../../src/domain/points.ts'

const [wallet, merchant, program, cause] = [uuid(1), uuid(2), uuid(3), uuid(4)]
const n = asPoints(100)

const facts: LedgerFact[] = [
  { kind: 'earn', cause, points: n, wallet, merchant },
  { kind: 'hold', cause, points: n, wallet },
  { kind: 'post', cause, points: n, wallet, merchant },
  { kind: 'release', cause, points: n, wallet },
  { kind: 'reverse', cause, points: n, wallet, merchant },
  { kind: 'return', cause, points: n, wallet, merchant },
  { kind: 'adjust', cause, points: n, wallet, program },
]

test('each fact posts from one side to the other', () => {
  expect(facts.map((fact) => `${fact.kind}: ${described(fact)}`)).toEqual([
    'earn: merchant.available -100, customer.available 100',
    'hold: customer.available -100, customer.held 100',
    'post: customer.held -100, merchant.available 100',
    'release: customer.held -100, customer.available 100',
    'reverse: customer.available -100, merchant.available 100',
    'return: merchant.available -100, customer.available 100',
    'adjust: program.available -100, customer.available 100',
  ])
})

test('a negative adjustment takes points away; any other negative fact throws', () => {
  for (const fact of facts) {
    const negative = { ...fact, points: asPoints(-100) }
    if (fact.kind === 'adjust') expect(described(negative)).toBe('program.available 100, customer.available -100')
    else expect(() => transferOf(negative)).toThrow(RangeError)
  }
})

test('entries have the accounts of their sides', () => {
  const ids = facts.map((fact) => transferOf(fact)?.entries.map((entry) => entry.account.account_id))
  expect(ids).toEqual([
    [merchant, wallet],
    [wallet, wallet],
    [wallet, merchant],
    [wallet, wallet],
    [wallet, merchant],
    [merchant, wallet],
    [program, wallet],
  ])
})

test('a fact of zero points posts nothing', () => {
  for (const fact of facts) expect(transferOf({ ...fact, points: asPoints(0) })).toBeNull()
})

test('a posted hold cannot also be released: both have the same reference', () => {
  const references = facts.map((fact) => transferOf(fact)?.reference)
  expect(references).toEqual([
    `earn:${cause}`,
    `hold:${cause}`,
    `hold-end:${cause}`,
    `hold-end:${cause}`,
    `reverse:${cause}`,
    `return:${cause}`,
    `adjust:${cause}`,
  ])
})

test('every entry of a wallet has the balance of its bucket and the next version', () => {
  const entries = [...entriesOf('earn', 500), ...entriesOf('hold', 200), ...entriesOf('post', 150)]
  const applied = applyEntries(walletOf(0, 0, 7), entries)
  expect(applied.wallet).toEqual({ posted: 350, held: 50, version: 11 })
  expect(
    applied.entries.map((entry) => [entry.amount, entry.bucket, entry.balance_after, entry.account_version]),
  ).toEqual([
    [-500, 'available', null, null],
    [500, 'available', 500, 8],
    [-200, 'available', 300, 9],
    [200, 'held', 200, 10],
    [-150, 'held', 50, 11],
    [150, 'available', null, null],
  ])
})

test('a hold moves available points to held, and leaves posted unchanged', () => {
  const { wallet: after } = applyEntries(walletOf(500, 0, 0), entriesOf('hold', 200))
  expect(after).toMatchObject({ posted: 500, held: 200 })
  expect(availablePoints(after)).toBe(300)
})

test('a reversal of spent points makes the wallet negative, and a later earning fills it', () => {
  const reversed = applyEntries(walletOf(100, 0, 0), entriesOf('reverse', 250)).wallet
  expect(reversed.posted).toBe(-150)
  expect(applyEntries(reversed, entriesOf('earn', 200)).wallet.posted).toBe(50)
})

test('more points than are held can neither be posted nor released', () => {
  for (const kind of ['post', 'release'] as const) {
    expect(() => applyEntries(walletOf(500, 99, 0), entriesOf(kind, 100))).toThrow('held below zero')
  }
})

test('a balance beyond 2^53 throws', () => {
  const full = walletOf(Number.MAX_SAFE_INTEGER, 0, 0)
  expect(() => applyEntries(full, entriesOf('earn', 1))).toThrow(RangeError)
})

test('entries of two customers are not applied to one wallet', () => {
  const others = transferOf({ kind: 'earn', cause, points: n, wallet: uuid(9), merchant })?.entries ?? []
  expect(() => applyEntries(walletOf(0, 0, 0), [...entriesOf('earn', 1), ...others])).toThrow(
    'entries of more than one customer',
  )
})

function entriesOf(kind: 'earn' | 'hold' | 'post' | 'release' | 'reverse', points: number): readonly Entry[] {
  return transferOf({ kind, cause, points: asPoints(points), wallet, merchant })?.entries ?? []
}

function described(fact: LedgerFact): string {
  const entries = transferOf(fact)?.entries ?? []
  return entries.map(({ account, bucket, amount }) => `${account.kind}.${bucket} ${amount}`).join(', ')
}

function walletOf(posted: number, held: number, version: number): Wallet {
  return { posted: asPoints(posted), held: asPoints(held), version }
}

function uuid(number: number): Uuid {
  return uuidV7(number, new Uint8Array(16))
}
