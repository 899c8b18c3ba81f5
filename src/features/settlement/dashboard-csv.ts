import type { Locale } from '../../domain/locale.ts'
import type { LineKind } from '../../domain/settlement.ts'
import { type Cell, csvFile } from '../../lib/csv.ts'
import type { ExactNumber } from '../../lib/exact-number.ts'
import {
  allLines,
  type ClosedSettlement,
  type LineView,
  type SettlementOwner,
  type SettlementPages,
  type StatementLine,
} from './statement.ts'

/** The most lines of one file. */
const most_exported = 2_000_000

const columns = {
  en: [
    'When (UTC)',
    'What',
    'Order number',
    'Reference',
    'Order id',
    'Entry id',
    'Points',
    'SAR per point',
    'Amount (SAR)',
  ],
  ar: [
    'الوقت (UTC)',
    'البند',
    'رقم الطلب',
    'المرجع',
    'معرّف الطلب',
    'معرّف القيد',
    'النقاط',
    'ريال لكل نقطة',
    'المبلغ (ر.س)',
  ],
} as const

/** What each kind of line is called. */
const kindNames: Readonly<Record<Locale, Readonly<Record<LineKind, string>>>> = {
  en: {
    earn: 'Points issued',
    reverse: 'Points taken back',
    post: 'Points redeemed',
    return: 'Points returned',
    collected: 'Money collected',
    paid_back: 'Money paid back',
    missing: 'Money not received',
    fee_earn: 'Fee on issued points',
    fee_redeem: 'Fee on redeemed points',
    vat: 'VAT on fees',
    rounding: 'Rounding',
  },
  ar: {
    earn: 'نقاط ممنوحة',
    reverse: 'نقاط مسحوبة من العميل',
    post: 'نقاط مستبدلة',
    return: 'نقاط مُعادة إلى العميل',
    collected: 'مبالغ محصّلة',
    paid_back: 'مبالغ مستردة',
    missing: 'مبالغ لم تصل',
    fee_earn: 'رسوم النقاط الممنوحة',
    fee_redeem: 'رسوم النقاط المستبدلة',
    vat: 'ضريبة القيمة المضافة على الرسوم',
    rounding: 'تقريب',
  },
}

const total = { en: 'Due', ar: 'المستحق' } as const

/** The statement as a file: every entry and payment, then fees and rounding, and what is due in the end. */
export function statementFile(
  pages: SettlementPages,
  owner: SettlementOwner,
  settlement: ClosedSettlement & { readonly lines: readonly LineView[] },
  locale: Locale,
): AsyncGenerator<string> {
  return csvFile(columns[locale], records())

  async function* records() {
    for await (const page of allLines(pages, owner, settlement.settlement_id, most_exported))
      yield page.map(({ line }) => entryCells(line, locale))
    const rest = settlement.lines.filter(({ kind }) => ['fee_earn', 'fee_redeem', 'vat', 'rounding'].includes(kind))
    const end = [settlement.until, total[locale], '', '', '', settlement.settlement_id]
    yield [
      ...rest.map((line) => ['', kindNames[locale][line.kind], '', '', '', '', '', '', numberCell(line.amount)]),
      [...end, numberCell(settlement.net_points), '', numberCell(settlement.due_amount)],
    ]
  }
}

function entryCells(line: StatementLine, locale: Locale): Cell[] {
  const { at, kind, order_number, reference_number, order_uuid, id, points, sar_per_point, amount } = line
  const which = [order_number, reference_number, order_uuid, id]
  return [at, kindNames[locale][kind], ...which, points, sar_per_point, numberCell(amount)]
}

/** A number of any size. */
function numberCell(value: ExactNumber): Cell {
  return typeof value === 'number' ? value : value.rawJSON
}
