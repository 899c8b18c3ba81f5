/**
 * What a merchant and its program owe each other for a period. Sums over many wallets have no bound, so they are bigints.
 * docs/spec/settlement.md
 */
import { divideRounded } from './money.ts'
import { halalasOfMicroSar, MICRO_SAR_PER_HALALA, type MicroSarPerPoint } from './points.ts'

/** Entries that move points between a merchant's account and wallets. */
export const pointKinds = ['earn', 'reverse', 'post', 'return'] as const
export type PointKind = (typeof pointKinds)[number]

/** Money of a payment provider on the program's account: collected for the merchant, paid back, or found missing. */
export const moneyKinds = ['collected', 'paid_back', 'missing'] as const
export type MoneyKind = (typeof moneyKinds)[number]

/** The lines of a settlement, in the order of a statement. */
export const lineKinds = [...pointKinds, ...moneyKinds, 'fee_earn', 'fee_redeem', 'vat', 'rounding'] as const
export type LineKind = (typeof lineKinds)[number]

/** Entries of one kind that record the same value of a point. */
export interface PointSum {
  readonly kind: PointKind
  readonly micro_sar_per_point: MicroSarPerPoint
  readonly entries: number
  /** Never below 0, whatever the direction. */
  readonly points: bigint
}

export interface MoneySum {
  readonly kind: MoneyKind
  readonly entries: number
  readonly halalas: bigint
}

/** The fees of a program in basis points, on the value of points issued and redeemed, and the tax on them. */
export interface ProgramFees {
  readonly fee_earn_bp: number
  readonly fee_redeem_bp: number
  readonly fee_vat_bp: number
}

/** Those of a new program: no fees, and the value added tax of Saudi Arabia. docs/spec/terms.md#fees */
export const NO_FEES: ProgramFees = { fee_earn_bp: 0, fee_redeem_bp: 0, fee_vat_bp: 1_500 }

/** One line of a settlement. Points and value are what the merchant owes to the program; below 0 what it is owed. */
export interface SettlementLine {
  readonly kind: LineKind
  readonly micro_sar_per_point: MicroSarPerPoint | null
  readonly entries: number
  readonly points: bigint
  readonly micro_sar: bigint
}

/** What a period comes to. Above 0 the merchant owes it to the program, below 0 the program owes it to the merchant. */
export interface Position {
  readonly lines: readonly SettlementLine[]
  readonly net_points: bigint
  /** The value of the net points, rounded half away from zero. */
  readonly net_halalas: bigint
  readonly money_halalas: bigint
  readonly fee_halalas: bigint
  readonly vat_halalas: bigint
  /** Everything together. */
  readonly due_halalas: bigint
}

/** Which way each kind goes: 1 is owed by the merchant. */
const signs = { earn: 1n, reverse: -1n, post: -1n, return: 1n, collected: -1n, paid_back: 1n, missing: 1n } as const

/** 1 for a kind that the merchant owes, -1 for one that it is owed. */
export function owedSign(kind: PointKind | MoneyKind): number {
  return Number(signs[kind])
}

const micro_per_halala = BigInt(MICRO_SAR_PER_HALALA)

/** Takes the sums of a period and the program's fees; gives what it comes to, with its lines. docs/spec/settlement.md#position */
export function positionOf(points: readonly PointSum[], money: readonly MoneySum[], fees: ProgramFees): Position {
  const pointLines = inOrder(points, pointKinds).map(lineOfPoints)
  const moneyLines = inOrder(money, moneyKinds).map(lineOfMoney)
  const net_points = sumOf(pointLines, ({ points: some }) => some)
  const value = sumOf(pointLines, ({ micro_sar }) => micro_sar)
  const net_halalas = halalasOfMicroSar(value)
  const money_halalas = sumOf(moneyLines, ({ micro_sar }) => micro_sar) / micro_per_halala
  const fee_earn = feeOf(pointLines, ['earn', 'reverse'], fees.fee_earn_bp)
  const fee_redeem = feeOf(pointLines, ['post', 'return'], fees.fee_redeem_bp)
  const fee_halalas = fee_earn + fee_redeem
  const vat_halalas = divideRounded(fee_halalas * BigInt(fees.fee_vat_bp), 10_000n)
  const rest = [
    lineOf('fee_earn', fee_earn * micro_per_halala),
    lineOf('fee_redeem', fee_redeem * micro_per_halala),
    lineOf('vat', vat_halalas * micro_per_halala),
    lineOf('rounding', net_halalas * micro_per_halala - value),
  ].filter(({ micro_sar }) => micro_sar !== 0n)
  const due_halalas = net_halalas + money_halalas + fee_halalas + vat_halalas
  const lines = [...pointLines, ...moneyLines, ...rest]
  return { lines, net_points, net_halalas, money_halalas, fee_halalas, vat_halalas, due_halalas }
}

function inOrder<Sum extends { readonly kind: string; readonly micro_sar_per_point?: number }>(
  sums: readonly Sum[],
  kinds: readonly string[],
): readonly Sum[] {
  const place = ({ kind }: Sum): number => kinds.indexOf(kind)
  const value = ({ micro_sar_per_point = 0 }: Sum): number => micro_sar_per_point
  return [...sums].sort((one, other) => place(one) - place(other) || value(one) - value(other))
}

function lineOfPoints({ kind, micro_sar_per_point, entries, points }: PointSum): SettlementLine {
  const owed = signs[kind] * points
  return { kind, micro_sar_per_point, entries, points: owed, micro_sar: owed * BigInt(micro_sar_per_point) }
}

function lineOfMoney({ kind, entries, halalas }: MoneySum): SettlementLine {
  const micro_sar = signs[kind] * halalas * micro_per_halala
  return { kind, micro_sar_per_point: null, entries, points: 0n, micro_sar }
}

function lineOf(kind: LineKind, micro_sar: bigint): SettlementLine {
  return { kind, micro_sar_per_point: null, entries: 0, points: 0n, micro_sar }
}

/** The fee on one leg: on what was issued and not reversed, or redeemed and not returned. Below 0 it is given back. */
function feeOf(lines: readonly SettlementLine[], [forth, back]: readonly [LineKind, LineKind], bp: number): bigint {
  const leg = lines.filter(({ kind }) => kind === forth || kind === back)
  const value = sumOf(leg, ({ micro_sar }) => micro_sar) * (forth === 'post' ? -1n : 1n)
  return divideRounded(value * BigInt(bp), micro_per_halala * 10_000n)
}

function sumOf(lines: readonly SettlementLine[], of: (line: SettlementLine) => bigint): bigint {
  return lines.reduce((sum, line) => sum + of(line), 0n)
}

/** The points of a program at one moment, from two sides. docs/spec/settlement.md#tie */
export interface Tie {
  /** The sum of all wallets. */
  readonly outstanding_points: bigint
  /** Net points of all closed periods, by merchant together. */
  readonly settled_points: bigint
  /** Net points that are in no closed period. */
  readonly open_points: bigint
  /** Given to wallets by the program itself, less those taken. */
  readonly adjusted_points: bigint
}

/** True if what all merchants issued and the program gave is what the wallets hold. */
export function ties({ outstanding_points, settled_points, open_points, adjusted_points }: Tie): boolean {
  return outstanding_points === settled_points + open_points + adjusted_points
}
