import { type Colour, parseColour } from '../../../domain/colour.ts'
import type { Locale } from '../../../domain/locale.ts'
import type { Season } from './calendar.ts'

/** The programs and shops of the sample year. Their names are invented. */

/** What a shop sells: name and price in SAR. */
export type Goods = readonly [name: string, price: number]

export interface YearShop {
  readonly name: string
  readonly name_ar?: string
  readonly colour: Colour | null
  /** Begins its order numbers. */
  readonly prefix: string
  readonly points_per_sar: string
  /** Who collects the money of its checkouts, and how. */
  readonly pays: 'sale' | 'two_step' | 'merchant'
  /** Its share of the program's orders. */
  readonly weight: number
  /** The share of orders of known customers that go through the hosted checkout. */
  readonly online: number
  /** The most lines of an order, and pieces of a line. */
  readonly basket: readonly [lines: number, pieces: number]
  readonly goods: readonly [Goods, ...Goods[]]
  /** How much busier it is in a season. */
  readonly busy: Readonly<Partial<Record<Season, number>>>
  /** The name of its webhook. */
  readonly webhook?: string
}

export interface YearProgram {
  readonly name: string
  readonly activation: 'automatic' | 'required'
  readonly sar_per_point: string
  readonly locale: Locale
  /** In basis points: of the points that its shops issue and redeem, and the VAT on that. */
  readonly fees: { readonly fee_earn_bp: number; readonly fee_redeem_bp: number; readonly fee_vat_bp: number }
  /** The share of all orders. */
  readonly share: number
  /** How often an order is a customer's first. */
  readonly newcomers: number
  readonly shops: readonly [YearShop, ...YearShop[]]
}

const coffee: YearShop = {
  ...{ name: 'محمصة نواة', colour: parseColour('#5b3a29'), prefix: 'NW', points_per_sar: '5', pays: 'sale' },
  ...{ weight: 30, online: 0.05, basket: [3, 2], busy: { morning: 2.2, ramadan: 0.8 } },
  goods: [
    ['قهوة اليوم', 12],
    ['لاتيه', 17],
    ['فلات وايت', 16],
    ['قهوة سعودية، دلة صغيرة', 22],
    ['كرواسون بالزعتر', 11],
    ['كعكة التمر', 14.5],
    ['بن كولومبي، 250 جم', 58],
    ['بن إثيوبي، 250 جم', 64],
  ],
}

const grocery: YearShop = {
  ...{
    name: 'Sallah Market',
    name_ar: 'سوق سلة',
    colour: parseColour('#2f7d32'),
    prefix: 'SM',
    points_per_sar: '1',
    pays: 'sale',
  },
  ...{ weight: 32, online: 0.07, basket: [7, 3], busy: { ramadan: 1.7, salary: 1.4 } },
  goods: [
    ['Basmati rice, 5 kg', 46],
    ['Laban, 2 l', 10.5],
    ['Arabic bread', 2],
    ['Chicken, 1 kg', 18.95],
    ['Olive oil, 1 l', 38],
    ['Sukkari dates, 1 kg', 32],
    ['Tomatoes, 1 kg', 5.75],
    ['Water, 40 × 200 ml', 13],
    ['Eggs, 30', 21],
    ['Washing powder, 5 kg', 49.95],
  ],
}

const pharmacy: YearShop = {
  ...{
    name: 'صيدلية ركن العافية',
    colour: parseColour('#0f766e'),
    prefix: 'RA',
    points_per_sar: '2',
    pays: 'merchant',
  },
  ...{ weight: 15, online: 0.08, basket: [3, 2], busy: { ramadan: 0.9, back_to_school: 1.2 } },
  goods: [
    ['فيتامين د 5000', 48],
    ['مسكن ألم، 24 حبة', 9.5],
    ['واقي شمس 50+', 86],
    ['معجون أسنان', 16.75],
    ['كريم مرطب', 54],
    ['حليب أطفال، 900 جم', 92],
  ],
}

const electronics: YearShop = {
  ...{
    name: 'Barq Electronics',
    name_ar: 'برق للإلكترونيات',
    colour: parseColour('#1d4ed8'),
    prefix: 'BQ',
    points_per_sar: '0.5',
    pays: 'two_step',
  },
  webhook: 'Orders to the warehouse',
  ...{ weight: 7, online: 0.3, basket: [2, 1], busy: { white_friday: 3.2, national_day: 1.8, salary: 1.5 } },
  goods: [
    ['Wireless earphones', 349],
    ['Phone charger, 45 W', 119],
    ['Tablet, 11 inches', 1_499],
    ['Game console', 2_099],
    ['Robot vacuum cleaner', 1_249],
    ['Power bank, 20,000 mAh', 169],
    ['Smart watch', 899],
  ],
}

const books: YearShop = {
  ...{
    name: 'Riwaq Books',
    name_ar: 'مكتبة رواق',
    colour: parseColour('#7c2d12'),
    prefix: 'RB',
    points_per_sar: '4',
    pays: 'sale',
  },
  ...{ weight: 8, online: 0.22, basket: [4, 2], busy: { back_to_school: 2.6, ramadan: 0.8 } },
  goods: [
    ['رواية «ظل النخيل»', 52],
    ['A history of the peninsula', 89],
    ['دفتر ملاحظات', 24],
    ['Reed pens, set of 5', 36.75],
    ['قصص للأطفال، ثلاثة أجزاء', 75],
    ['English–Arabic dictionary', 64],
  ],
}

const perfume: YearShop = {
  ...{ name: 'نفحات للعطور', colour: parseColour('#6d28d9'), prefix: 'NF', points_per_sar: '6', pays: 'sale' },
  ...{ weight: 8, online: 0.2, basket: [2, 2], busy: { eid: 3, white_friday: 2, ramadan: 1.3 } },
  goods: [
    ['دهن عود، ربع تولة', 280],
    ['عطر مسك أبيض، 50 مل', 145],
    ['بخور معمول', 95],
    ['مبخرة كهربائية', 120],
    ['عطر ورد طائفي، 50 مل', 390],
  ],
}

const fashion: YearShop = {
  ...{ name: 'نسيج', colour: parseColour('#9d174d'), prefix: 'NS', points_per_sar: '1', pays: 'sale' },
  ...{ weight: 1, online: 0.28, basket: [3, 1], busy: {} },
  goods: [
    ['عباية كتان', 329],
    ['ثوب صيفي', 245],
    ['طرحة حرير', 119],
    ['قميص قطني', 139],
    ['حقيبة يد', 279],
    ['جاكيت خفيف', 399],
  ],
}

export const yearPrograms: readonly [YearProgram, YearProgram] = [
  {
    ...{ name: 'Waha Rewards', activation: 'automatic', sar_per_point: '0.01', locale: 'ar', share: 0.78 },
    fees: { fee_earn_bp: 200, fee_redeem_bp: 100, fee_vat_bp: 1_500 },
    newcomers: 0.14,
    shops: [grocery, coffee, pharmacy, electronics, books, perfume],
  },
  {
    ...{ name: 'Naseej Circle', activation: 'required', sar_per_point: '0.05', locale: 'ar', share: 0.22 },
    fees: { fee_earn_bp: 0, fee_redeem_bp: 0, fee_vat_bp: 0 },
    newcomers: 0.2,
    shops: [fashion],
  },
]
