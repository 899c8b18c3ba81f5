import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { nameIn } from '../../domain/merchant.ts'
import { type Cell, csvFile } from '../../lib/csv.ts'
import type { ClosedSettlement, SettlementOwner, SettlementPages } from './statement.ts'

/** The most settlements of one file. */
const most_exported = 200_000
const page_size = 500

const columns = {
  en: [
    'Closed (UTC)',
    'From (UTC)',
    'Until (UTC)',
    'Merchant number',
    'Merchant',
    'Orders',
    'Net points',
    'Value of the points (SAR)',
    'Money of payment providers (SAR)',
    'Fees (SAR)',
    'VAT on fees (SAR)',
    'Due (SAR)',
    'Who owes it',
    'Settlement id',
  ],
  ar: [
    'الإقفال (UTC)',
    'من (UTC)',
    'حتى (UTC)',
    'رقم المتجر',
    'المتجر',
    'الطلبات',
    'صافي النقاط',
    'قيمة النقاط (ر.س)',
    'أموال مزودي الدفع (ر.س)',
    'الرسوم (ر.س)',
    'ضريبة القيمة المضافة على الرسوم (ر.س)',
    'المستحق (ر.س)',
    'على من',
    'معرّف التسوية',
  ],
} as const

const debtors = {
  en: { merchant: 'The merchant', program: 'The program', nobody: 'Nobody' },
  ar: { merchant: 'المتجر', program: 'البرنامج', nobody: 'لا أحد' },
} as const

/** Closed settlements as a file, the newest first: what accountants book at the end of a month. */
export function settlementsFile(
  pages: SettlementPages,
  owner: SettlementOwner,
  locale: Locale,
): AsyncGenerator<string> {
  return csvFile(columns[locale], records())

  async function* records() {
    let before: Uuid | undefined
    for (let left = most_exported; left > 0; left -= page_size) {
      const found = await pages.list(owner, { before, limit: page_size })
      const page = found.slice(0, page_size)
      yield page.map((settlement) => cellsOf(settlement, locale))
      if (found.length === page.length) return
      before = page.at(-1)?.settlement_id
    }
  }
}

function cellsOf(settlement: ClosedSettlement, locale: Locale): Cell[] {
  const { merchant_name: name, merchant_name_ar: name_ar, due_amount } = settlement
  const due = Number(typeof due_amount === 'number' ? due_amount : due_amount.rawJSON)
  return [
    ...[settlement.closed_at, settlement.from, settlement.until, settlement.merchant_id],
    ...[nameIn({ name, name_ar }, locale), settlement.orders],
    ...[settlement.net_points, settlement.net_amount, settlement.money_amount],
    ...[settlement.fee_amount, settlement.vat_amount, due_amount],
    debtors[locale][due > 0 ? 'merchant' : due < 0 ? 'program' : 'nobody'],
    settlement.settlement_id,
  ]
}
